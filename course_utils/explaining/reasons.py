"""Why a line takes longer than it must: the eight reasons, each with what shows it, how it reads, what helps, and the lesson.

They are asked in this order, and the first that holds is the line's. What shows each stands in ``signs``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from course_utils.core.wording import counted, how_often, size_in_bytes
from course_utils.explaining import operations, rules
from course_utils.explaining.line_measurements import LineMeasurements


@dataclass(frozen=True)
class Reason:
    """One reason.

    Attributes:
        name: what the contract calls it.
        holds: whether a line's evidence shows it.
        told: it as the end of a sentence that begins with the line.
        advice: what to do first.
        lesson: number and topic of the lesson that teaches it; "" where there is nothing to do.
    """

    name: str
    holds: Callable[[LineMeasurements], bool]
    told: Callable[[LineMeasurements], str]
    advice: str
    lesson: str


def _told_waits(line: LineMeasurements) -> str:
    ways = ", ".join(line.counts.escapes)
    return f"makes Python wait for values {how_often(line.counts.waits)}" + (f" ({ways})" if ways else "")


def _told_transfers(line: LineMeasurements) -> str:
    if line.counts.transfers:
        return f"asks {how_often(line.counts.transfers)} for a tensor on a device"
    return "carries values between tensors and NumPy"


def _told_launches(line: LineMeasurements) -> str:
    return f"starts {counted(line.counts.launches, 'small operation')}" + " one by one" * (line.counts.launches > 1)


def _told_fresh(line: LineMeasurements) -> str:
    if not rules.is_seen_line_by_line(line):
        return "writes into new memory, which the system must provide page by page"
    if line.counts.grown:
        return f"copies all that came before into new memory, {how_often(line.counts.runs)}"
    provided = ", which the system must provide page by page" if line.page_fault_s >= rules.MUCH * line.seconds else ""
    return f"writes into {size_in_bytes(line.counts.fresh)} of new memory{provided}"


def _told_passes(line: LineMeasurements) -> str:
    moved = line.counts.reads + line.counts.writes
    return f"reads and writes {size_in_bytes(moved)} where {size_in_bytes(rules.touched(line))} would do"


def _told_compiled_moves(line: LineMeasurements) -> str:
    return "runs a graph or compiled code, which is seen as a whole, and computes next to nothing there"


def _told_arithmetic(line: LineMeasurements) -> str:
    if not rules.is_seen_line_by_line(line):
        return "runs a graph or compiled code, which is seen as a whole"
    return f"computes, most of it in {_busiest(line)}"


def _busiest(line: LineMeasurements) -> str:
    return max(line.counts.seconds, key=line.counts.seconds.__getitem__, default="one operation")


REASONS = (
    Reason("limit", rules.is_near_its_floor, lambda line: "runs at this machine's limit", "Leave it as it is.", ""),
    Reason(
        "arithmetic", rules.multiplies_at_the_peak, _told_arithmetic,
        "It multiplies as fast as this machine can: only fewer products or a shorter dtype help.",
        "14, precision and layout",
    ),
    Reason("transfers", rules.crosses, _told_transfers, "Keep the values in tensors, where they are.", "13, hidden waits"),
    Reason("waits", rules.waits, _told_waits, "Keep the values in tensors until the end.", "13, hidden waits"),
    Reason(
        "python", rules.computes_nothing, lambda line: "is Python's own work, without a tensor operation",
        "Make it an operation on whole tensors, or do less of it.", "10, truly sequential loops",
    ),
    Reason(
        "launches", rules.calls_compiled_code_for_little,
        lambda line: "calls a graph or compiled code for little work, and the call is what costs",
        "Give it more to do in a call.", "12, compilers",
    ),
    Reason(
        "launches", rules.is_a_small_chain, _told_launches,
        "The starts are what costs: give them more data at once, or let a compiler fuse what is chained.", "12, compilers",
    ),
    Reason(
        "launches", rules.is_small,
        _told_launches,
        "Put whole tensors into few operations.", "03, element loops",
    ),
    Reason(
        "python", rules.is_outside, lambda line: "spends most of its time in Python, outside of tensor operations",
        "Make it an operation on whole tensors, or do less of it.", "10, truly sequential loops",
    ),
    Reason(
        "fresh", rules.makes_new_memory, _told_fresh, "Write into memory that is kept, with out= or in place.",
        "04, growing results",
    ),
    Reason(
        "passes", rules.reorders_again_and_again, lambda line: f"{_told_passes(line)}, most of it in {_busiest(line)}",
        "Move fewer values: slices and whole rows, each once.", "06, gather, scatter and windows",
    ),
    Reason(
        "passes", rules.moves_again_and_again, _told_passes, "Do in one pass what now takes several: fuse it.",
        "12, compilers",
    ),
    Reason(
        "fresh", rules.makes_memory_for_one_pass, _told_fresh, "Write into memory that is kept, with out= or in place.",
        "04, growing results",
    ),
    Reason(
        "passes", rules.only_moves_as_a_whole, _told_compiled_moves,
        "What keeps it from the floor is bytes: passes that were not fused, new memory, or more than a cache holds.",
        "12, compilers",
    ),
    Reason("limit", rules.only_moves, lambda line: "moves each byte once already", "Leave it as it is.", ""),
    Reason(
        "passes", rules.reorders, lambda line: f"moves values to other places, most of it in {_busiest(line)}",
        "Move fewer values, or longer pieces that lie together.", "06, gather, scatter and windows",
    ),
    Reason("arithmetic", lambda line: True, _told_arithmetic, "Compute less of it, by a cheaper operation, or in a shorter dtype.", "14, precision and layout"),
)  # fmt: skip

_LESSONS = {
    **dict.fromkeys(operations.PRODUCTS, "05, matmul, bmm and einsum"),
    **dict.fromkeys(operations.PICKS, "06, gather, scatter and windows"),
}


def reason_of(line: LineMeasurements) -> Reason:
    """The first reason that holds."""
    return next(reason for reason in REASONS if reason.holds(line))


def lesson_of(line: LineMeasurements, reason: Reason) -> str:
    """Number and topic of the lesson that teaches what to do about a line's ``reason``; "" where there is nothing to do."""
    if reason.name != "arithmetic":
        return reason.lesson
    return _LESSONS.get(_busiest(line), reason.lesson)
