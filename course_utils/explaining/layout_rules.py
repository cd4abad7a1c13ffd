"""The rules for lines that read or write values that are not neighbors in memory, or only few neighbors at a time."""

from __future__ import annotations

from course_utils.explaining.line_measurements import LineMeasurements
from course_utils.explaining.rules import MOVES, waits_for_memory
from course_utils.explaining.thresholds import CLEARLY_MOST, LARGE_LAUNCHES, LITTLE, LONG, MOST


def visits_values_apart(line: LineMeasurements) -> bool:
    """Return whether operations on values that are not neighbors in memory take most of the line's time, and compute little."""
    inside = line.has_operation_times and line.operation_s >= MOST * line.seconds and line.strided_share >= CLEARLY_MOST
    is_large = line.seconds >= LARGE_LAUNCHES * line.launch_s
    return not line.is_compiled and inside and is_large and line.share_of("cheap", *MOVES) >= CLEARLY_MOST


def copies_short_pieces(line: LineMeasurements) -> bool:
    """Return whether copying takes most of the line's time, although the same bytes in one piece would take far less."""
    copies_s = line.operation_s * line.share_of("copy") if line.has_operation_times else 0.0
    inside = copies_s >= max(MOST * line.seconds, LONG * line.launch_s)
    memory_s = line.cold_memory_s + line.page_fault_s
    return not line.is_compiled and inside and 0 < memory_s < LITTLE * line.seconds


def waits_for_values_apart(line: LineMeasurements) -> bool:
    """Return whether the line waits for memory, in operations that pick or reorder values or read values that are not neighbors.

    A product reads a transposed matrix as fast as another one.
    """
    apart = max(line.strided_share, line.share_of("reorder", "pick", "accumulate"))
    return waits_for_memory(line) and apart >= MOST and line.share_of("product") < MOST
