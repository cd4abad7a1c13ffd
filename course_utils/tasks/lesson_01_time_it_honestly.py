"""The exercises of lesson 01: a stopwatch that waits, an interval around a ratio, and when a compile pays.

The stopwatch is judged on the real clock, by a device that knows what a stopwatch around it must have read.
"""

from __future__ import annotations

import time
from numbers import Real
from statistics import fmean, median, median_high, median_low
from time import perf_counter

import numpy as np
import torch

from course_utils.ground.wording import how_often
from course_utils.tasks.pretend_device import PretendDevice, Sample
from course_utils.tasks.prose import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import every_second, uniform

INF = float("inf")
_CLOCK_STEP = 2e-6
"""Seconds by which two clocks of one machine may disagree about the same moment."""


def quick_time(run, wait, calls):
    """Seconds of one call, timed as people often do it. It is wrong in three ways."""
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls


def ratio_interval_slow(slow_s, fast_s, resamples, generator):
    """The median of the ratios slow / fast, and the two ends of its 95 % interval."""
    ratios = []
    for slow, fast in zip(slow_s, fast_s):
        ratios.append(slow / fast)
    ratios = torch.stack(ratios)
    medians = []
    for _ in range(resamples):
        picks = torch.randint(len(ratios), (len(ratios),), generator=generator)
        medians.append(ratios[picks].quantile(0.5))
    medians = torch.stack(medians)
    return torch.stack([ratios.quantile(0.5), medians.quantile(0.025), medians.quantile(0.975)])


def break_even_slow(first_call_s, steady_s, baseline_s):
    """How many calls it takes until compiling has cost no more than not compiling."""
    calls = torch.empty_like(first_call_s)
    for i in range(len(first_call_s)):
        debt = first_call_s[i] - baseline_s[i]
        saved = baseline_s[i] - steady_s[i]
        if debt <= 0:
            calls[i] = 1
        elif saved <= 0:
            calls[i] = float("inf")
        else:
            calls[i] = 1 + debt / saved
    return calls


def judge_timing(given, _expected, inputs):
    """None where ``given`` is the median of what a stopwatch around each counted call can have read, else why not."""
    now = perf_counter()
    run, _, calls = inputs
    device = run.__self__
    samples = device.samples(now)
    if given is None:
        return "honest_time returned None; is `return` missing?"
    if isinstance(given, bool) or not isinstance(given, Real):
        return f"Seconds are a number, such as 0.002; this is of type {type(given).__name__}."
    if device.waits == 0:
        return "wait() was never called: run() returns before the work is done, so the clock saw only the asking."
    if device.runs <= calls:
        return (
            f"run() was called {how_often(device.runs)} for {calls} counted call{'s' if calls != 1 else ''}: the first "
            "call is longer than the rest, so warm up with one more, which is not counted."
        )
    if None in samples[-calls - 1 :]:
        return (
            "Some call was not waited for before the next one began: call wait() after each run(), the warm-up's too."
        )
    if not _is_median(given, samples[-calls:]) and _within(given, samples[-calls - 1 :], median, median):
        return "The warm-up is among these calls: wait for it before the first clock is read, and leave it out."
    return _judge_median(given, samples[-calls:])


def _is_median(given: float, counted: list[Sample]) -> bool:
    return _within(given, counted, median_low, median_high)


def _judge_median(given: float, counted: list[Sample]) -> str | None:
    if _is_median(given, counted):
        return None
    for name, statistic in (("mean", fmean), ("sum", sum), ("shortest", min), ("longest", max)):
        if len(counted) > 1 and _within(given, counted, statistic, statistic):
            return f"This is the {name} of the calls, not their median: one disturbed call must not move the result."
    for unit, seconds in (("milliseconds", 1e-3), ("microseconds", 1e-6), ("nanoseconds", 1e-9)):
        if _is_median(given * seconds, counted):
            return f"These are {unit}; seconds are wanted."
    return (
        f"The median call took {median_low(sample.shortest for sample in counted):.4g} s; given: {given:.4g} s. Read time.perf_counter() right before run() and "
        "right after wait(), for each call."
    )


def _within(given, counted, low, high) -> bool:
    """Whether ``given`` can be that statistic of readings, each of which lies anywhere in its sample's range."""
    shortest = low([sample.shortest for sample in counted])
    longest = high([sample.longest for sample in counted])
    return shortest - _CLOCK_STEP <= given <= longest + _CLOCK_STEP


def _device_inputs(calls, generator, warm_up=0.008, disturbed=0.2):
    """Calls of 1 to 3 ms in random order, of which a share is disturbed and takes several times as long."""
    durations = np.linspace(1e-3, 3e-3, calls) if calls > 1 else np.array([2e-3])
    longest = round(disturbed * calls)
    durations[calls - longest :] *= 6
    device = PretendDevice(generator.permutation(durations).tolist(), warm_up)
    return device.run, device.wait, calls


def _times(generator, rounds, dtype=torch.float32):
    """Paired samples of a slow and a fast contender; what disturbs a round disturbs both."""
    disturbed = uniform(generator, 1.0, 3.0, rounds, dtype=dtype)
    slow = uniform(generator, 0.8, 1.2, rounds, dtype=dtype) * disturbed
    fast = uniform(generator, 0.08, 0.12, rounds, dtype=dtype) * disturbed
    return slow, fast


def _ratio_inputs(rounds, generator, resamples=None, dtype=torch.float32):
    slow_s, fast_s = _times(generator, rounds, dtype)
    draws = torch.Generator().manual_seed(int(generator.integers(2**31)))
    return slow_s, fast_s, 50 * rounds if resamples is None else resamples, draws


def _ratio_columns(generator):
    slow_s, fast_s, resamples, draws = _ratio_inputs(9, generator)
    columns = torch.stack([slow_s, fast_s], dim=1)
    return columns[:, 0], columns[:, 1], resamples, draws


def _break_even_inputs(size, generator, dtype=torch.float32):
    first = uniform(generator, 0.5, 2.0, size, dtype=dtype)
    steady = uniform(generator, 0.001, 0.01, size, dtype=dtype)
    return first, steady, uniform(generator, 0.002, 0.02, size, dtype=dtype)


def _interval(ratios, medians, low=0.025, high=0.975):
    return torch.stack([ratios.quantile(0.5), medians.quantile(low), medians.quantile(high)])


def _resampled(ratios, resamples, generator):
    return ratios[torch.randint(len(ratios), (resamples, len(ratios)), generator=generator)]


def _ratio_of_medians(slow_s, fast_s, resamples, generator):
    picks = torch.randint(len(slow_s), (resamples, len(slow_s)), generator=generator)
    medians = slow_s[picks].quantile(0.5, dim=1) / fast_s[picks].quantile(0.5, dim=1)
    return torch.stack([slow_s.quantile(0.5) / fast_s.quantile(0.5), medians.quantile(0.025), medians.quantile(0.975)])


def _unpaired(slow_s, fast_s, resamples, generator):
    medians = (_resampled(slow_s, resamples, generator) / _resampled(fast_s, resamples, generator)).quantile(0.5, dim=1)
    return _interval(slow_s / fast_s, medians)


def _inverted(slow_s, fast_s, resamples, generator):
    return ratio_interval_slow(fast_s, slow_s, resamples, generator)


def _ninety(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    return _interval(ratios, _resampled(ratios, resamples, generator).quantile(0.5, dim=1), 0.05, 0.95)


def _means(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    means = _resampled(ratios, resamples, generator).mean(dim=1)
    return torch.stack([ratios.mean(), means.quantile(0.025), means.quantile(0.975)])


def _spread(slow_s, fast_s, resamples, generator):
    return _interval(slow_s / fast_s, slow_s / fast_s)


def _drawn_sideways(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    picks = torch.randint(len(ratios), (len(ratios), resamples), generator=generator)
    return _interval(ratios, ratios[picks].quantile(0.5, dim=0))


def _lower_median(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    medians = _resampled(ratios, resamples, generator).median(dim=1).values
    return torch.stack([ratios.median(), medians.quantile(0.025), medians.quantile(0.975)])


HONEST_TIME = Task(
    id="honest_time",
    title="A stopwatch that waits",
    points=3,
    lesson="01_time_it_honestly",
    framework="none",
    slow=quick_time,
    inputs=_device_inputs,
    sizes=(1, 2, 3, 5, 9),
    same=judge_timing,
    edge_cases=(
        Case("a first call that takes very long", lambda generator: _device_inputs(3, generator, warm_up=0.06)),
        Case("a device that is often disturbed", lambda generator: _device_inputs(9, generator, disturbed=0.4)),
    ),
    story=prose(
        """
        `run()` gives a device some work and returns at once: the device is busy behind its back. `wait()` returns
        when all work is done. The first call takes longer than the rest, and now and then one is disturbed. Below is
        how such a device is often timed. Write `honest_time(run, wait, calls)`, which tells how long a call really
        takes.
        """
    ),
    counts=prose(
        """
        - Warm up with at least one call, waited for and not counted.
        - Time each of the `calls` counted calls by itself, with `time.perf_counter()`, until its work is done.
        - Return the median in seconds, a number. (Of an even number of calls, anything between the two in the
        middle.)
        - The calls must come one after the other, so a Python loop over them is right here.
        """
    ),
    hints=items(
        """
        - What does the clock see of a call that returns before its work is done? And which calls stand in the
          average?
        - Before the loop: one call and one wait that are not counted. In the loop: read the clock, run, wait, read
          the clock, and keep the difference in a list.
        - `statistics.median` of the list is what to return; each entry is perf_counter() after wait() less
          perf_counter() before run().
        """
    ),
    sources=("S1.2",),
    timeout_s=10.0,
)

RATIO_INTERVAL = Task(
    id="ratio_interval",
    title="How sure is a ratio?",
    points=4,
    lesson="01_time_it_honestly",
    slow=ratio_interval_slow,
    inputs=_ratio_inputs,
    sizes=(1, 2, 3, 4, 17),
    edge_cases=(
        Case("one resample", lambda generator: _ratio_inputs(7, generator, resamples=1)),
        Case(
            "one resample with another median",
            lambda _: (torch.arange(1.0, 6.0), torch.ones(5), 1, torch.Generator().manual_seed(1)),
        ),
        Case("an even number of rounds", lambda generator: _ratio_inputs(6, generator)),
        Case("more rounds than resamples", lambda generator: _ratio_inputs(60, generator, resamples=20)),
        Case("the two columns of one table", _ratio_columns),
        Case("float64 values", lambda generator: _ratio_inputs(9, generator, dtype=torch.float64)),
        Case(
            "very long and very short times",
            lambda g: (1e20 * torch.arange(1.0, 6.0), 1e-15 * torch.ones(5), 100, torch.Generator().manual_seed(5)),
        ),
        Case(
            "every second round of a longer table",
            lambda g: tuple(map(every_second, _times(g, 7))) + (50, torch.Generator().manual_seed(7)),
        ),
    ),
    count_sizes=(4, 64),
    race_size=21,
    story=prose(
        """
        In each round a slow and a fast function ran one right after the other, so what disturbed the one disturbed
        the other: their ratio in that round is fair. How sure is the median of these ratios? Draw as many rounds as
        there are, again and again, each time with repetition, and see how the median moves: that is the bootstrap.
        Write `ratio_interval(slow_s, fast_s, resamples, generator)` without a Python loop.
        """
    ),
    counts=prose(
        """
        - `slow_s` and `fast_s` have the shape (rounds,). The result is a tensor of three values in their dtype: the
        median ratio slow / fast, and the 2.5 % and the 97.5 % quantile of the resampled medians.
        - Draw once: `torch.randint(rounds, (resamples, rounds), generator=generator)`. One row is one resample, and
        your result can then be compared with the loop's, digit by digit. Other draws give other digits, and count as
        wrong.
        - The median is `quantile(0.5)`: of an even number, the mean of the two in the middle.
        - A fixed number of tensor operations, however many rounds and resamples.
        - Python waits for no value: `torch.stack` joins tensors without asking for what is in them, `torch.tensor` asks.
        """
    ),
    max_ops=80,
    target=4.0,
    hints=items(
        """
        - The ratios are one division of two tensors. What shape would all resamples have, if each were a row?
        - Indexing with a matrix of picks gives a matrix: `ratios[picks]` has one resample a row, and `quantile` takes
          a `dim`.
        - medians = ratios[picks].quantile(0.5, dim=1); then stack ratios.quantile(0.5) and the two quantiles of
          medians.
        """
    ),
    mistakes=(
        Mistake("This is fast / slow; wanted is slow / fast.", _inverted),
        Mistake(
            "This is the ratio of the medians: take each round's own ratio first, then the median.", _ratio_of_medians
        ),
        Mistake("Slow and fast were drawn apart: draw rounds, so that each pair stays together.", _unpaired),
        Mistake("These are the ends of a 90 % interval: 95 % leaves 2.5 % on each side.", _ninety),
        Mistake("These are means; the median was asked for.", _means),
        Mistake("These are quantiles of the ratios, not of the resampled medians.", _spread),
        Mistake(
            "The picks were drawn as (rounds, resamples): one row is one resample, (resamples, rounds).",
            _drawn_sideways,
        ),
        Mistake("torch.median takes the lower of the two in the middle; use quantile(0.5).", _lower_median),
    ),
    sources=("S1.2",),
)

BREAK_EVEN = Task(
    id="break_even",
    title="When does a compile pay?",
    points=2,
    lesson="01_time_it_honestly",
    slow=break_even_slow,
    inputs=_break_even_inputs,
    edge_cases=(
        Case("no functions at all", lambda generator: _break_even_inputs(0, generator)),
        Case(
            "a compile that never pays, and one that saves nothing",
            lambda _: (torch.tensor([1.0, 1.0]), torch.tensor([0.5, 0.25]), torch.tensor([0.25, 0.25])),
        ),
        Case(
            "a first call that is already the faster one",
            lambda _: (
                torch.tensor([0.1, 0.25, 0.1]),
                torch.tensor([0.01, 0.01, 0.5]),
                torch.tensor([0.25, 0.25, 0.2]),
            ),
        ),
        Case(
            "a first call like a plain one, and later calls that save nothing",
            lambda _: (torch.tensor([0.25, 0.25]), torch.tensor([0.25, 0.5]), torch.tensor([0.25, 0.25])),
        ),
        Case("every second value of longer tensors", lambda g: tuple(map(every_second, _break_even_inputs(5, g)))),
        Case("float64 values", lambda generator: _break_even_inputs(5, generator, dtype=torch.float64)),
        Case(
            "very long and very short times",
            lambda _: (
                torch.tensor([3e4, 1e30, 1e-6]),
                torch.tensor([1e-9, 1e-30, 1e-12]),
                torch.tensor([2e-9, 1.0, 1e-9]),
            ),
        ),
        Case(
            "a first call that never ends",
            lambda _: (torch.tensor([INF, INF]), torch.tensor([0.1, 0.3]), torch.tensor([0.2, 0.2])),
        ),
    ),
    count_sizes=(8, 1000),
    race_size=1000,
    story=prose(
        """
        A compiler makes the first call long and the later ones short. For many functions at once: after how many
        calls has compiling cost no more than not compiling? Write `break_even(first_call_s, steady_s, baseline_s)`,
        where `first_call_s` and `steady_s` are the seconds of the first and of each later compiled call, `baseline_s`
        those of a plain call.
        """
    ),
    counts=prose(
        """
        - The three tensors have the shape (n,) and one floating-point dtype, and so has the result; they stay as they
        were.
        - `n` calls cost `first + (n − 1)·steady` with the compiler and `n·baseline` without. The result is the `n` at
        which the two are equal, not rounded, but at least 1.
        - Infinity where it never pays: the first call costs more, and the later ones save nothing.
        - A few tensor operations, however many functions.
        - Python waits for no value: no `if` on a tensor, and no mask that picks some of its values.
        """
    ),
    max_ops=24,
    target=50.0,
    hints=items(
        """
        - Work out debt and saved for all functions at once; each is one subtraction. What remains are the two
          conditions.
        - `torch.where(condition, a, b)` chooses value by value, and one `where` may stand inside another. Both sides
          are worked out for every value; only the choice counts.
        - torch.where(debt <= 0, 1, torch.where(saved <= 0, inf, 1 + debt / saved)), with inf = float('inf').
        """
    ),
    mistakes=(
        Mistake(
            "Off by one: the first call is a call too, so 1 is added to debt / saved.",
            lambda first, steady, baseline: break_even_slow(first, steady, baseline) - 1,
        ),
        Mistake(
            "The number of calls is negative where compiling never pays: it is infinity there.",
            lambda first, steady, baseline: torch.where(
                first <= baseline, torch.ones_like(first), 1 + (first - baseline) / (baseline - steady)
            ),
        ),
        Mistake(
            "Where the first compiled call costs no more than a plain one, the result is 1: it has paid at once.",
            lambda first, steady, baseline: torch.where(
                baseline <= steady, torch.full_like(first, INF), 1 + (first - baseline) / (baseline - steady)
            ),
        ),
        Mistake(
            "Infinite only where both fail: where the first call costs no more than a plain one, the result is 1.",
            lambda first, steady, baseline: torch.where(
                baseline <= steady,
                torch.full_like(first, INF),
                (1 + (first - baseline) / (baseline - steady)).clamp(min=1),
            ),
        ),
        Mistake(
            "The debt is only what the first call costs more than a plain one: subtract baseline from it.",
            lambda first, steady, baseline: torch.where(
                first <= baseline,
                torch.ones_like(first),
                torch.where(baseline <= steady, torch.full_like(first, INF), first / (baseline - steady)),
            ),
        ),
        Mistake(
            "The numbers are rounded up; leave them as they are.",
            lambda first, steady, baseline: break_even_slow(first, steady, baseline).ceil(),
        ),
    ),
    sources=("S1.2",),
)

TASKS = (HONEST_TIME, RATIO_INTERVAL, BREAK_EVEN)
