"""The rules that decide a line's reason: each answers yes or no from the measurements of one line.

A reason is a claim, so a rule asks for evidence. If no rule holds, the reason is ``unknown``.
"""

from __future__ import annotations

from course_utils.explaining import product_rules
from course_utils.explaining.line_measurements import LineMeasurements
from course_utils.explaining.python_rules import has_other_code, most_calls_s, works_in_python
from course_utils.explaining.thresholds import (
    APART,
    CALL_LAUNCHES,
    CHEAP_BYTE_S,
    CLEARLY_MOST,
    FEW_BYTES_LAUNCHES,
    LARGE_LAUNCHES,
    LEFT,
    LIBRARY_CALLS,
    LITTLE,
    LONG,
    MOST,
    MUCH,
    NEAR_FLOOR,
    NEARLY_ALL,
    PYTHON_CALL_S,
    REPEATED,
    REREADS,
    SLOW_BYTE_S,
    SMALL_LAUNCHES,
    TOO_LOW,
)

MOVES = ("copy", "reorder", "pick")
"""The kinds of operations that only move bytes."""

COMPUTES = ("math", "search")
"""The kinds of operations whose arithmetic takes longer than their bytes."""


def is_near_its_floor(line: LineMeasurements) -> bool:
    """Return whether the time of the line, also the time that is shown, is near its floor, without new memory or avoidable passes."""
    contradicts = allocates(line) or passes_again_over_memory(line)
    return 0 < line.floor_s and max(line.seconds, line.shown_s) <= NEAR_FLOOR * line.floor_s and not contradicts


def runs_no_operation(line: LineMeasurements) -> bool:
    return line.work.launches == 0 and not line.work.hidden_work or line.share_of("mark") == 1.0


def launches_small_operations(line: LineMeasurements) -> bool:
    # Operations on many bytes are not small, however long a busy machine makes the line.
    few_bytes = has_few_bytes(line) and _bytes_s(line) < MUCH * LARGE_LAUNCHES * line.launch_s
    # Operations on many bytes are small only if the hardware needs little of their time, or the calls need most of it.
    are_small = few_bytes or line.launch_s >= MOST * line.seconds
    if line.is_compiled or line.work.hidden_work or line.hardware_s >= (MUCH if are_small else LITTLE) * line.seconds:
        return False
    moves_s = line.operation_s * line.share_of(*MOVES)
    move_long = moves_s >= max(MOST * line.seconds, LONG * line.launch_s) and not few_bytes
    if move_long or line.work.library_calls >= LIBRARY_CALLS * line.work.launches:
        return False
    if shows_arithmetic(line) or computes_outside_of_calls(line) or _works_long_on_values(line):
        return False
    if works_in_python(line) or has_other_code(line) and most_calls_s(line) < MOST * line.seconds:
        return False
    most = FEW_BYTES_LAUNCHES if few_bytes else SMALL_LAUNCHES
    return line.seconds <= most * line.launch_s


def _works_long_on_values(line: LineMeasurements) -> bool:
    """Return whether work on values may take most of a line's time: its operations took longer than calls when they ran again, and
    may take even longer in the call, where memory is cold.
    """
    on_values_s = line.operation_s - line.launch_s
    return line.are_operations_timed_apart and REPEATED * on_values_s > (1 - MOST) * line.seconds


def shows_arithmetic(line: LineMeasurements) -> bool:
    """Return whether most of its time remains without its calls if the cache holds all values, and it is no mere move.

    A cache moves bytes in little time, too: only what takes far longer is arithmetic.
    """
    moving_s, shown_s = sum(line.parts_s(kind) for kind in MOVES), line.arithmetic_shown_s
    bytes_s = max(REPEATED * line.cached_memory_s, _credible_memory_s(line))
    return moving_s < MOST * line.seconds and shown_s >= max(MOST * line.seconds, bytes_s)


def waits_for_memory(line: LineMeasurements) -> bool:
    """Return whether its operations take far less time if the cache holds all values; new pages must not be the cause."""
    # A trial is disturbed less than the run of its operation, so the sum of the trials counts as well as their share.
    left_s = max(line.arithmetic_shown_s, sum(line.work.arithmetic_seconds.values()))
    calls_s = CALL_LAUNCHES * line.launch_s + line.page_fault_s
    return (
        line.tried_s >= CLEARLY_MOST * line.seconds
        and left_s <= LEFT * line.seconds
        and calls_s < LITTLE * line.seconds
    )


def _credible_memory_s(line: LineMeasurements) -> float:
    """Return the time of its bytes; 0 if the line takes so little time that the bandwidth must have been measured too
    low.
    """
    return line.memory_s if line.memory_s <= TOO_LOW * line.seconds else 0.0


def computes_outside_of_calls(line: LineMeasurements) -> bool:
    """Return whether operations on many bytes compute, and neither calls nor Python can take most of the line's time."""
    calls_s = CALL_LAUNCHES * line.launch_s + PYTHON_CALL_S * line.work.library_calls
    only_computes = line.share_of(*COMPUTES) >= NEARLY_ALL and line.operation_s >= MUCH * line.seconds
    return not has_few_bytes(line) and only_computes and calls_s <= (1 - MOST) * line.seconds


def launches_a_small_chain(line: LineMeasurements) -> bool:
    """Return whether the line's small operations are written out and run once, so that no loop could be removed."""
    once = line.work.runs == 1 and not line.has_comprehension
    return launches_small_operations(line) and once and line.work.launches <= 2 * line.operations_written


def copies_a_growing_result(line: LineMeasurements) -> bool:
    return not line.is_compiled and line.work.grown_bytes >= MOST * max(1, line.work.bytes)


def allocates_a_growing_result(line: LineMeasurements) -> bool:
    return copies_a_growing_result(line) and allocates(line)


def allocates(line: LineMeasurements) -> bool:
    return line.page_fault_s >= MOST * line.seconds


def passes_again_over_new_memory(line: LineMeasurements) -> bool:
    return passes_again_over_memory(line) and _waits_for_pages(line)


def is_bound_by_new_memory(line: LineMeasurements) -> bool:
    return is_bound_by_memory(line) and _waits_for_pages(line)


def _waits_for_pages(line: LineMeasurements) -> bool:
    """Return whether new pages take longer than the line's arithmetic, and than moving its bytes if no cache helped."""
    longest_s = max(line.cold_memory_s, line.arithmetic_shown_s)
    return line.page_fault_s > longest_s and not product_rules.multiplies_longer(line, line.page_fault_s)


def is_bound_by_traffic(line: LineMeasurements) -> bool:
    return is_bound_by_memory(line) and not product_rules.multiplies_longer(line, line.memory_s)


def rereads_for_each_group(line: LineMeasurements) -> bool:
    """Return whether a loop compares the same tensor with one value after another, to group values by a label."""
    compares = not {"eq", "Equal"}.isdisjoint(line.work.operation_seconds)
    least, again = line.work.minimum_traffic.reads, line.work.reread_bytes
    return not line.is_compiled and compares and line.work.runs >= REREADS and again >= (REREADS - 1) * least > 0


def moves_values_again(line: LineMeasurements) -> bool:
    return moves_values(line) and _moved_bytes(line) >= REPEATED * line.must_touch


def moves_values(line: LineMeasurements) -> bool:
    """Return whether most of the line's time is in operations that select or reorder values, which compute nothing."""
    inside = line.operation_s >= MOST * line.seconds
    return not line.is_compiled and inside and line.share_of("reorder", "pick") >= MOST


def is_bound_by_memory(line: LineMeasurements) -> bool:
    """Return whether memory takes most of the line's time: by the bytes that move, or because operations do little else."""
    if line.is_compiled:
        return False
    memory_s, inside = line.memory_s + line.page_fault_s, line.operation_s >= MOST * line.seconds
    only_moves = inside and line.share_of(*MOVES) >= CLEARLY_MOST
    # A product with a vector multiplies each value once, like a cheap operation.
    cheap = ("cheap", *MOVES, *(["product"] if line.product_s < LITTLE * line.seconds else []))
    computes_more = line.arithmetic_shown_s >= max(MUCH * line.seconds, line.cold_memory_s)
    computes_little = inside and line.share_of(*cheap) >= CLEARLY_MOST and not computes_more
    return only_moves or computes_little and memory_s >= MUCH * line.seconds or memory_s >= MOST * line.seconds


def passes_again_over_memory(line: LineMeasurements) -> bool:
    """Return whether the line's operations do little but move bytes, and move the same bytes repeatedly."""
    inside = line.operation_s >= MOST * line.seconds and line.share_of("cheap", *MOVES) >= CLEARLY_MOST
    plausible = inside and line.memory_s + line.page_fault_s >= LITTLE * line.seconds
    if line.arithmetic_shown_s >= max(MUCH * line.seconds, _credible_memory_s(line)):
        return False
    repeats = _moved_bytes(line) > (REPEATED if moves_values(line) else NEAR_FLOOR) * line.must_touch
    return not line.is_compiled and repeats and (plausible or is_bound_by_traffic(line))


def computes(line: LineMeasurements) -> bool:
    """Return whether most of the line's time is in operations with long arithmetic, and their bytes would take far less."""
    if line.is_compiled:
        return False
    memory_s = line.memory_s + line.page_fault_s
    computing_s = product_rules.shown_products_s(line) + line.share_of(*COMPUTES) * line.operation_s
    is_long = computing_s >= MOST * line.seconds or computes_outside_of_calls(line)
    return is_long and memory_s < MOST * line.seconds or _only_arithmetic_is_left(line)


def _only_arithmetic_is_left(line: LineMeasurements) -> bool:
    """Return whether operations take most of the line's time, and neither calls, uncached memory nor a trial contradicts."""
    # A cold cache can be far slower than its bandwidth: without a trial, the bytes must need little at any speed.
    is_tried = line.tried_s >= LITTLE * line.seconds
    is_shown = line.arithmetic_shown_s >= LEFT * line.tried_s if is_tried else has_few_bytes(line)
    inside_s = line.operation_s * line.share_of("cheap", *COMPUTES) * line.has_operation_times
    is_rest = inside_s >= CLEARLY_MOST * line.seconds and line.cold_memory_s + line.page_fault_s < MUCH * line.seconds
    return is_rest and is_shown and line.strided_share < LITTLE and line.seconds >= LARGE_LAUNCHES * line.launch_s


def has_few_bytes(line: LineMeasurements) -> bool:
    """Return whether the line's bytes need little of its time, however slow its operations are."""
    return _bytes_s(line) < MUCH * line.seconds


def _bytes_s(line: LineMeasurements) -> float:
    """Return the most seconds that its bytes need."""
    byte_s = CHEAP_BYTE_S if line.share_of("cheap", *MOVES) >= CLEARLY_MOST else SLOW_BYTE_S
    if line.strided_share >= CLEARLY_MOST:
        byte_s = APART * SLOW_BYTE_S
    bytes_s = byte_s * _moved_bytes(line)
    if copies_a_growing_result(line) and _moved_bytes(line) <= line.work.runs * line.cache_bytes:
        bytes_s = min(bytes_s, REPEATED * line.cached_memory_s)  # The cache holds what the previous iteration wrote.
    return bytes_s


def _moved_bytes(line: LineMeasurements) -> int:
    return line.work.reads + line.work.writes
