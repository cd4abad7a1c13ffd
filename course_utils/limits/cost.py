"""``Cost``: the least that any implementation of some work must do. It knows no machine."""

from __future__ import annotations

from dataclasses import dataclass

from course_utils.core.errors import CourseError

DTYPES = ("float32", "tf32", "float64", "bfloat16", "float16")

READ, ADD, COPY, WRITE, UPDATE = "read", "add", "copy", "write", "update"
WRITTEN_SHARE = {READ: 0.0, ADD: 1 / 3, COPY: 1 / 2, WRITE: 1.0}
"""The measured mixes of reading and writing, and the share of the bytes that each one writes."""

MIXES = (*WRITTEN_SHARE, UPDATE)
ACCESSES = {
    READ: frozenset({"reads"}),
    ADD: frozenset({"reads", "writes"}),
    COPY: frozenset({"reads", "writes"}),
    WRITE: frozenset({"writes"}),
    UPDATE: frozenset({"updates"}),
}
"""Mix → which of a cost's amounts of memory its operations have."""


class CostError(CourseError):
    """A ``Cost`` that no work can have."""


@dataclass(frozen=True)
class Cost:
    """The least that any implementation of some work must do.

    Each byte of each input and output counts once: in ``reads`` if it is only read, in ``writes`` if it is only
    written, in ``updates`` if it is changed in place. So ``y = x + 1`` with n float32 elements reads 4n bytes and
    writes 4n; ``x += 1`` updates 4n; ``x += y`` reads 4n and updates 4n.

    Attributes:
        reads: bytes that must be read.
        writes: bytes that must be written.
        updates: bytes that must be read and written back in place.
        flops: floating-point operations; a multiplication and its addition are two.
        launches: operator calls that must follow one another; 0 if the work needs none.
        dtype: the dtype that the flops compute in; ``"tf32"`` is float32 with a shorter mantissa on tensor cores.
        chain: the longest chain of arithmetic steps that any implementation has, each of which needs the result of the
            step before. ``x = r * x * (1 - x)``, repeated n times, has 2n: ``1 - x`` and ``r * x`` overlap. A sum of n
            elements has only log2(n), because it can be split.
    """

    reads: float = 0
    writes: float = 0
    updates: float = 0
    flops: float = 0
    launches: float = 1
    dtype: str = "float32"
    chain: float = 0

    def __post_init__(self) -> None:
        for name in ("reads", "writes", "updates", "flops", "launches", "chain"):
            if not getattr(self, name) >= 0:
                raise CostError(f"A cost's {name} must be 0 or more; got {name}={getattr(self, name)!r}.")
        if self.flops and self.dtype not in DTYPES:
            raise CostError(f"There is no matmul peak for dtype {self.dtype!r}; choose one of: {', '.join(DTYPES)}.")

    @property
    def working_set(self) -> float:
        """Return the bytes of memory that the work uses, each counted once."""
        return self.reads + self.writes + self.updates

    @property
    def accesses(self) -> frozenset[str]:
        """Return which of ``"reads"``, ``"writes"`` and ``"updates"`` the work has."""
        return frozenset(name for name in ("reads", "writes", "updates") if getattr(self, name))
