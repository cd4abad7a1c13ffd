"""How sure a ratio is: the bootstrap of paired times, with all resamples drawn at once.

The indices come from a generator argument, so that an answer's digits can be compared with the loop's.
"""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform


def ratio_interval_slow(slow_s, fast_s, resamples, generator):
    """Return the median of the ratios slow / fast and the two ends of its 95 % interval."""
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


def _times(generator, rounds):
    """Return paired samples of a slow and a fast contender; a disturbance affects both times of a round."""
    disturbed = uniform(generator, 1.0, 3.0, rounds)
    slow = uniform(generator, 0.8, 1.2, rounds) * disturbed
    fast = uniform(generator, 0.08, 0.12, rounds) * disturbed
    return slow, fast


def _ratio_inputs(rounds, generator, resamples=None):
    slow_s, fast_s = _times(generator, rounds)
    draws = torch.Generator().manual_seed(int(generator.integers(2**31)))
    return slow_s, fast_s, 50 * rounds if resamples is None else resamples, draws


def _ratio_columns(generator):
    slow_s, fast_s, resamples, draws = _ratio_inputs(9, generator)
    columns = torch.stack([slow_s, fast_s], dim=1)
    return columns[:, 0], columns[:, 1], resamples, draws


def _ratios_below_1(generator):
    slow_s, fast_s, resamples, draws = _ratio_inputs(5, generator, resamples=2)
    return fast_s, slow_s, resamples, draws


def _interval(ratios, medians, low=0.025, high=0.975):
    return torch.stack([ratios.quantile(0.5), medians.quantile(low), medians.quantile(high)])


def _resample(ratios, resamples, generator):
    return ratios[torch.randint(len(ratios), (resamples, len(ratios)), generator=generator)]


def _ratio_of_medians(slow_s, fast_s, resamples, generator):
    picks = torch.randint(len(slow_s), (resamples, len(slow_s)), generator=generator)
    medians = slow_s[picks].quantile(0.5, dim=1) / fast_s[picks].quantile(0.5, dim=1)
    return torch.stack([slow_s.quantile(0.5) / fast_s.quantile(0.5), medians.quantile(0.025), medians.quantile(0.975)])


def _unpaired(slow_s, fast_s, resamples, generator):
    medians = (_resample(slow_s, resamples, generator) / _resample(fast_s, resamples, generator)).quantile(0.5, dim=1)
    return _interval(slow_s / fast_s, medians)


def _all_at_once(slow_s, fast_s, resamples, generator, *ends):
    ratios = slow_s / fast_s
    return _interval(ratios, _resample(ratios, resamples, generator).quantile(0.5, dim=1), *ends)


def _inverted(slow_s, fast_s, resamples, generator):
    return _all_at_once(fast_s, slow_s, resamples, generator)


def _ninety(slow_s, fast_s, resamples, generator):
    return _all_at_once(slow_s, fast_s, resamples, generator, 0.05, 0.95)


def _means(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    means = _resample(ratios, resamples, generator).mean(dim=1)
    return torch.stack([ratios.mean(), means.quantile(0.025), means.quantile(0.975)])


def _spread(slow_s, fast_s, resamples, generator):
    return _interval(slow_s / fast_s, slow_s / fast_s)


def _drawn_sideways(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    picks = torch.randint(len(ratios), (len(ratios), resamples), generator=generator)
    return _interval(ratios, ratios[picks].quantile(0.5, dim=0))


def _lower_median(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    medians = _resample(ratios, resamples, generator).median(dim=1).values
    return torch.stack([ratios.median(), medians.quantile(0.025), medians.quantile(0.975)])


TASK = Task(
    id="ratio_interval",
    title="How sure is a ratio?",
    points=4,
    level=1,
    slow=ratio_interval_slow,
    reference=_all_at_once,
    inputs=_ratio_inputs,
    sizes=(1, 2, 3, 4, 17),
    dtypes={"slow_s, fast_s": ("float64",)},
    edge_cases=(
        Case("one resample", lambda generator: _ratio_inputs(7, generator, resamples=1)),
        Case(
            "one resample with another median",
            lambda _: (torch.arange(1.0, 6.0), torch.ones(5), 1, torch.Generator().manual_seed(1)),
        ),
        Case(
            "4,200 resamples",  # With this seed, the first 1,000, 2,000 or 4,096 of them have another interval.
            lambda _: (torch.arange(1.0, 16.0), torch.ones(15), 4200, torch.Generator().manual_seed(2)),
        ),
        Case("an even number of rounds", lambda generator: _ratio_inputs(6, generator)),
        Case("more rounds than resamples", lambda generator: _ratio_inputs(60, generator, resamples=20)),
        Case("5,000 rounds", lambda generator: _ratio_inputs(5000, generator, resamples=3)),
        Case("two resamples of ratios below 1", _ratios_below_1),
        Case("the two columns of one table", _ratio_columns),
        Case(
            "very long and very short times",
            lambda g: (1e20 * torch.arange(1.0, 6.0), 1e-15 * torch.ones(5), 100, torch.Generator().manual_seed(5)),
        ),
    ),
    worst="A median sorts its values, whatever they are; the edge cases have repeated and extreme values.",
    count_sizes=(4, 64),
    race_size=21,
    story=prose(
        """
        In each round, a slow and a fast function ran one right after the other. If a disturbance slows both by about
        the same factor, it hardly changes their ratio. How sure is the median of these ratios? The bootstrap draws as many
        rounds as there are, with replacement, and takes their median ratio. It repeats the draw many times and measures how much the
        median varies. Write `ratio_interval(slow_s, fast_s, resamples, generator)` without a Python loop.
        """
    ),
    rules=prose(
        """
        - `slow_s` and `fast_s`, the seconds in each round, have shape (rounds,), both in float32 or both in float64. The result is a tensor of three values in their dtype: the median
        ratio slow / fast, and the 2.5 % and 97.5 % quantiles of the resampled medians.
        - `resamples` is the number of draws. Make all of them at once, with `torch.randint(rounds, (resamples, rounds), generator=generator)`. Each row is one resample. The
        check compares your digits with the loop's, so any other draw counts as wrong.
        - The median is `quantile(0.5)`: for an even number of values, the mean of the two middle ones.
        - `torch.stack` joins tensors without waiting for their values; `torch.tensor` on a list of tensors waits.
        """
    ),
    limits=(at_most(90, "ops"), at_most(0, "syncs")),
    target=4.0,
    hints=items(
        """
        - One division of two tensors gives the ratios. What shape do all resamples have if each one is a row?
        - Indexing with a matrix gives a matrix: `ratios[picks]` has one resample per row, and `quantile` takes a `dim`.
        - Compute `medians = ratios[picks].quantile(0.5, dim=1)`, then stack `ratios.quantile(0.5)`,
          `medians.quantile(0.025)` and `medians.quantile(0.975)`.
        """
    ),
    mistakes=(
        Mistake("This is fast / slow: divide slow by fast.", _inverted),
        Mistake(
            "This is the ratio of the medians: take the ratio of each round first, then the median.", _ratio_of_medians
        ),
        Mistake("Slow and fast times are drawn separately: draw rounds, so that each pair stays together.", _unpaired),
        Mistake("These are the ends of a 90 % interval: a 95 % interval leaves out 2.5 % on each side.", _ninety),
        Mistake("These are means: use the median.", _means),
        Mistake("These are quantiles of the ratios: take the quantiles of the resampled medians.", _spread),
        Mistake(
            "The indices have shape (rounds, resamples): draw shape (resamples, rounds), one resample per row.",
            _drawn_sideways,
        ),
        Mistake(
            "For an even number of values, this is the lower of the two middle ones, as in `torch.median`: use "
            "`quantile(0.5)`.",
            _lower_median,
        ),
    ),
    sources=("S1.2",),
)
