"""What shows why a line takes its time: yes or no to one line's evidence. Every threshold stands here.

Which of them is asked first, and what a reader is told, is not decided here.
"""

from __future__ import annotations

from course_utils.explaining import operations
from course_utils.explaining.line_measurements import LineMeasurements

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


def is_near_its_floor(line: LineMeasurements) -> bool:
    return 0 < line.floor_s and line.seconds <= NEAR * line.floor_s and line.computing_s < MOST * line.seconds


def multiplies_at_the_peak(line: LineMeasurements) -> bool:
    return line.computing_s >= MOST * line.seconds


def crosses(line: LineMeasurements) -> bool:
    """Between NumPy or another device and the tensors."""
    arrays = line.counts.sync_causes.get(".numpy()", 0) + line.counts.sync_causes.get("NumPy on a tensor", 0)
    numpy = arrays or line.counts.conversions.get("ndarray", 0) or line.with_numpy
    if numpy and not line.has_comprehension and line.outside_s >= MUCH * line.seconds:
        return True
    copying_s = sum(line.counts.operation_seconds.get(name, 0.0) for name in operations.COPIES)
    asked = bool(numpy or line.counts.transfers)
    return asked and (copying_s >= MOST * line.seconds or starts_little(line) and not line.counts.syncs)


def waits(line: LineMeasurements) -> bool:
    """Not where operations outnumber them, and not where a line takes far longer than asking can."""
    few = line.counts.launches <= 2 * line.counts.syncs
    share = NOTED if line.has_comprehension else 1 / BUSY  # a comprehension may ask once, and compute for each value
    return few and line.counts.syncs > 0 and line.sync_s >= share * line.seconds


def starts_little(line: LineMeasurements) -> bool:
    return line.counts.launches <= 2 * line.counts.transfers + 2


def is_small(line: LineMeasurements) -> bool:
    if not is_seen_line_by_line(line) or line.working_s + line.page_fault_s >= MUCH * line.seconds:
        return False
    most = BUSY if dear_s(line) < MUCH * line.seconds else SMALL
    return line.seconds <= most * line.starting_s


def is_a_small_chain(line: LineMeasurements) -> bool:
    """Small operations that are written out and run once: there is no loop in the line to be taken away."""
    once = line.counts.runs == 1 and not line.has_comprehension
    return is_small(line) and once and line.counts.launches <= 2 * line.written


def dear_s(line: LineMeasurements) -> float:
    return DEAR_S * (line.counts.reads + line.counts.writes)


def computes_nothing(line: LineMeasurements) -> bool:
    return not line.counts.launches


def is_outside(line: LineMeasurements) -> bool:
    return line.outside_s >= NEARLY * line.seconds + SMALL * line.starting_s


def is_seen_line_by_line(line: LineMeasurements) -> bool:
    """Not so compiled code: what is counted of it is how it is written, not what it does."""
    return not line.counts.compiled_calls


def calls_compiled_code_for_little(line: LineMeasurements) -> bool:
    """Whether the call costs more than the work: bytes and arithmetic would take less, even as it is written."""
    if is_seen_line_by_line(line) or line.moving_s + line.page_fault_s >= MUCH * line.seconds:
        return False
    little = computes_next_to_nothing(line) or dear_s(line) < MUCH * line.seconds
    return little and line.seconds <= CALLED_S * max(1, line.counts.runs)


def makes_new_memory(line: LineMeasurements) -> bool:
    grows = is_seen_line_by_line(line) and line.counts.grown_bytes >= MOST * max(1, line.counts.bytes)
    return grows or line.page_fault_s >= MOST * line.seconds


def only_moves(line: LineMeasurements) -> bool:
    """Whether its time is the memory's: its operations do next to nothing with what they read."""
    if not is_seen_line_by_line(line):
        return False
    if 0 < line.moving_s + line.page_fault_s < LITTLE * line.seconds:  # none at all where the limits are not known
        return False
    return line.moving_s >= MUCH * line.seconds or computes_next_to_nothing(line)


def only_moves_as_a_whole(line: LineMeasurements) -> bool:
    return not is_seen_line_by_line(line) and computes_next_to_nothing(line)


def computes_next_to_nothing(line: LineMeasurements) -> bool:
    cheap_s = sum(seconds for name, seconds in line.counts.operation_seconds.items() if operations.is_cheap(name))
    return cheap_s >= MOST * sum(line.counts.operation_seconds.values())


def moves_again_and_again(line: LineMeasurements) -> bool:
    return only_moves(line) and line.counts.reads + line.counts.writes >= TWICE * touched(line)


def makes_memory_for_one_pass(line: LineMeasurements) -> bool:
    return only_moves(line) and line.counts.bytes >= MUCH * touched(line)


def reorders(line: LineMeasurements) -> bool:
    """Whether its operations move values to other places, and next to nothing else: that is no arithmetic, however long it takes."""
    seconds = line.counts.operation_seconds
    moving_s = sum(spent for name, spent in seconds.items() if operations.is_cheap(name) or operations.reorders(name))
    busiest = max(seconds, key=seconds.__getitem__, default="")
    return is_seen_line_by_line(line) and operations.reorders(busiest) and moving_s >= MOST * sum(seconds.values())


def reorders_again_and_again(line: LineMeasurements) -> bool:
    return reorders(line) and line.counts.reads + line.counts.writes >= TWICE * touched(line)


def touched(line: LineMeasurements) -> int:
    least = line.counts.minimum_traffic
    return least.reads + least.writes + 2 * least.updates
