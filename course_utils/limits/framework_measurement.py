"""What one framework measures on one device, in order: starting operations, memory rung by rung, products of matrices."""

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
from course_utils.limits.sampling import Probe, Trial, best_rate
from course_utils.timing import Stopwatch

TINY = 64  # bytes: an operation on so few does nothing but start
STARTS_AGAIN = 3  # looks in a pass: what a start seems to take too long, every small rung seems too fast
CHAIN = 64  # starts that an accelerator is given at once: it works on one while the next is being given
MATMUL_S = 0.012  # the product of the largest matrices takes about this long
REFINED = 2  # how often the steps of a ladder are halved where they are steep


class LaunchCosts:
    """What starting one operation of each mix takes; a part of a rung's time that is not the memory's."""

    name = "launch cost"

    def __init__(self, backend: BenchmarkKernels, device: str) -> None:
        self._backend, self._chain = backend, 1 if device == "cpu" else CHAIN
        self.rates: dict[str, list[float]] = {}
        self.idle_s: dict[str, list[float]] = {}

    def beaten(self) -> bool:
        """Never: starting an operation is each framework's own affair."""
        return False

    def look(self, clock: Stopwatch, hurried: bool = False) -> None:
        """One more pass; a hurried one is no shorter, since nothing here takes long."""
        for mix, kernels in self._backend.memory(TINY).items():
            alone = [
                max(best_rate(clock, Trial(Kernel(kernel.run, 1))) for _ in range(STARTS_AGAIN)) for kernel in kernels
            ]
            before_s = self.idle_s.get(mix, [math.inf] * len(kernels))
            self.idle_s[mix] = [min(known_s, 1 / rate) for known_s, rate in zip(before_s, alone)]
            chained = alone
            if self._chain > 1:
                chained = [
                    best_rate(clock, Trial(Kernel(partial(_repeated, kernel.run, self._chain), self._chain)))
                    for kernel in kernels
                ]
            self.rates.setdefault(f"start {mix}", []).append(max(chained))


class FrameworkMeasurement:
    """One framework's measurement on one device.

    Args:
        rivals: figure → the rate that another framework has reached; its rungs are those of the other's.
    """

    def __init__(self, backend: BenchmarkKernels, device: str, clock: Stopwatch, rivals: Mapping[str, float]) -> None:
        self._backend, self._clock, self._rivals = backend, clock, rivals
        self._starts = LaunchCosts(backend, device)
        sizes = {int(which) for kind, _, which in (name.partition(" ") for name in rivals) if kind in MIXES}
        self._settled = bool(sizes) or not backend.climbs
        self._rungs = {
            size: self._rung(size) for size in sorted(sizes or measured_sizes.initial_sizes(device)) if backend.climbs
        }
        self._products: list[Probe] = []
        for dtype in DTYPES:
            kernels = matmul_kernels(backend, dtype, clock)
            if kernels:
                trials: Callable[[], dict[str, list[Trial]]] = partial(
                    dict, {f"matmul {dtype}": [Trial(kernel) for kernel in reversed(kernels)]}
                )
                self._products.append(Probe(f"matmul peak in {dtype}", trials, rivals))

    def run(self, seconds: float, say: Callable[[float, str], None]) -> None:
        """One pass over all figures, then as many more as there is time for.

        Where nothing is known yet, a first pass that has used up the time goes on in a hurry: no figure is left without a
        look.
        """
        start = self._clock.now()
        for number in count():
            for probe in self._in_turn():
                spent_s = self._clock.now() - start
                over = spent_s >= seconds
                if over and (number or self._rivals and probe is not self._starts):
                    return
                if not probe.beaten():
                    say(1.0 if over else spent_s / seconds, probe.name)
                    probe.look(self._clock, hurried=over)

    def rates(self) -> dict[str, list[float]]:
        """Figure → the best rate of each pass, per second, for those of which anything could be said."""
        probes: list[LaunchCosts | Probe] = [self._starts, *self._rungs.values(), *self._products]
        return {name: rates for probe in probes for name, rates in probe.rates.items() if rates}

    def _in_turn(self) -> Iterator[LaunchCosts | Probe]:
        yield self._starts
        yield from self._products
        yield from list(self._rungs.values())
        for _ in range(0 if self._settled else REFINED):
            more: dict[int, Probe] = {
                size: self._rung(size) for size in measured_sizes.refinement_sizes(self._so_far())
            }
            yield from more.values()
            self._rungs = dict(sorted((self._rungs | more).items()))
        self._settled = True

    def _rung(self, size: int) -> Probe:
        return Probe(f"memory bandwidth at {format_bytes(size)}", partial(self._trials, size), self._rivals)

    def _trials(self, size: int) -> dict[str, list[Trial]]:
        """What is tried for a rung: nothing where there is no room for it."""
        try:
            memory = self._backend.memory(size)
        except Exception:  # noqa: BLE001 - each framework has its own error for memory that it cannot have
            return {}
        return {
            f"{mix} {size}": [Trial(kernel, seconds) for kernel, seconds in zip(kernels, self._starts.idle_s[mix])]
            for mix, kernels in memory.items()
        }

    def _so_far(self) -> list[dict[int, float]]:
        ladders: dict[str, dict[int, float]] = {}
        for size, probe in self._rungs.items():
            for name, rates in probe.rates.items():
                if rates:
                    ladders.setdefault(name.partition(" ")[0], {})[size] = rates[-1]
        return list(ladders.values())


def matmul_kernels(backend: BenchmarkKernels, dtype: str, clock: Stopwatch) -> list[Kernel]:
    """Products of growing matrices, up to the size that takes ``MATMUL_S``; none where the dtype is not supported."""
    kernels: list[Kernel] = []
    n = 64
    last_s = 0.0
    while 8 * last_s < MATMUL_S:
        try:
            kernel = backend.matmul(dtype, n)
            kernel.run()
        except Exception:  # noqa: BLE001 - each framework has its own error for what it cannot multiply or hold
            break
        kernels.append(kernel)
        last_s = clock.block(kernel.run, (), 1)
        n *= 2
    return kernels[-3:]


def _repeated(run: Callable[[], Any], times: int) -> None:
    for _ in repeat(None, times):
        run()
