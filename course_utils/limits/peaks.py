"""``Peaks``: the best that was measured on one device, as plain values. Nothing here measures, and nothing asks the disk."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from course_utils.limits.cost import COPY, UPDATE, WRITE, Cost

Ladder = tuple[tuple[int, float], ...]

FORMAT = 2  # of what ``to_dict`` writes; 1 knew nothing of mixes


class OtherFormat(ValueError):
    """The data were written by another version of the course."""


@dataclass(frozen=True)
class Peaks:
    """The best that was measured on one device with a number of threads.

    Attributes:
        device, threads: what was measured.
        ladders: mix of reading and writing → its rungs, from small to large: (bytes of memory that one operation touches,
            bytes per second). The time that starting the operation takes is not in it.
        starts_s: framework → mix → seconds that starting one of its operations takes, the quickest of that mix.
        matmul: dtype → floating-point operations per second of a square matrix product, for the dtypes that run here.
        frameworks: what was installed and took part.
        date: when it was measured, as ``"2026-11-20 18:45"``.
        versions: name → version of Python and the frameworks.
        machine: what ``devices.describe`` called the device.
        uncertain: the figures that were not reached twice: ``"copy 65536"``, ``"matmul float32"``,
            ``"start copy torch"``.
    """

    device: str
    threads: int
    ladders: Mapping[str, Ladder]
    starts_s: Mapping[str, Mapping[str, float]]
    matmul: Mapping[str, float]
    frameworks: tuple[str, ...]
    date: str
    versions: Mapping[str, str]
    machine: str = ""
    uncertain: tuple[str, ...] = ()

    @property
    def ladder(self) -> Ladder:
        """The rungs of a plain copy."""
        return self.ladders[COPY]

    @property
    def launches_s(self) -> dict[str, float]:
        """Framework → seconds of its smallest operation."""
        return {name: min(starts.values()) for name, starts in self.starts_s.items()}

    @property
    def launch_s(self) -> float:
        """Seconds of the smallest tensor operation; an operation on arrays is one only where there is no framework."""
        return self.launches_s[self.quickest()]

    def quickest(self) -> str:
        """The framework that starts a tensor operation first."""
        launches_s = self.launches_s
        tensors = [name for name in launches_s if name != "numpy"]
        return min(tensors or launches_s, key=launches_s.__getitem__)

    def memory_s(self, cost: Cost) -> float:
        """Seconds that the memory needs for the work, once it has been started."""
        return cost.touched * sum(share * self._s_per_byte(mix, cost.touched) for mix, share in cost.mix().items())

    def start_s(self, cost: Cost, framework: str | None = None) -> float:
        """Seconds that starting one operation of the work's mix takes in a framework, None for the quickest."""
        starts = self.starts_s[self._starting(framework)]
        mix = cost.mix()
        if not mix:
            return min(starts.values())
        return sum(share * starts[_measured(name, starts)] for name, share in mix.items())

    def memory_figures(self, cost: Cost) -> set[str]:
        """The figures that ``memory_s`` rests on, named as in ``uncertain``."""
        return {
            f"{_measured(mix, self.ladders)} {size}" for mix in cost.mix() for size, _ in self._rungs(mix, cost.touched)
        }

    def start_figures(self, cost: Cost, framework: str | None = None) -> set[str]:
        """The figures that ``start_s`` rests on, named as in ``uncertain``."""
        name = self._starting(framework)
        starts = self.starts_s[name]
        mixes = [_measured(mix, starts) for mix in cost.mix()] or [min(starts, key=starts.__getitem__)]
        return {f"start {mix} {name}" for mix in mixes}

    def _starting(self, framework: str | None) -> str:
        return framework if framework is not None and self.starts_s.get(framework) else self.quickest()

    def _rungs(self, mix: str, touched: float) -> Ladder:
        """The two rungs between which a size lies; beyond the ends, the last one."""
        rungs = self.ladders[_measured(mix, self.ladders)]
        after = bisect_right(rungs, touched, key=lambda rung: rung[0])
        return rungs[max(0, after - 1) : after + 1] if after < len(rungs) else rungs[-1:]

    def _s_per_byte(self, mix: str, touched: float) -> float:
        """Between two rungs in proportion to the logarithm of the size; beyond the ends, what the last rung says."""
        (below, slower), *larger = self._rungs(mix, touched)
        if not larger:
            return 1 / slower
        above, faster = larger[0]
        part = math.log(touched / below) / math.log(above / below)
        return (1 - part) / slower + part / faster

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Peaks:
        """The inverse of ``to_dict``.

        Raises:
            OtherFormat: for what another version of the course has written.
            KeyError, TypeError, ValueError, AttributeError: for data of no form at all.
        """
        values = dict(data)
        if "device" in values and values.get("format") != FORMAT:
            raise OtherFormat
        values.pop("format")
        ladders = {
            mix: tuple((int(size), float(speed)) for size, speed in rungs) for mix, rungs in values["ladders"].items()
        }
        for name in ("frameworks", "uncertain"):
            values[name] = tuple(values[name])
        return cls(**{**values, "ladders": ladders})


def _measured(mix: str, among: Mapping[str, Any]) -> str:
    """``mix`` itself; a framework without operations in place has only those that write."""
    return WRITE if mix == UPDATE and mix not in among else mix
