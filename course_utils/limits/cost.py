"""``Cost``: the least that some work must do, and what mix of reading and writing it is. It knows no machine."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from course_utils.core.errors import CourseError

DTYPES = ("float32", "tf32", "float64", "bfloat16", "float16")

READ, ADD, COPY, WRITE, UPDATE = "read", "add", "copy", "write", "update"
WRITTEN_SHARE = {READ: 0.0, ADD: 1 / 3, COPY: 1 / 2, WRITE: 1.0}
"""The mixes of plain reading and writing that are measured, and the share of each that is written."""

MIXES = (*WRITTEN_SHARE, UPDATE)


class CostError(CourseError):
    """A ``Cost`` that no work can have."""


@dataclass(frozen=True)
class Cost:
    """The least that any implementation of some work must do.

    Memory is counted once, each byte of each input and output: what is only read is in ``reads``, what is only written in
    ``writes``, and what is changed where it lies is in ``updates``, and in neither of the others. So ``y = x + 1`` of n
    float32 numbers reads 4n bytes and writes 4n, ``x += 1`` updates 4n, and ``x += y`` reads 4n and updates 4n.

    Attributes:
        reads: bytes that must be read.
        writes: bytes that must be written.
        updates: bytes that must be read and written back in place.
        flops: floating-point operations of matrix products; a multiplication and its addition are two.
        launches: tensor operations that must be started one after the other; 0 where the work may be done with none.
        dtype: the type that the matrix products compute in; ``"tf32"`` is float32 of which the device drops digits.
    """

    reads: float = 0
    writes: float = 0
    updates: float = 0
    flops: float = 0
    launches: float = 1
    dtype: str = "float32"

    def __post_init__(self) -> None:
        for name in ("reads", "writes", "updates", "flops", "launches"):
            if not getattr(self, name) >= 0:
                raise CostError(f"A cost of {getattr(self, name)!r} {name} cannot be; give a number that is 0 or more.")
        if self.flops and self.dtype not in DTYPES:
            raise CostError(f"There is no matmul peak for dtype {self.dtype!r}; choose one of: {', '.join(DTYPES)}.")

    @property
    def touched(self) -> float:
        """The bytes of memory that the work needs, each once."""
        return self.reads + self.writes + self.updates

    def mix(self) -> dict[str, float]:
        """The measured mixes that make up this one, each with its share of the bytes; none where no memory is touched."""
        if not self.touched:
            return {}
        shares = {UPDATE: self.updates / self.touched} if self.updates else {}
        plain = self.reads + self.writes
        if plain:
            for name, share in _between(self.writes / plain).items():
                shares[name] = share * plain / self.touched
        return shares


def _between(written: float) -> dict[str, float]:
    """The two neighbours of a mix of which the share ``written`` is written, and how much of each there is in it."""
    names = list(WRITTEN_SHARE)
    for lower, upper in pairwise(names):
        low, high = WRITTEN_SHARE[lower], WRITTEN_SHARE[upper]
        if written <= high:
            part = (written - low) / (high - low)
            return {name: share for name, share in ((lower, 1 - part), (upper, part)) if share}
    return {names[-1]: 1.0}
