"""``FrameworkMeasurement``: measures a framework on a device: launch costs, dependent steps, products, bandwidth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count, repeat
from typing import Any

from course_utils.core.wording import format_bytes
from course_utils.limits import measured_sizes
from course_utils.limits.benchmark_kernels import BenchmarkKernels, Kernel
from course_utils.limits.cost import DTYPES, MIXES
from course_utils.limits.matmul_probe import MatmulProbe
from course_utils.limits.sampling import Probe, Trial, best_rate
from course_utils.timing import Stopwatch

TINY = 64  # so few bytes that the time of an operation is its launch cost
CHAINED_LAUNCHES = 64  # calls per block; an accelerator works on one while the next is prepared
STEP_COUNT = 16_384  # dependent steps in one call: far longer than its launch
REFINEMENTS = 2  # rounds in which sizes are added between neighbors whose bandwidths differ much


class LaunchCosts:
    """Measures the seconds of one operator call of each mix; other probes subtract this cost from their times.

    Attributes:
        rates: figure → calls per second in each pass. The host prepares the next call while an accelerator works.
        single_s: mix → seconds of a single call of each kernel, the least so far.
    """

    name = "launch cost"

    def __init__(self, kernels: BenchmarkKernels, device: str) -> None:
        self._kernels, self._on_cpu = kernels, device == "cpu"
        self.rates: dict[str, list[float]] = {}
        self.single_s: dict[str, list[float]] = {}

    def is_outperformed(self) -> bool:
        """Return False, because each framework has its own launch cost."""
        return False

    def sample(self, clock: Stopwatch, hurried: bool = False) -> None:
        """Run one more pass; ``hurried`` changes nothing, because a pass is short."""
        for mix, kernels in self._kernels.memory(TINY).items():
            chained = [_launch_rate(clock, kernel, CHAINED_LAUNCHES) for kernel in kernels]
            single = chained if self._on_cpu else [_launch_rate(clock, kernel, 1) for kernel in kernels]
            before_s = self.single_s.get(mix, [math.inf] * len(kernels))
            self.single_s[mix] = [min(known_s, 1 / rate) for known_s, rate in zip(before_s, single)]
            self.rates.setdefault(f"launch {mix}", []).append(max(chained))


def _launch_rate(clock: Stopwatch, kernel: Kernel, calls: int) -> float:
    return best_rate(clock, Trial(Kernel(partial(_repeat, kernel.run, calls), calls)))


AnyProbe = LaunchCosts | MatmulProbe | Probe


class FrameworkMeasurement:
    """One framework's measurement on one device.

    Args:
        kernels: the framework's kernels.
        device: what is measured.
        clock: the device's stopwatch.
        known_rates: figure → the rate that other frameworks reached; bandwidth is measured at their working sets.
    """

    def __init__(
        self, kernels: BenchmarkKernels, device: str, clock: Stopwatch, known_rates: Mapping[str, float]
    ) -> None:
        self._kernels, self._clock, self._known_rates = kernels, clock, known_rates
        self._launches = LaunchCosts(kernels, device)
        sizes = {int(which) for kind, _, which in (name.partition(" ") for name in known_rates) if kind in MIXES}
        self._sizes_are_final = bool(sizes) or not kernels.measures_bandwidth
        self._bandwidths = {
            size: self._bandwidth_probe(size)
            for size in sorted(sizes or measured_sizes.initial_sizes(device))
            if kernels.measures_bandwidth
        }
        self._steps = [
            Probe("dependent steps", partial(_fixed_trials, "steps", [kernel]), known_rates)
            for kernel in kernels.steps(STEP_COUNT)
        ]
        self._products = [
            MatmulProbe(kernels, device, dtype, known_rates.get(f"matmul {dtype}", 0.0)) for dtype in DTYPES
        ]

    def run(self, seconds: float, report: Callable[[float, str], None]) -> None:
        """Run one pass over all figures, then as many more as the time allows, products last.

        After ``seconds`` the first pass still completes, hurried, for the figures that no other framework has measured.
        """
        start = self._clock.now()
        own_figures = (self._launches, *self._steps)
        for number in count():
            for probe in self._probes(first=number == 0):
                spent_s = self._clock.now() - start
                over = spent_s >= seconds
                if over and (number or self._known_rates and probe not in own_figures):
                    return
                if not probe.is_outperformed():
                    report(1.0 if over else spent_s / seconds, probe.name)
                    probe.sample(self._clock, hurried=over)

    def rates(self) -> dict[str, list[float]]:
        """Return figure → the best rate of each pass, per second; figures without a valid rate are left out."""
        probes: list[AnyProbe] = [
            self._launches,
            *self._steps,
            *self._bandwidths.values(),
            *self._products,
        ]
        return {name: rates for probe in probes for name, rates in probe.rates.items() if rates}

    def _probes(self, first: bool) -> Iterator[AnyProbe]:
        """Yield the probes of one pass; the first one also finds the working sets of the later ones."""
        if not first:
            yield self._launches
            yield from self._steps
            yield from self._bandwidths.values()
        for probe in (*(self._steps if first else ()), *self._products):
            yield self._launches  # Repeated, because too high a launch cost makes small working sets seem too fast.
            yield probe
        if first:
            yield self._launches
            yield from self._first_bandwidths()

    def _first_bandwidths(self) -> Iterator[Probe]:
        """Yield the probes of the initial working sets, then those that are added where the bandwidth falls steeply."""
        yield from list(self._bandwidths.values())
        for _ in range(0 if self._sizes_are_final else REFINEMENTS):
            sizes = measured_sizes.refinement_sizes(self._latest_curves())
            added = {size: self._bandwidth_probe(size) for size in sizes}
            yield from added.values()
            self._bandwidths = dict(sorted((self._bandwidths | added).items()))

    def _bandwidth_probe(self, size: int) -> Probe:
        name = f"memory bandwidth at {format_bytes(size)}"
        return Probe(name, partial(self._memory_trials, size), self._known_rates)

    def _memory_trials(self, size: int) -> dict[str, list[Trial]]:
        """Return the trials of a working set; none if it doesn't fit into the device's memory."""
        try:
            memory = self._kernels.memory(size)
        except Exception:  # noqa: BLE001 - each framework has its own error for too little memory
            return {}
        return {
            f"{mix} {size}": [Trial(kernel, seconds) for kernel, seconds in zip(kernels, self._launches.single_s[mix])]
            for mix, kernels in memory.items()
        }

    def _latest_curves(self) -> list[dict[int, float]]:
        curves: dict[str, dict[int, float]] = {}
        for size, probe in self._bandwidths.items():
            for name, rates in probe.rates.items():
                if rates:
                    curves.setdefault(name.partition(" ")[0], {})[size] = rates[-1]
        return list(curves.values())


def _fixed_trials(figure: str, kernels: list[Kernel]) -> dict[str, list[Trial]]:
    return {figure: [Trial(kernel) for kernel in kernels]}


def _repeat(run: Callable[[], Any], times: int) -> None:
    for _ in repeat(None, times):
        run()
