"""``Peaks``: the best rates that were measured on one device. Plain values; this module measures nothing and reads no
file.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

from course_utils.limits.cost import ACCESSES, COPY, UPDATE, WRITTEN_SHARE, Cost

BandwidthCurve = tuple[tuple[int, float], ...]
"""Bytes of the working set and bytes per second, by growing working set."""

COPYING = Cost(reads=1, writes=1)
"""Work that reads and writes, as most work does: a single figure for the launch cost is the cost of this work."""


@dataclass(frozen=True)
class Peaks:
    """The best rates that were measured on one device with a number of threads.

    Attributes:
        device, threads: what was measured.
        bandwidths: mix of reading and writing → bandwidth by working set, without the launch cost. A larger working set
            is never faster.
        launches_s: framework → mix → seconds of the quickest operator call of that mix.
        matmul: dtype → floating-point operations per second of a matrix product, for the dtypes that this device
            supports.
        frameworks: the frameworks that took part.
        date: when it was measured, as ``"2026-11-20 18:45"``.
        versions: name → version of Python and the frameworks.
        machine: the device's name, from ``devices.describe``.
        step_s: seconds of one arithmetic step that waits for the step before; 0 if it was not measured, as on
            accelerators.
        uncertain: the figures with which no second measurement agrees: ``"copy 65536"``, ``"matmul float32"``,
            ``"launch copy torch"``, ``"steps"``.
    """

    device: str
    threads: int
    bandwidths: Mapping[str, BandwidthCurve]
    launches_s: Mapping[str, Mapping[str, float]]
    matmul: Mapping[str, float]
    frameworks: tuple[str, ...]
    date: str
    versions: Mapping[str, str]
    machine: str = ""
    step_s: float = 0.0
    uncertain: tuple[str, ...] = ()

    @property
    def copy_bandwidths(self) -> BandwidthCurve:
        """Return the bandwidth of a plain copy by working set."""
        return self.bandwidths[COPY]

    def memory_s(self, cost: Cost) -> float:
        """Return the seconds that the memory needs for the work, without calls.

        A mix of reads and writes between two measured mixes is interpolated. If a measured operation moves more bytes
        in less time, its time is used, so more bytes never take less time.
        """
        return self._updates_s(cost) + self._fastest_mixes(cost)[0]

    def memory_figures(self, cost: Cost) -> set[str]:
        """Return the figures that ``memory_s`` uses, named as in ``uncertain``."""
        mixes = {*self._fastest_mixes(cost)[1], *([self._update_mix] if cost.updates else [])}
        return {f"{mix} {size}" for mix in mixes for size, _ in _neighbors(self.bandwidths[mix], cost.working_set)}

    def launch_s(self, cost: Cost, framework: str | None = None) -> float:
        """Return the seconds of one operator call for this work, in a framework or, for None, in the quickest one.

        Only the kinds of access count: reads, writes, updates. The result is the time of the quickest measured operation
        that has all of them. If no operation has all of them, the result is the largest time among the measured
        combinations.
        """
        return self._launch(cost, framework)[0]

    def launch_figure(self, cost: Cost, framework: str | None = None) -> str:
        """Return the figure that ``launch_s`` uses, named as in ``uncertain``."""
        return self._launch(cost, framework)[1]

    def _launch(self, cost: Cost, framework: str | None) -> tuple[float, str]:
        if framework is not None and self.launches_s.get(framework):
            return self._framework_launch(cost, framework)
        tensor_frameworks = [name for name in self.launches_s if name != "numpy"]
        return min(self._framework_launch(cost, name) for name in tensor_frameworks or self.launches_s)

    def _framework_launch(self, cost: Cost, framework: str) -> tuple[float, str]:
        launches_s = self.launches_s[framework]
        needed = cost.accesses
        if "updates" in needed and UPDATE not in launches_s:  # this framework updates nothing in place
            needed = needed - {"updates"} | {"writes"}
        parts = (frozenset(part) for size in range(len(needed) + 1) for part in combinations(sorted(needed), size))
        quickest = (
            min((launches_s[mix], mix) for mix in launches_s if part <= ACCESSES[mix])
            for part in parts
            if any(part <= ACCESSES[mix] for mix in launches_s)
        )
        seconds, mix = max(quickest)
        return seconds, f"launch {mix} {framework}"

    @property
    def _update_mix(self) -> str:
        """Return the mix that stands for updates: a write if nothing was measured in place."""
        return next(mix for mix in (UPDATE, "write", COPY) if mix in self.bandwidths)

    def _updates_s(self, cost: Cost) -> float:
        return cost.updates * self._s_per_byte(self._update_mix, cost.working_set) if cost.updates else 0.0

    def _fastest_mixes(self, cost: Cost) -> tuple[float, tuple[str, ...]]:
        """Return the seconds and the names of the fastest measured mixes that move at least the cost's bytes."""
        if not cost.reads and not cost.writes:
            return 0.0, ()
        return min(self._sufficient_mixes(cost))

    def _sufficient_mixes(self, cost: Cost) -> Iterator[tuple[float, tuple[str, ...]]]:
        """Yield the seconds of one mix that moves at least the cost's bytes, and of two neighboring mixes that move
        exactly those.

        Example: 2 MB read and 1 MB written. An addition (2:1) moves just that; a copy (1:1) would move 4 MB. 3 MB read
        and 1 MB written lie between a read (1:0) and an addition (2:1): 1 MB of the read and 3 MB of the addition.
        """
        plain, shares = (
            cost.reads + cost.writes,
            {mix: WRITTEN_SHARE[mix] for mix in WRITTEN_SHARE if mix in self.bandwidths},
        )
        s_per_byte = {mix: self._s_per_byte(mix, cost.working_set) for mix in shares}
        for mix, share in shares.items():
            amounts = [(cost.reads, 1 - share), (cost.writes, share)]
            if all(part for amount, part in amounts if amount):
                yield max(amount / part for amount, part in amounts if amount) * s_per_byte[mix], (mix,)
        for low, high in pairwise(shares):
            part = (cost.writes / plain - shares[low]) / (shares[high] - shares[low])
            if 0 < part < 1:
                yield plain * ((1 - part) * s_per_byte[low] + part * s_per_byte[high]), (low, high)

    def _s_per_byte(self, mix: str, working_set: float) -> float:
        """Return the seconds per byte, interpolated in the logarithm of the working set; constant beyond the curve's
        ends.
        """
        (below, rate_below), *larger = _neighbors(self.bandwidths[mix], working_set)
        if not larger:
            return 1 / rate_below
        above, rate_above = larger[0]
        part = math.log(working_set / below) / math.log(above / below)
        return (1 - part) / rate_below + part / rate_above


def _neighbors(curve: BandwidthCurve, working_set: float) -> BandwidthCurve:
    """Return the points of the curve on both sides of a working set; a single one beyond its ends."""
    after = bisect_right(curve, working_set, key=lambda point: point[0])
    return curve[max(0, after - 1) : after + 1] if after < len(curve) else curve[-1:]
