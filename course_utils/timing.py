"""Paired, interleaved timing and its statistics. Nothing else in the course measures time.

``compare`` runs every contender once a round, in random order, and judges contenders by the median of their per-round
ratios: noise that lasts longer than a round hits both sides of a ratio and cancels. It does not check that contenders
compute the same thing; ``races`` does.
"""

from __future__ import annotations

import gc
import math
import random
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, Protocol

import numpy as np

from course_utils import devices
from course_utils.errors import CourseError

OVERHEAD_SHARE = 0.005  # the clock and the wait may cost this share of a block
ROUNDS_WANTED = 200  # enough for a narrow interval; more would only make blocks short
STALL = 5.0  # a block this many times its contender's median was held up by the machine
NEGLIGIBLE = 0.01  # a smaller difference is not called faster or slower
SAME = 0.03  # an interval this close around 1 is called the same
RESAMPLES = 2000

_running = threading.Lock()
_owner: int | None = None


class ComparisonError(CourseError):
    """``compare`` was called with something that it cannot time."""


@dataclass(frozen=True)
class Ratio:
    """How many times faster than the baseline: the median of paired ratios and its bootstrap 95 % interval.

    ``low`` and ``high`` are None where too few rounds allowed an interval; ``value`` is NaN where nothing was paired.
    """

    value: float
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "no ratio"
        if self.low is None or self.high is None:
            return f"{significant(self.value)}×"
        return f"{significant(self.value)}× ({significant(self.low)}–{significant(self.high)})"


def significant(value: float) -> str:
    """``value`` with three significant figures and thousands separators: 412, 1,250, 0.58."""
    if not math.isfinite(value) or value == 0:
        return str(value)
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    rounded = round(value, 2 - math.floor(math.log10(abs(value))))
    return f"{rounded:,.{digits}f}"


class Stopwatch(Protocol):
    """How time is read on one device."""

    def now(self) -> float:
        """Seconds of host time."""

    def block(self, function: Callable, args: tuple, calls: int) -> float:
        """Seconds that ``calls`` calls take together, each device wait included."""


class HostStopwatch:
    """The host's clock, with a wait for the device at both ends of a block."""

    def __init__(self, device: str) -> None:
        self.now = time.perf_counter
        self._waiters = devices.waiters(device)

    def block(self, function: Callable, args: tuple, calls: int) -> float:
        for wait in self._waiters:
            wait()
        start = self.now()
        for _ in repeat(None, calls):
            function(*args)
        for wait in self._waiters:
            wait()
        return self.now() - start


class CudaStopwatch:
    """CUDA events around each call, with the L2 cache flushed before it, so that every run is a cold one.

    The method is that of Triton's ``do_bench``: zeroing a buffer of twice the cache's size evicts the inputs, and the
    zeroing lies outside the pair of events.
    """

    def __init__(self, device: str) -> None:
        import torch

        self.now = time.perf_counter
        self._torch, self._device = torch, device
        cache_bytes = torch.cuda.get_device_properties(device).L2_cache_size
        self._flush = torch.empty(2 * cache_bytes, dtype=torch.int8, device=device).zero_

    def block(self, function: Callable, args: tuple, calls: int) -> float:
        cuda = self._torch.cuda
        with cuda.device(self._device):
            pairs = [(cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)) for _ in range(calls)]
            for start, end in pairs:
                self._flush()
                start.record()
                function(*args)
                end.record()
            cuda.synchronize(self._device)
        return sum(start.elapsed_time(end) for start, end in pairs) / 1e3


def stopwatch(device: str) -> Stopwatch:
    """The most exact clock for ``device``."""
    if device.startswith("cuda") and "torch" in devices.loaded():
        return CudaStopwatch(device)
    return HostStopwatch(device)


@dataclass(frozen=True)
class Comparison:
    """What ``compare`` found: raw samples and the statistics over them.

    Attributes:
        baseline: the contender that ratios are taken against.
        samples: contender → seconds per call, one entry a round, NaN where it sat the round out.
        first_calls: contender → seconds of its very first call, compilation and start-up included.
        min_rounds: how many paired rounds an interval needs.
        device, threads: where it ran.
        errors: contender → the sentence that says why it was not timed.
        out_of_memory: the contenders among ``errors`` that ran out of memory.
        notes: contender → a sentence about how it was timed.
        cancelled: whether it was stopped before its budget was used.
    """

    baseline: str
    samples: Mapping[str, tuple[float, ...]]
    first_calls: Mapping[str, float]
    min_rounds: int
    device: str
    threads: int
    errors: Mapping[str, str] = field(default_factory=dict)
    out_of_memory: frozenset[str] = frozenset()
    notes: Mapping[str, str] = field(default_factory=dict)
    cancelled: bool = False

    def rounds(self, name: str) -> int:
        """Rounds in which ``name`` was timed."""
        return int(np.isfinite(self._all(name)).sum())

    def median_s(self, name: str) -> float:
        """Median seconds per call in the steady state; the first call where no other fitted; NaN where none ran."""
        clean = self._clean(name)
        times = clean[np.isfinite(clean)]
        return float(np.median(times)) if times.size else self.first_calls.get(name, math.nan)

    def quartiles_s(self, name: str) -> tuple[float, float]:
        """Lower and upper quartile of seconds per call; both the median where only one call fitted."""
        clean = self._clean(name)
        times = clean[np.isfinite(clean)]
        if not times.size:
            return (self.median_s(name),) * 2
        low, high = np.percentile(times, [25, 75])
        return float(low), float(high)

    def first_call_s(self, name: str) -> float:
        """Seconds of the very first call, NaN where it never ran."""
        return self.first_calls.get(name, math.nan)

    def ratio(self, name: str) -> Ratio:
        """How many times faster ``name`` is than the baseline."""
        with np.errstate(divide="ignore", invalid="ignore"):
            paired = self._clean(self.baseline) / self._clean(name)
        paired = paired[np.isfinite(paired)]
        if not paired.size:
            return Ratio(self.median_s(self.baseline) / self.median_s(name))
        value = float(np.median(paired))
        if paired.size < self.min_rounds:
            return Ratio(value)
        return Ratio(value, *bootstrap_interval(paired))

    def verdict(self, name: str) -> str:
        """``faster``, ``slower`` or ``same`` as the baseline, or ``unclear`` where the interval does not tell."""
        if name == self.baseline:
            return "same"
        ratio = self.ratio(name)
        if ratio.low is None or ratio.high is None:
            return "unclear"
        if ratio.low > 1 + NEGLIGIBLE:
            return "faster"
        if ratio.high < 1 / (1 + NEGLIGIBLE):
            return "slower"
        return "same" if 1 / (1 + SAME) < ratio.low and ratio.high < 1 + SAME else "unclear"

    def break_even(self, name: str) -> float:
        """Calls after which ``name``, its first call included, has cost less than the baseline; infinity if never."""
        gain = self.median_s(self.baseline) - self.median_s(name)
        if not gain > 0:
            return math.inf
        return float(max(1, math.ceil((self.first_call_s(name) - self.median_s(name)) / gain)))

    @property
    def stall_share(self) -> float:
        """The share of all timed blocks that the machine held up; they are left out of every statistic."""
        timed = sum(self.rounds(name) for name in self.samples)
        kept = sum(int(np.isfinite(self._clean(name)).sum()) for name in self.samples)
        return 1 - kept / timed if timed else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; a round sat out is None."""
        return {
            "baseline": self.baseline,
            "device": self.device,
            "threads": self.threads,
            "stall_share": self.stall_share,
            "cancelled": self.cancelled,
            "contenders": {
                name: {
                    "median_s": self.median_s(name),
                    "quartiles_s": self.quartiles_s(name),
                    "first_call_s": self.first_call_s(name),
                    "ratio": [(ratio := self.ratio(name)).value, ratio.low, ratio.high],
                    "verdict": self.verdict(name),
                    "samples_s": [None if math.isnan(second) else second for second in self.samples[name]],
                }
                for name in self.samples
            },
            "errors": dict(self.errors),
            "notes": dict(self.notes),
        }

    def _all(self, name: str) -> np.ndarray:
        return np.asarray(self.samples.get(name, ()), dtype=float)

    def _clean(self, name: str) -> np.ndarray:
        times = self._all(name).copy()
        if times.size and np.isfinite(times).any():
            times[times > STALL * np.nanmedian(times)] = np.nan
        return times


def bootstrap_interval(paired: np.ndarray) -> tuple[float, float]:
    """The 95 % percentile interval of the median of ``paired``, shape (rounds,), in the order of measurement.

    Resamples runs of neighbouring rounds rather than single ones (moving-block bootstrap, Künsch 1989), since noise on a
    shared machine comes in bursts; the runs are rounds^(1/3) long.
    """
    count = paired.size
    length = max(1, round(count ** (1 / 3)))
    generator = np.random.default_rng(0)
    starts = generator.integers(0, count - length + 1, size=(RESAMPLES, math.ceil(count / length)))
    picks = (starts[:, :, None] + np.arange(length)).reshape(RESAMPLES, -1)[:, :count]
    low, high = np.percentile(np.median(paired[picks], axis=1), [2.5, 97.5])
    return float(low), float(high)


def compare(
    contenders: Mapping[str, Callable],
    args: tuple | Callable[[], tuple] = (),
    *,
    baseline: str | None = None,
    device: str = "cpu",
    threads: int = 1,
    budget_s: float = 3.0,
    min_rounds: int = 9,
    on_progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
) -> Comparison:
    """Time ``contenders`` against each other, in pairs.

    Args:
        contenders: name → function; each is called with ``args``.
        args: the arguments, or a function that makes fresh ones; it is called before each block, off the clock.
        baseline: the contender to take ratios against; the first one unless told.
        device: ``"cpu"``, ``"cuda:0"``, …
        threads: threads an operation may use on the CPU.
        budget_s: seconds to spend; never more than twice this, unless one call alone takes longer.
        min_rounds: paired rounds below which there is no interval and the verdict is ``unclear``.
        on_progress: called with the share of the budget that is used, from 0 to 1.
        cancel: an event; once set, the comparison ends between two calls and returns what it has.

    Raises:
        ComparisonError: for arguments that cannot be timed, in one sentence.
        devices.DeviceMissing: when the device is not there.

    >>> found = compare({"loop": lambda: [i for i in range(99)], "list": lambda: list(range(99))}, budget_s=0.05)
    >>> found.verdict("loop")
    'same'
    """
    _validate(contenders, baseline, budget_s, min_rounds, threads)
    device = devices.require(device)
    with _alone(cancel), devices.threads(threads) as in_force, _no_collection():
        session = _Session(
            contenders=dict(contenders),
            make_args=args if callable(args) else lambda: args,
            baseline=next(iter(contenders)) if baseline is None else baseline,
            stopwatch=stopwatch(device),
            shuffle=random.Random().shuffle,
            budget_s=budget_s,
            min_rounds=min_rounds,
            on_progress=on_progress or (lambda share: None),
            cancelled=cancel.is_set if cancel is not None else lambda: False,
        )
        session.run()
    return session.result(device, in_force)


def _validate(contenders: Any, baseline: Any, budget_s: float, min_rounds: int, threads: int) -> None:
    if not isinstance(contenders, Mapping) or not contenders:
        raise ComparisonError(
            f'There is nothing to compare in {contenders!r}; give at least one contender, as in {{"slow": slow}}.'
        )
    for name, function in contenders.items():
        if not callable(function):
            raise ComparisonError(
                f"The contender {name!r} is {_short(function)}, which cannot be called; give the function itself, "
                "without parentheses after its name."
            )
    if baseline is not None and baseline not in contenders:
        raise ComparisonError(f"The baseline {baseline!r} is no contender; choose one of: {', '.join(contenders)}.")
    if not budget_s > 0:
        raise ComparisonError(f"A budget of {budget_s!r} seconds leaves no time to measure; give a number above 0.")
    if min_rounds < 2:
        raise ComparisonError(f"min_rounds={min_rounds!r} allows no interval; give 2 or more.")
    if threads < 1:
        raise ComparisonError(f"threads={threads!r} cannot compute anything; give 1 or more.")


def _short(value: Any) -> str:
    text = repr(value).splitlines()[0]
    return text if len(text) <= 40 else f"a {type(value).__name__}"


class _alone:
    """Hold the process's one clock; wait for whoever holds it, and stop waiting when cancelled."""

    def __init__(self, cancel: threading.Event | None) -> None:
        self._cancel = cancel
        self._held = False

    def __enter__(self) -> None:
        global _owner
        if _owner == threading.get_ident():
            raise ComparisonError("compare() was called by one of its own contenders; time one thing at a time.")
        while not self._held and not (self._cancel is not None and self._cancel.is_set()):
            self._held = _running.acquire(timeout=0.05)
        if self._held:
            _owner = threading.get_ident()

    def __exit__(self, *_: object) -> None:
        global _owner
        if self._held:
            _owner = None
            _running.release()


class _no_collection:
    """Keep the garbage collector from running inside a block; whoever turned it off before keeps it off."""

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_on:
            gc.enable()


@dataclass
class _Session:
    """One comparison while it runs."""

    contenders: dict[str, Callable]
    make_args: Callable[[], tuple]
    baseline: str
    stopwatch: Stopwatch
    shuffle: Callable[[list], None]
    budget_s: float
    min_rounds: int
    on_progress: Callable[[float], None]
    cancelled: Callable[[], bool]

    def run(self) -> None:
        self.start = self.stopwatch.now()
        self.first_calls: dict[str, float] = {}
        self.shapes: dict[str, tuple | None] = {}
        self.samples: dict[str, list[float]] = {}
        self.estimates: dict[str, float] = {}
        self.errors: dict[str, str] = {}
        self.exhausted: set[str] = set()
        self.notes: dict[str, str] = {}
        self._call_first()
        self._drop_other_shapes()
        self._warm_up()
        self._rounds()
        self.on_progress(1.0)

    def result(self, device: str, threads_in_force: int) -> Comparison:
        for name in self.first_calls:
            timed = sum(not math.isnan(second) for second in self.samples[name])
            if name not in self.errors and timed < self.min_rounds and not self.cancelled():
                self.notes[name] = (
                    f"{name!r} ran {timed or 1} time{'s' if timed > 1 else ''} in the budget, too few for an interval."
                )
        return Comparison(
            baseline=self.baseline,
            samples={name: tuple(times) for name, times in self.samples.items() if name not in self.errors},
            first_calls=self.first_calls,
            min_rounds=self.min_rounds,
            device=device,
            threads=threads_in_force,
            errors=self.errors,
            out_of_memory=frozenset(self.exhausted),
            notes=self.notes,
            cancelled=self.cancelled(),
        )

    def _elapsed(self) -> float:
        return self.stopwatch.now() - self.start

    def _call_first(self) -> None:
        # The baseline goes last: it is usually the slow one, and must not use up the others' only call.
        order = [name for name in self.contenders if name != self.baseline] + [self.baseline]
        for name in order:
            if self.cancelled():
                return
            if self._elapsed() > self.budget_s:
                self.notes[name] = f"{name!r} was not run: the others had used the whole budget."
                continue
            kept: list[Any] = []
            function = self.contenders[name]
            seconds = self._block(name, lambda *args, function=function, kept=kept: kept.append(function(*args)), 1)
            if seconds is not None:
                self.first_calls[name] = self.estimates[name] = seconds
                self.samples[name] = []
                shape = getattr(kept[0], "shape", None)
                self.shapes[name] = None if shape is None else tuple(shape)

    def _drop_other_shapes(self) -> None:
        expected = self.shapes.get(self.baseline)
        for name, shape in self.shapes.items():
            if None not in (expected, shape) and shape != expected:
                self.errors[name] = (
                    f"{name!r} returned shape {shape} where {self.baseline!r} returned {expected}; "
                    "make both compute the same thing before you time them."
                )

    def _warm_up(self) -> None:
        """Run each contender until it gets no faster, within a tenth of the budget for all of them."""
        overhead = min(self.stopwatch.block(_nothing, (), 0) for _ in range(20))
        share = self.budget_s / 10 / max(1, len(self._active()))
        for name in self._active():
            spent, calls = 0.0, 1
            while spent + calls * self.estimates[name] < share and not self.cancelled():
                seconds = self._block(name, self.contenders[name], calls)
                if seconds is None:
                    break
                spent += seconds
                before, self.estimates[name] = self.estimates[name], seconds / calls
                if seconds > overhead / OVERHEAD_SHARE and self.estimates[name] > 0.9 * before:
                    break
                calls *= 2
        self.block_s = max(overhead / OVERHEAD_SHARE, self.budget_s / ROUNDS_WANTED / max(1, len(self._active())))

    def _rounds(self) -> None:
        calls = {name: max(1, math.ceil(self.block_s / max(self.estimates[name], 1e-9))) for name in self._active()}
        while not self.cancelled():
            taking_part = [name for name in self._active() if self._fits(name, calls[name])]
            if not taking_part:
                return
            self.shuffle(taking_part)
            times = dict.fromkeys(self.samples, math.nan)
            for name in taking_part:
                if self.cancelled():
                    break
                seconds = self._block(name, self.contenders[name], calls[name])
                if seconds is not None:
                    times[name] = seconds / calls[name]
            for name, second in times.items():
                self.samples[name].append(second)
            self.on_progress(min(1.0, self._elapsed() / self.budget_s))

    def _fits(self, name: str, calls: int) -> bool:
        """Whether one more block of ``name`` keeps the promise about the budget."""
        block = calls * self.estimates[name]
        timed = sum(not math.isnan(second) for second in self.samples[name])
        still_needed = (self.min_rounds - timed) * block
        if self._elapsed() + block <= self.budget_s:
            return True
        return still_needed > 0 and self._elapsed() + still_needed <= 1.8 * self.budget_s

    def _active(self) -> list[str]:
        return [name for name in self.samples if name not in self.errors]

    def _block(self, name: str, function: Callable, calls: int) -> float | None:
        """Seconds of a block, or None after a contender that raised: it leaves the comparison, the others go on."""
        args = self.make_args()
        try:
            return self.stopwatch.block(function, args, calls)
        except Exception as error:  # a learner's function may raise anything; what it said is kept and shown
            if devices.out_of_memory(error):
                self.exhausted.add(name)
            said = str(error).strip().splitlines()
            self.errors[name] = f"{name!r} raised {type(error).__name__}: {said[0] if said else 'no message'}"
            return None


def _nothing() -> None:
    pass
