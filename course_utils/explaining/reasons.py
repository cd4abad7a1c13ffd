"""Why a line takes longer than it must: the eight reasons, each with what shows it, how it reads, what helps, and the lesson.

They are asked in this order, and the first that holds is the line's. What shows each stands in ``signs``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from course_utils.core.wording import count_times, format_bytes, pluralize
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
    describe: Callable[[LineMeasurements], str]
    advice: str
    lesson: str


def _describe_syncs(line: LineMeasurements) -> str:
    ways = ", ".join(line.counts.sync_causes)
    return f"makes Python wait for values {count_times(line.counts.syncs)}" + (f" ({ways})" if ways else "")


def _describe_transfers(line: LineMeasurements) -> str:
    if line.counts.transfers:
        return f"asks {count_times(line.counts.transfers)} for a tensor on a device"
    return "carries values between tensors and NumPy"


def _describe_launches(line: LineMeasurements) -> str:
    return f"starts {pluralize(line.counts.launches, 'small operation')}" + " one by one" * (line.counts.launches > 1)


def _describe_allocation(line: LineMeasurements) -> str:
    if not rules.is_seen_line_by_line(line):
        return "writes into new memory, which the system must provide page by page"
    if line.counts.grown_bytes:
        return f"copies all that came before into new memory, {count_times(line.counts.runs)}"
    provided = ", which the system must provide page by page" if line.page_fault_s >= rules.MUCH * line.seconds else ""
    return f"writes into {format_bytes(line.counts.bytes)} of new memory{provided}"


def _describe_traffic(line: LineMeasurements) -> str:
    moved = line.counts.reads + line.counts.writes
    return f"reads and writes {format_bytes(moved)} where {format_bytes(rules.touched(line))} would do"


def _describe_compiled_traffic(line: LineMeasurements) -> str:
    return "runs a graph or compiled code, which is seen as a whole, and computes next to nothing there"


def _describe_compute(line: LineMeasurements) -> str:
    if not rules.is_seen_line_by_line(line):
        return "runs a graph or compiled code, which is seen as a whole"
    return f"computes, most of it in {_busiest(line)}"


def _busiest(line: LineMeasurements) -> str:
    return max(line.counts.operation_seconds, key=line.counts.operation_seconds.__getitem__, default="one operation")


REASONS = (
    Reason("limit", rules.is_near_its_floor, lambda line: "runs at this machine's limit", "Leave it as it is.", ""),
    Reason(
        "compute", rules.multiplies_at_the_peak, _describe_compute,
        "It multiplies as fast as this machine can: only fewer products help.",
        "05, matmul, bmm, einsum",
    ),
    Reason("transfers", rules.crosses, _describe_transfers, "Keep the values in tensors, where they are.", "13, hidden waits"),
    Reason("syncs", rules.waits, _describe_syncs, "Keep the values in tensors until the end.", "13, hidden waits"),
    Reason(
        "python", rules.computes_nothing, lambda line: "is Python's own work, without a tensor operation",
        "Make it an operation on whole tensors, or do less of it.", "10, truly sequential",
    ),
    Reason(
        "launches", rules.calls_compiled_code_for_little,
        lambda line: "calls a graph or compiled code for little work, and the call is what costs",
        "Give it more to do in a call.", "12, compilers",
    ),
    Reason(
        "launches", rules.is_a_small_chain, _describe_launches,
        "The starts are what costs: give them more data at once, or let a compiler fuse what is chained.", "12, compilers",
    ),
    Reason(
        "launches", rules.is_small,
        _describe_launches,
        "Put whole tensors into few operations.", "03, element loops",
    ),
    Reason(
        "python", rules.is_outside, lambda line: "spends most of its time in Python, outside of tensor operations",
        "Make it an operation on whole tensors, or do less of it.", "10, truly sequential",
    ),
    Reason(
        "allocation", rules.makes_new_memory, _describe_allocation, "Write into memory that is kept, with out= or in place.",
        "04, growing results",
    ),
    Reason(
        "traffic", rules.reorders_again_and_again, lambda line: f"{_describe_traffic(line)}, most of it in {_busiest(line)}",
        "Move fewer values: slices and whole rows, each once.", "06, gather, scatter, windows",
    ),
    Reason(
        "traffic", rules.moves_again_and_again, _describe_traffic, "Do in one pass what now takes several: fuse it.",
        "12, compilers",
    ),
    Reason(
        "allocation", rules.makes_memory_for_one_pass, _describe_allocation, "Write into memory that is kept, with out= or in place.",
        "04, growing results",
    ),
    Reason(
        "traffic", rules.only_moves_as_a_whole, _describe_compiled_traffic,
        "What keeps it from the floor is bytes: passes that were not fused, new memory, or more than a cache holds.",
        "12, compilers",
    ),
    Reason("limit", rules.only_moves, lambda line: "moves each byte once already", "Leave it as it is.", ""),
    Reason(
        "traffic", rules.reorders, lambda line: f"moves values to other places, most of it in {_busiest(line)}",
        "Move fewer values, or longer pieces that lie together.", "06, gather, scatter, windows",
    ),
    Reason("compute", lambda line: True, _describe_compute, "Compute less of it, or by a cheaper operation.", ""),
)  # fmt: skip

OPERATION_LESSONS = {
    **dict.fromkeys(operations.PRODUCTS, "05, matmul, bmm, einsum"),
    **dict.fromkeys(operations.PICKS, "06, gather, scatter, windows"),
}


def reason_of(line: LineMeasurements) -> Reason:
    """The first reason that holds."""
    return next(reason for reason in REASONS if reason.holds(line))


def lesson_of(line: LineMeasurements, reason: Reason) -> str:
    """Number and topic of the lesson that teaches what to do about a line's ``reason``; "" where there is nothing to do."""
    if reason.name != "compute":
        return reason.lesson
    return OPERATION_LESSONS.get(_busiest(line), reason.lesson)
