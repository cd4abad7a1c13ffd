"""The peaks of a machine, the cost of a piece of work, and the bound that follows from both: plain values, no measuring.

This is the roofline model (Williams, Waterman, Patterson 2009) with two additions: the bandwidth depends on how much memory
is touched, and starting an operation has a price.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from course_utils.ground.errors import CourseError

DTYPES = ("float32", "float64", "bfloat16", "float16")


class CostError(CourseError):
    """A ``Cost`` that no work can have."""


@dataclass(frozen=True)
class Cost:
    """The least that any implementation of some work must do.

    Attributes:
        bytes: memory that must be read plus memory that must be written, each input and each output counted once.
        flops: floating-point operations of matrix products; a multiplication and its addition are two.
        launches: tensor operations that must be started one after the other.
        dtype: the type that the matrix products compute in.
    """

    bytes: float = 0
    flops: float = 0
    launches: float = 0
    dtype: str = "float32"

    def __post_init__(self) -> None:
        for name in ("bytes", "flops", "launches"):
            if not getattr(self, name) >= 0:
                raise CostError(f"A cost of {getattr(self, name)!r} {name} cannot be; give a number that is 0 or more.")
        if self.flops and self.dtype not in DTYPES:
            raise CostError(f"There is no matmul peak for dtype {self.dtype!r}; choose one of: {', '.join(DTYPES)}.")


@dataclass(frozen=True)
class Peaks:
    """The best that was measured on one device with a number of threads.

    Attributes:
        device, threads: what was measured.
        ladder: (bytes read plus written by one operation, bytes per second), from small to large; the best of several
            operations that read, write or do both, so that no mix of the two can beat it.
        matmul: dtype → floating-point operations per second of a square matrix product, for the dtypes that run here.
        launch_s: seconds that the smallest tensor operation takes, in the framework that is quickest at it.
        frameworks: what was installed and took part.
        date: when it was measured, as ``"2026-11-20 18:45"``.
        versions: name → version of Python and the frameworks.
        machine: what ``devices.describe`` called the device.
        launches_s: framework → seconds of its smallest operation.
    """

    device: str
    threads: int
    ladder: tuple[tuple[int, float], ...]
    matmul: Mapping[str, float]
    launch_s: float
    frameworks: tuple[str, ...]
    date: str
    versions: Mapping[str, str]
    machine: str = ""
    launches_s: Mapping[str, float] = field(default_factory=dict)

    def bytes_per_s(self, working_set: float) -> float:
        """The bandwidth that ``working_set`` bytes could have: the best rung from the one just below upwards.

        A smaller working set is never slower in itself; where its rung is, that is launch cost, which ``bound`` counts
        apart. And a value between two rungs would be too low just before the ladder falls off a cache.
        """
        below = [size for size, _ in self.ladder if size <= working_set] or [0]
        return max(speed for size, speed in self.ladder if size >= below[-1])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Peaks:
        """The inverse of ``to_dict``; raises KeyError, TypeError or ValueError for data of another form."""
        ladder = tuple((int(size), float(speed)) for size, speed in data["ladder"])
        return cls(**{**data, "ladder": ladder, "frameworks": tuple(data["frameworks"])})


@dataclass(frozen=True)
class Bound:
    """The least time that some work can take, and which peak says so."""

    seconds: float
    binding: str


def bound(cost: Cost, peaks: Peaks, framework: str | None = None) -> Bound:
    """The least seconds that work of this cost can take on the machine with these peaks.

    ``framework`` is the one that starts the operations, None for the quickest. ``binding`` is ``"memory bandwidth"``, ``"matmul peak"`` or ``"launch cost"``. A dtype whose product does not run on the
    machine does not bind.
    """
    times = {
        "memory bandwidth": cost.bytes / peaks.bytes_per_s(cost.bytes),
        "matmul peak": cost.flops / peaks.matmul[cost.dtype] if cost.dtype in peaks.matmul else 0.0,
        "launch cost": cost.launches * peaks.launches_s.get(framework or "", peaks.launch_s),
    }
    binding = max(times, key=times.__getitem__)
    return Bound(times[binding], binding)
