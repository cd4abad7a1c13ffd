"""The findings about a line that runs compiled code, as the end of a sentence whose subject is the line."""

from __future__ import annotations

from course_utils.core.wording import format_bytes, format_percent, pluralize
from course_utils.counting.operation_kinds import PYTHON_IN_GRAPH, kind_of
from course_utils.explaining import compiled_rules
from course_utils.explaining.compiled_line_parts import GRAPH_OVERHEAD, GUARD_CHECKS
from course_utils.explaining.finding_sentences import counted_bytes, describe_arithmetic
from course_utils.explaining.line_measurements import LineMeasurements
from course_utils.explaining.thresholds import MOST, NOTICEABLE


def describe_kernels(line: LineMeasurements) -> str:
    """Return what generated kernels move, or how long moving the line's inputs and results takes if other parts run longer."""
    least = format_percent(line.floor_s / line.seconds)
    moving = f"moving its inputs and results once takes at least {least} of its time"
    if compiled_rules.reads_for_few_vectors(line):
        shown = format_percent(compiled_rules.memory_shown_s(line) / line.seconds)
        return f"moves {format_bytes(line.kernel_bytes)} through memory, which takes at least {shown} of its time"
    if line.parts_s("kernel") < MOST * line.seconds:
        return f"runs compiled code, and {moving}"
    share = format_percent(line.parts_s("kernel") / line.seconds)
    if moved := sum(part.reads + part.writes for part in line.parts if part.kind == "kernel"):
        return f"spends {share} of its time in generated kernels that move {format_bytes(moved)}"
    return f"spends {share} of its time in generated kernels; {moving}"


def describe_moving_parts(line: LineMeasurements) -> str:
    """Return the operation that moves most values."""
    part = max((part for part in line.parts if compiled_rules.moves_values(part)), key=lambda part: part.seconds)
    return f"moves values, longest in `{part.name}`"


def describe_python_functions(line: LineMeasurements) -> str:
    """Return how much of the time a graph spends in Python functions."""
    parts = [part for part in line.parts if part.name in PYTHON_IN_GRAPH]
    share = format_percent(sum(part.seconds for part in parts) / line.seconds)
    name = next((part.name for part in parts), PYTHON_IN_GRAPH[0])
    return f"spends {share} of its time in a Python function that the graph calls (`{name}`)"


def describe_picking_kernel(line: LineMeasurements) -> str:
    """Return the generated kernel that reads by an index."""
    part = max(line.parts, key=lambda each: each.seconds)
    share = format_percent(part.seconds / line.seconds)
    return f"spends {share} of its time in `{part.name}`, a generated kernel that reads values by an index"


def describe_traffic_of_parts(line: LineMeasurements) -> str:
    """Return what the operations of a graph write: how much they read is not always known."""
    written = counted_bytes(line, line.work.bytes)
    return f"runs its operations one by one, and each writes its results to memory, {written} in all"


def describe_computing_parts(line: LineMeasurements) -> str:
    """Return what kernels and operations compute."""
    share = format_percent(line.parts_s("kernel") / line.seconds)
    computing_s = sum(part.seconds for part in compiled_rules.computing_parts(line))
    if computing_s < MOST * line.seconds and compiled_rules.leaves_only_arithmetic(line):
        most = format_percent(line.cold_kernels_s / line.seconds)
        return f"spends {share} of its time in generated kernels; moving its bytes takes at most {most} of its time"
    if compiled_rules.runs_long_arithmetic(line):
        least = format_percent(line.arithmetic_s / 2 / line.seconds)  # One instruction may multiply and add.
        return f"spends {share} of its time in generated kernels; the arithmetic as written takes at least {least} of its time"
    if computing_s + min(line.product_s, line.parts_s("product")) < MOST * line.seconds:
        return describe_arithmetic(line, compiled_rules.shown_computing_s(line))
    parts = [
        part
        for part in line.parts
        if part in compiled_rules.computing_parts(line) or line.product_s and kind_of(part.name) == "product"
    ]
    # What takes little time may do other things, such as filling a tensor with one value.
    parts = [part for part in parts if part.seconds >= NOTICEABLE * line.seconds] or parts
    names = dict.fromkeys(name for part in parts for name in part.functions or (f"`{part.name}`",))
    share = format_percent(sum(part.seconds for part in parts) / line.seconds)
    others = ", among other things," if any(part.functions for part in parts) else ""
    return f"spends {share} of its time in kernels that compute{others} {', '.join(names)}"


def describe_traces(line: LineMeasurements) -> str:
    """Return how many graphs the line traces in each call."""
    graphs = f"{line.work.count_prefix}{pluralize(line.work.traces, 'graph')}"
    return f"traces {graphs} in every call, not only in the first, and tracing runs in Python"


def describe_call_overhead(line: LineMeasurements) -> str:
    """Return how much of the time the call of compiled code takes, around what it runs."""
    if not line.parts:
        return "calls a graph or compiled code for little work, so the call itself takes the time"
    share = format_percent(line.parts_s("overhead") / line.seconds)
    if any(part.name == GRAPH_OVERHEAD for part in line.parts):
        return f"spends {share} of its time on the call and on starting its operations, outside what the profiler lists"
    guards_s = sum(part.seconds for part in line.parts if part.name == GUARD_CHECKS)
    if not guards_s:
        return f"spends {share} of its time on calling compiled code and in Python, outside the operations that the profiler lists"
    guards = format_percent(guards_s / line.seconds)
    return f"spends {share} of its time on calling compiled code and in Python around it, including about {guards} in {GUARD_CHECKS}"
