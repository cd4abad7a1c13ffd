"""``count_lines``: what one call does, line by line of the learner's code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from typing import Any

from course_utils import frameworks
from course_utils.counting.ledger import NOTHING, Ledger, Move, OutOfTime, Work
from course_utils.counting.own_code import OwnCode, Place
from course_utils.counting.tally import SCALAR_READS


@dataclass(frozen=True)
class LineCounts:
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
        waiting_s: the part of them in operations for whose values Python waited.
        grown: bytes of new tensors that hold what an earlier run of the line had made, and more.
        tensors: tensors that operations took and gave back.
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
    waiting_s: float = 0.0
    grown: int = 0
    tensors: int = 0
    escapes: Mapping[str, int] = field(default_factory=dict)
    arrivals: Mapping[str, int] = field(default_factory=dict)

    def of(self, runs: int, faults: int) -> LineCounts:
        """The same, with what the counters cannot see."""
        return replace(self, runs=runs, faults=faults)

    @property
    def whole_tensors(self) -> int:
        """Times that all values of a tensor came to Python."""
        return sum(number for name, number in self.escapes.items() if name not in SCALAR_READS)

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


@dataclass(frozen=True)
class CountedLines:
    """What ``count_lines`` found.

    Attributes:
        lines: place → what happened there.
        least: what any way to write the call must move.
        flops, dtype: its matrix products.
        complete: whether the call came to its end while it was counted.
    """

    lines: Mapping[Place, LineCounts]
    least: Move
    flops: int
    dtype: str
    complete: bool


def count_lines(call: Callable[[], Any], own: OwnCode, now: Callable[[], float], most_s: float) -> CountedLines:
    """Make the call once and count line by line, in every framework that is loaded.

    What it raises passes through.

    Args:
        call: what to count.
        own: which lines are the learner's.
        now: a clock; it tells how long operations run while they are counted.
        most_s: seconds after which counting is given up; what was counted until then is returned.
    """

    def bottom() -> Any:
        return call()

    ledger = Ledger(own, bottom.__code__, now, now() + most_s)
    result, complete = None, True
    try:
        with ExitStack() as counters:
            if frameworks.named("torch").is_loaded():
                from course_utils.counting import pytorch

                counters.enter_context(pytorch.counting_by_line(ledger))
            result = bottom()
    except OutOfTime:
        complete = False
    flops: Counter[str] = sum((work.flops for work in ledger.works.values()), Counter())
    found = CountedLines(
        lines={place: _told(work, ledger) for place, work in ledger.works.items()},
        least=ledger.least(),
        flops=sum(flops.values()),
        dtype=_most(flops),
        complete=complete,
    )
    del result  # until here, so that what the call returns counts as left behind
    return found


def _told(work: Work, ledger: Ledger) -> LineCounts:
    same = {each.name for each in fields(work)} & {each.name for each in fields(LineCounts)} - {"escapes", "flops"}
    return LineCounts(
        **{name: getattr(work, name) for name in same},
        reads=sum((move.reads + move.updates) * number for move, number in work.moves.items()),
        writes=sum((move.writes + move.updates) * number for move, number in work.moves.items()),
        fresh=work.bytes,
        waits=work.syncs,
        flops=sum(work.flops.values()),
        dtype=_most(work.flops),
        least=ledger.least_of(work),
        escapes=Counter(work.escapes),
    )


def _most(flops: Mapping[str, int]) -> str:
    return max(flops, key=flops.__getitem__, default="float32")
