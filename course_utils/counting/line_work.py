"""``LineWork``: what one line did in one call, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from course_utils.counting.minimum_traffic import NOTHING, Move


@dataclass(frozen=True)
class LineWork:
    """What one line did in one call, in all of its runs.

    Attributes:
        runs: times that the line was begun.
        ops: tensor operations run, views and those inside a graph included.
        launches: tensor operations that Python started one by one; a call of a TensorFlow graph is one.
        reads, writes: bytes that operations read and wrote; a view moves none.
        fresh: bytes of new tensors, also of those freed again before the call ended.
        waits: times that Python waited for a value, or that a shape depended on one.
        transfers: times that torch was asked for a tensor on a device.
        traces: graphs traced or compiled.
        faults: pages of memory that the system had to provide; 0 where it does not tell.
        flops: floating-point operations of matrix products.
        dtype: the one in which most of them were computed.
        moves: what operations moved, and how many moved just that.
        least: what any way to write the line must move: its inputs from other lines and what others use of its results.
        seconds: name of an operation → seconds in which such ones ran while they were counted: a hint, no measurement.
        grown: bytes of new tensors that hold what an earlier run of the line had made, and more.
        tensors: tensors that operations took and gave back.
        compiled: calls of a graph or of compiled code, which is seen as a whole.
        escapes: the ways by which values came to Python, each with how often.
        arrivals: type → objects of it that were handed over to be made tensors.
    """

    runs: int = 0
    ops: int = 0
    launches: int = 0
    reads: int = 0
    writes: int = 0
    fresh: int = 0
    waits: int = 0
    transfers: int = 0
    traces: int = 0
    faults: int = 0
    flops: int = 0
    dtype: str = "float32"
    moves: Mapping[Move, int] = field(default_factory=dict)
    least: Move = NOTHING
    seconds: Mapping[str, float] = field(default_factory=dict)
    grown: int = 0
    tensors: int = 0
    compiled: int = 0
    escapes: Mapping[str, int] = field(default_factory=dict)
    arrivals: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: the counts alone."""
        told = (
            "runs",
            "ops",
            "launches",
            "reads",
            "writes",
            "fresh",
            "waits",
            "transfers",
            "traces",
            "faults",
            "flops",
        )
        return {name: getattr(self, name) for name in told}
