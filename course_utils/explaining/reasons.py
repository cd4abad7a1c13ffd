"""Why a line takes longer than it must: the eight reasons, each with what shows it, how it reads, what helps, and the lesson.

They are asked in this order, and the first that holds is the line's. Every threshold stands here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from course_utils.explaining import operations
from course_utils.explaining.evidence import Evidence
from course_utils.ground.wording import counted, how_often, size_in_bytes

NEAR = 1.5  # times the floor: what is as near has nothing to gain
MOST = 0.5  # of a line's seconds: this share is most of it
MUCH = 0.3  # this one is enough to begin with
NEARLY = 0.8  # and this one leaves no doubt, also where the machine was busy while one part of it was timed
SMALL = 15  # times the least that a launch takes: an operation that takes no longer is small,
BUSY = 100  # and so is one that takes no longer than this on a busy machine, and has few bytes:
CALLED_S = 3e-4  # seconds: a call of compiled code with little to do takes no longer, on a busy machine either
DEAR_S = 1.5e-9  # seconds for a byte, which no function of single elements takes
TWICE = 2.0  # times the bytes that must be moved
NOTED = 0.1  # of a line's seconds, which nobody would call none of it
LITTLE = 0.15  # of a line's seconds: what takes no more explains nothing, whatever its operations are called


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
    holds: Callable[[Evidence], bool]
    told: Callable[[Evidence], str]
    advice: str
    lesson: str


def _is_near_its_floor(line: Evidence) -> bool:
    return 0 < line.floor_s and line.seconds <= NEAR * line.floor_s and line.computing_s < MOST * line.seconds


def _multiplies_at_the_peak(line: Evidence) -> bool:
    return line.computing_s >= MOST * line.seconds


def _crosses(line: Evidence) -> bool:
    """Between NumPy or another device and the tensors."""
    arrays = line.counts.escapes.get(".numpy()", 0) + line.counts.escapes.get("NumPy on a tensor", 0)
    numpy = arrays or line.counts.arrivals.get("ndarray", 0) or line.with_numpy
    if numpy and not line.has_comprehension and line.outside_s >= MUCH * line.seconds:
        return True
    copying_s = sum(line.counts.seconds.get(name, 0.0) for name in operations.COPIES)
    asked = bool(numpy or line.counts.transfers)
    return asked and (copying_s >= MOST * line.seconds or _starts_little(line) and not line.counts.waits)


def _waits(line: Evidence) -> bool:
    """Not where operations outnumber them, and not where a line takes far longer than asking can."""
    few = line.counts.launches <= 2 * line.counts.waits
    share = NOTED if line.has_comprehension else 1 / BUSY  # a comprehension may ask once, and compute for each value
    return few and line.counts.waits > 0 and line.asking_s >= share * line.seconds


def _starts_little(line: Evidence) -> bool:
    return line.counts.launches <= 2 * line.counts.transfers + 2


def _is_small(line: Evidence) -> bool:
    if not _is_seen_line_by_line(line) or line.working_s + line.providing_s >= MUCH * line.seconds:
        return False
    most = BUSY if _dear_s(line) < MUCH * line.seconds else SMALL
    return line.seconds <= most * line.starting_s


def _dear_s(line: Evidence) -> float:
    return DEAR_S * (line.counts.reads + line.counts.writes)


def _computes_nothing(line: Evidence) -> bool:
    return not line.counts.launches


def _is_outside(line: Evidence) -> bool:
    return line.outside_s >= NEARLY * line.seconds + SMALL * line.starting_s


def _is_seen_line_by_line(line: Evidence) -> bool:
    """Not so compiled code: what is counted of it is how it is written, not what it does."""
    return not line.counts.compiled


def _calls_compiled_code_for_little(line: Evidence) -> bool:
    """Whether the call costs more than the work: bytes and arithmetic would take less, even as it is written."""
    if _is_seen_line_by_line(line) or line.moving_s + line.providing_s >= MUCH * line.seconds:
        return False
    little = _computes_next_to_nothing(line) or _dear_s(line) < MUCH * line.seconds
    return little and line.seconds <= CALLED_S * max(1, line.counts.runs)


def _makes_new_memory(line: Evidence) -> bool:
    grows = _is_seen_line_by_line(line) and line.counts.grown >= MOST * max(1, line.counts.fresh)
    return grows or line.providing_s >= MOST * line.seconds


def _only_moves(line: Evidence) -> bool:
    """Whether its time is the memory's: its operations do next to nothing with what they read."""
    if not _is_seen_line_by_line(line):
        return False
    if 0 < line.moving_s + line.providing_s < LITTLE * line.seconds:  # none at all where the limits are not known
        return False
    return line.moving_s >= MUCH * line.seconds or _computes_next_to_nothing(line)


def _only_moves_as_a_whole(line: Evidence) -> bool:
    return not _is_seen_line_by_line(line) and _computes_next_to_nothing(line)


def _computes_next_to_nothing(line: Evidence) -> bool:
    cheap_s = sum(seconds for name, seconds in line.counts.seconds.items() if operations.is_cheap(name))
    return cheap_s >= MOST * sum(line.counts.seconds.values())


def _moves_again_and_again(line: Evidence) -> bool:
    return _only_moves(line) and line.counts.reads + line.counts.writes >= TWICE * _touched(line)


def _makes_memory_for_one_pass(line: Evidence) -> bool:
    return _only_moves(line) and line.counts.fresh >= MUCH * _touched(line)


def _touched(line: Evidence) -> int:
    least = line.counts.least
    return least.reads + least.writes + 2 * least.updates


def _told_waits(line: Evidence) -> str:
    ways = ", ".join(line.counts.escapes)
    return f"makes Python wait for values {how_often(line.counts.waits)}" + (f" ({ways})" if ways else "")


def _told_transfers(line: Evidence) -> str:
    if line.counts.transfers:
        return f"asks {how_often(line.counts.transfers)} for a tensor on a device"
    return "carries values between tensors and NumPy"


def _told_fresh(line: Evidence) -> str:
    if not _is_seen_line_by_line(line):
        return "writes into new memory, which the system must provide page by page"
    if line.counts.grown:
        return f"copies all that came before into new memory, {how_often(line.counts.runs)}"
    provided = ", which the system must provide page by page" if line.providing_s >= MUCH * line.seconds else ""
    return f"writes into {size_in_bytes(line.counts.fresh)} of new memory{provided}"


def _told_passes(line: Evidence) -> str:
    moved = line.counts.reads + line.counts.writes
    return f"reads and writes {size_in_bytes(moved)} where {size_in_bytes(_touched(line))} would do"


def _told_compiled_moves(line: Evidence) -> str:
    return "runs a graph or compiled code, which is seen as a whole, and computes next to nothing there"


def _told_arithmetic(line: Evidence) -> str:
    if not _is_seen_line_by_line(line):
        return "runs a graph or compiled code, which is seen as a whole"
    busiest = max(line.counts.seconds, key=line.counts.seconds.__getitem__, default="one operation")
    return f"computes, most of it in {busiest}"


REASONS = (
    Reason("limit", _is_near_its_floor, lambda line: "runs at this machine's limit", "Leave it as it is.", ""),
    Reason(
        "arithmetic", _multiplies_at_the_peak, _told_arithmetic,
        "It multiplies as fast as this machine can: only fewer products or a shorter dtype help.",
        "14, precision and layout",
    ),
    Reason("transfers", _crosses, _told_transfers, "Keep the values in tensors, where they are.", "13, hidden waits"),
    Reason("waits", _waits, _told_waits, "Keep the values in tensors until the end.", "13, hidden waits"),
    Reason(
        "python", _computes_nothing, lambda line: "is Python's own work, without a tensor operation",
        "Make it an operation on whole tensors, or do less of it.", "10, truly sequential loops",
    ),
    Reason(
        "launches", _calls_compiled_code_for_little,
        lambda line: "calls a graph or compiled code for little work, and the call is what costs",
        "Give it more to do in a call.", "12, compilers",
    ),
    Reason(
        "launches", _is_small,
        lambda line: f"starts {counted(line.counts.launches, 'small operation')}" + " one by one" * (line.counts.launches > 1),
        "Put whole tensors into few operations.", "03, element loops",
    ),
    Reason(
        "python", _is_outside, lambda line: "spends most of its time in Python, outside of tensor operations",
        "Make it an operation on whole tensors, or do less of it.", "10, truly sequential loops",
    ),
    Reason(
        "fresh", _makes_new_memory, _told_fresh, "Write into memory that is kept, with out= or in place.",
        "04, growing results",
    ),
    Reason(
        "passes", _moves_again_and_again, _told_passes, "Do in one pass what now takes several: fuse it.",
        "12, compilers",
    ),
    Reason(
        "fresh", _makes_memory_for_one_pass, _told_fresh, "Write into memory that is kept, with out= or in place.",
        "04, growing results",
    ),
    Reason(
        "passes", _only_moves_as_a_whole, _told_compiled_moves,
        "What keeps it from the floor is bytes: passes that were not fused, new memory, or more than a cache holds.",
        "12, compilers",
    ),
    Reason("limit", _only_moves, lambda line: "moves each byte once already", "Leave it as it is.", ""),
    Reason("arithmetic", lambda line: True, _told_arithmetic, "Compute less of it, by a cheaper operation, or in a shorter dtype.", "14, precision and layout"),
)  # fmt: skip

_LESSONS = {
    **dict.fromkeys(operations.PRODUCTS, "05, matmul, bmm and einsum"),
    **dict.fromkeys(operations.PICKS, "06, gather, scatter and windows"),
}


def reason_of(line: Evidence) -> Reason:
    """The first reason that holds."""
    return next(reason for reason in REASONS if reason.holds(line))


def lesson_of(line: Evidence, reason: Reason) -> str:
    """Number and topic of the lesson that teaches what to do about a line's ``reason``; "" where there is nothing to do."""
    if reason.name != "arithmetic":
        return reason.lesson
    busiest = max(line.counts.seconds, key=line.counts.seconds.__getitem__, default="")
    return _LESSONS.get(busiest, reason.lesson)
