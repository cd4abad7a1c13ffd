"""The rules for lines that run compiled code: each answers yes or no, like the rules in ``rules``."""

from __future__ import annotations

import math

from course_utils.counting.operation_kinds import PYTHON_IN_GRAPH, kind_of
from course_utils.explaining import rules
from course_utils.explaining.compiled_line_parts import GUARD_CHECKS, Part
from course_utils.explaining.line_measurements import LineMeasurements
from course_utils.explaining.thresholds import CLOCK_S, NOTICEABLE, PRODUCTS_SHOWN
from course_utils.frameworks.compiler_interface import LAYOUT_COPIES

COMPILED_CALL_S = 3e-4
"""Seconds that a call of compiled code takes at most if it has little to do, also on a busy machine."""

GRAPH_CALL_S, GRAPH_OPERATION_S = 3e-3, 3e-6
"""The most seconds of a graph's call without its operations, and the most seconds to start one operation.

In the fastest runs of a graph with hundreds of elementwise operations on four values, each takes less than 1 µs, even on a
busy machine.
"""


def calls_compiled_code_for_little(line: LineMeasurements) -> bool:
    """Return whether guard checks and the Python code around the kernels take most of the line's time."""
    if line.parts:
        if rules.shows_arithmetic(line):
            return False
        overhead_s = line.parts_s("overhead") - line.unlisted_s
        # A busy machine may delay the threads of a graph, so overhead above `most_s` is not the call's. A kernel starts many
        # operations at once.
        started = 0 if line.parts_s("kernel") else line.work.ops
        most_s = GRAPH_CALL_S * max(1, line.work.runs) + GRAPH_OPERATION_S * started
        calls_s = overhead_s + line.small_parts_s
        is_most = (
            overhead_s >= rules.MOST * line.seconds
            or overhead_s >= rules.MUCH * line.seconds
            and calls_s >= rules.CLEARLY_MOST * line.seconds
        )
        return is_most and (line.checks_guards or overhead_s <= most_s)
    if not line.is_compiled or line.memory_s + line.page_fault_s >= rules.MUCH * line.seconds:
        return False
    has_little_to_do = line.share_of("cheap", *rules.MOVES) >= rules.MOST or rules.has_few_bytes(line)
    return has_little_to_do and line.seconds <= COMPILED_CALL_S * max(1, line.work.runs)


def has_no_time_of_its_own(line: LineMeasurements) -> bool:
    """Return whether the clock shows no time for the line, for example because a compiled call runs its operations."""
    return line.seconds <= CLOCK_S


def traces_in_each_call(line: LineMeasurements) -> bool:
    """Return whether the line traced a graph although the call had run before, and no part of compiled code takes most of
    its time.
    """
    return line.work.traces > 0 and (not line.parts or line.parts_s("overhead") >= rules.MOST * line.seconds)


def checks_guards_most(line: LineMeasurements) -> bool:
    """Return whether the line checks guards repeatedly, and no other part of it takes longer."""
    part = max(line.parts, key=lambda each: each.seconds, default=None)
    return part is not None and part.name == GUARD_CHECKS and part.calls > line.work.runs


def runs_python_functions(line: LineMeasurements) -> bool:
    """Return whether a graph spends most of its time in Python functions that it calls."""
    python_s = sum(part.seconds for part in line.parts if part.name in PYTHON_IN_GRAPH)
    return bool(line.parts) and python_s >= rules.MOST * line.seconds


def runs_kernels_bound_by_memory(line: LineMeasurements) -> bool:
    """Return whether the traffic of generated kernels takes most of the line's time.

    A smaller share is enough for kernels that do little but move bytes. The line also counts as bound by memory if its
    floor without products takes most of its time.
    """
    kernels_s = line.parts_s("kernel")
    if reads_for_few_vectors(line):
        return True
    # The kernels of XLA seldom reach the bandwidth, so their bytes are weak evidence. A trial in the cache that took far less
    # time is strong evidence.
    is_tried = line.has_tried_graph and line.arithmetic_shown_s < rules.MUCH * line.seconds
    # Kernels that compute may do so while they wait for memory.
    computes = sum(part.seconds for part in line.parts if part.functions) >= rules.MUCH * line.seconds
    if not line.parts:
        computes = line.share_of("", *rules.COMPUTES) >= rules.LITTLE  # As written; unknown operations may compute.
    # A kernel computes each position at which it picks a value, and then handles the values one by one.
    computes = computes or line.share_of("pick", "accumulate") >= rules.LITTLE
    share = rules.CLEARLY_MOST if computes or line.work.inner_works and not is_tried else rules.MOST
    least_share = rules.CLEARLY_MOST if computes else rules.MOST
    if line.is_compiled and line.floor_s >= least_share * line.seconds and line.product_s < rules.LITTLE * line.seconds:
        return True
    cheap = line.share_of("cheap", *rules.MOVES)
    moves = cheap >= rules.CLEARLY_MOST and line.floor_s >= rules.MUCH * line.seconds and not computes
    return kernels_s >= rules.MOST * line.seconds and (sum(line.parts_memory_s) >= share * kernels_s or moves)


def memory_shown_s(line: LineMeasurements) -> float:
    """Return the least seconds in which its parts wait for memory: the time of each one's bytes at this machine's bandwidth."""
    return sum(min(part.seconds, memory_s) for part, memory_s in zip(line.parts, line.parts_memory_s))


def multiplies_little(line: LineMeasurements) -> bool:
    """Return whether products take much of its time, and their multiplications and other arithmetic little of it."""
    products_s = sum(part.seconds for part in line.parts if kind_of(part.name) == "product")
    few_flops = line.product_s < rules.LITTLE * line.seconds and line.arithmetic_shown_s < rules.MUCH * line.seconds
    return few_flops and products_s >= rules.MUCH * line.seconds


def reads_for_few_vectors(line: LineMeasurements) -> bool:
    """Return whether products take much of its time and multiply little, so that memory takes most of it."""
    return multiplies_little(line) and memory_shown_s(line) >= rules.MOST * line.seconds


def computing_parts(line: LineMeasurements) -> tuple[Part, ...]:
    """Return the kernels that memory does not explain, if they have elementary functions or few bytes, and the operations that
    are shown to compute.
    """
    parts = list(zip(line.parts, line.parts_memory_s))
    # The bytes of a kernel that picks values are unknown, so memory may take its time.
    picks = line.share_of("pick", "accumulate") >= rules.LITTLE
    known = [(part, memory_s) for part, memory_s in parts if part.reads + part.writes or not picks]
    kernels = {part for part, memory_s in known if part.functions and memory_s < rules.MOST * part.seconds}
    if line.page_fault_s < rules.MUCH * line.seconds:
        kernels |= {
            part for part, memory_s in parts if _is_in_cache(part, line) and memory_s < rules.MUCH * part.seconds
        }
    kernels |= {part for part in line.parts if kind_of(part.name) in rules.COMPUTES}
    return tuple(part for part in line.parts if part in kernels or part.arithmetic_s > rules.MOST * part.seconds)


def _is_in_cache(part: Part, line: LineMeasurements) -> bool:
    """Return whether a part is a kernel on neighbors in memory, and on so few bytes that a cache keeps them from one call to the
    next.
    """
    is_known = part.name in line.work.inner_works
    is_contiguous = part.is_contiguous if is_known else not _may_visit_values_apart(line)
    moved = part.reads + part.writes
    return part.kind == "kernel" and is_contiguous and 0 < moved <= line.cache_bytes * part.calls


def _may_visit_values_apart(line: LineMeasurements) -> bool:
    """Return whether a noticeable share of its operations, as written, works on values that are not neighbors in memory.

    A kernel whose bytes are known picks values only from tensors that a cache holds.
    """
    are_known = all(part.reads + part.writes for part in line.parts if part.kind == "kernel")
    kinds = ("reorder",) if are_known else ("reorder", "pick", "accumulate")
    return max(line.strided_share, line.share_of(*kinds)) >= rules.LITTLE


def runs_computing_parts(line: LineMeasurements) -> bool:
    """Return whether most of its time is shown to be arithmetic: multiplications, elementary functions, sorting."""
    computing_s, shown_s = sum(part.seconds for part in computing_parts(line)), shown_computing_s(line)
    # Compiled code moves no more bytes than the code as it is written.
    memory_s = min(line.most_parts_memory_s, _memory_by_cheap_parts_s(line))
    in_memory = not line.kernel_bytes and memory_s + line.page_fault_s >= rules.MOST * line.seconds
    is_shown = computing_s > 0 and shown_s >= rules.MOST * line.seconds and not in_memory
    return is_shown or runs_long_arithmetic(line) or leaves_only_arithmetic(line)


def _memory_by_cheap_parts_s(line: LineMeasurements) -> float:
    """Return the most time that memory needs for all parts, if each moves as many bytes as the cheap parts, which do
    little else.
    """
    parts = [part for part in line.parts if kind_of(part.name) == "cheap"]
    cheap = [part.seconds / part.calls for part in parts if part.seconds >= NOTICEABLE * line.seconds]
    return sum(part.calls for part in line.parts if part.kind != "overhead") * min(cheap, default=math.inf)


def shown_computing_s(line: LineMeasurements) -> float:
    """Return the seconds of the parts that compute: whole parts, products at the peak, and arithmetic of the others."""
    computing_s = sum(part.seconds for part in computing_parts(line))
    others = (part for part in line.parts if part not in computing_parts(line) and kind_of(part.name) != "product")
    return computing_s + min(line.product_s, line.parts_s("product")) + sum(part.arithmetic_s for part in others)


def runs_long_arithmetic(line: LineMeasurements) -> bool:
    """Return whether generated kernels take most of the line's time, and their elementwise arithmetic much of it."""
    kernels_s = line.parts_s("kernel")
    return kernels_s >= rules.MOST * line.seconds and line.arithmetic_s >= PRODUCTS_SHOWN * line.seconds


def leaves_only_arithmetic(line: LineMeasurements) -> bool:
    """Return whether generated kernels take most of the line's time, and their bytes don't explain it without a cache."""
    kernels_s = line.parts_s("kernel")
    picks = line.parts_apart_s >= rules.LITTLE * line.seconds or _may_visit_values_apart(line)
    in_memory = line.cold_kernels_s + line.page_fault_s >= rules.MUCH * kernels_s
    return kernels_s >= rules.CLEARLY_MOST * line.seconds and not picks and not in_memory


def moves_values(part: Part) -> bool:
    """Return whether a part of compiled code only moves bytes."""
    return part.name == LAYOUT_COPIES or kind_of(part.name) in rules.MOVES


def runs_moving_parts(line: LineMeasurements) -> bool:
    """Return whether most of its time is in operations of compiled code that only move bytes."""
    moving_s = sum(part.seconds for part in line.parts if moves_values(part))
    return bool(line.parts) and moving_s >= rules.MOST * line.seconds


def runs_kernels_that_pick(line: LineMeasurements) -> bool:
    """Return whether one generated kernel dominates, which reads by index, computes little and has no known bytes."""
    if not line.parts:
        return False
    part = max(line.parts, key=lambda each: each.seconds)
    picks = part.kind == "kernel" and not part.functions and not part.reads and line.share_of("pick") > 0
    return (
        picks
        and part.seconds >= rules.MOST * line.seconds
        and line.share_of("math", "search", "accumulate", "product") < rules.LITTLE
    )


def runs_cheap_parts_in_memory(line: LineMeasurements) -> bool:
    """Return whether a graph runs cheap operations one by one, and memory takes most of their time."""
    cheap_s = sum(line.parts_s(kind) for kind in ("cheap", *rules.MOVES))
    memory_s = line.least_parts_memory_s + line.page_fault_s
    is_shown = cheap_s >= rules.MOST * line.seconds and memory_s >= rules.MOST * line.seconds
    is_plausible = cheap_s >= rules.CLEARLY_MOST * line.seconds and memory_s >= rules.MUCH * line.seconds
    return (is_shown or is_plausible) and not line.parts_s("kernel")
