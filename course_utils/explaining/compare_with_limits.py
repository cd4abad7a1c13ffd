"""``compare_with_limits``: compares a line's time with the least time of each kind of its work on this machine."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from course_utils.counting.line_work import LineWork
from course_utils.counting.user_code import Statement
from course_utils.explaining.compiled_line_parts import Part, profiled_s
from course_utils.explaining.fitted_parts import fit_parts
from course_utils.explaining.least_times import LeastTimes
from course_utils.explaining.line_measurements import LineMeasurements
from course_utils.explaining.source_code import groups_by_key, is_backward, nodes_of, source_of
from course_utils.explaining.thresholds import CLOCK_S, LAUNCHES_PER_WAIT, TOO_LOW
from course_utils.limits import Cost, Peaks

SMALL_ADDITION = Cost(reads=2, writes=1)
OPERANDS = 4  # An operation on more tensors than this, as on a list, counts as several launches.
NUMPY_READS = (".numpy()", "NumPy on a tensor")

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_OPERATIONS = (ast.operator, ast.cmpop, ast.Call, ast.Subscript)
_SHORT_CALLS = ("len", "range", "isinstance", "type")
# What Python builds or searches value by value, as in `rows = rows + [row]`.
_COLLECTIONS = (ast.List, ast.Set, ast.Dict, ast.JoinedStr, ast.In, ast.NotIn)


def compare_with_limits(
    statement: Statement, seconds: float, work: LineWork, least_times: LeastTimes, names: Mapping[str, Any],
    parts: Sequence[Part] = (),
) -> LineMeasurements:  # fmt: skip
    """Return the measurements of the line at ``statement``.

    Args:
        seconds: its time.
        work: its counts.
        least_times: what it is compared with.
        names: the global names of its code.
        parts: the work inside it, if it runs compiled code.
    """
    peaks = least_times.peaks
    seconds = min(seconds, profiled_s(parts))  # A profiled call that takes less time was disturbed less.
    seconds = max(seconds, CLOCK_S)
    numpy_reads = sum(work.sync_causes.get(each, 0) for each in NUMPY_READS)
    passes = numpy_reads + work.conversions.get("ndarray", 0)
    floor_s = least_times.floor(work.minimum_traffic, work.flops, work.dtype, work.launches).seconds
    if peaks is None:
        start_s = launch_s = memory_s = cold_memory_s = cached_memory_s = product_s = arithmetic_s = 0.0
        sync_s = pass_s = seconds
        short_dtypes: tuple[str, ...] = ()
    else:
        start_s = peaks.launch_s(SMALL_ADDITION, least_times.framework)
        launch_s = max(work.launches, work.operands / OPERANDS) * start_s
        sync_s, pass_s = work.syncs * start_s, passes * start_s
        cold_memory_s = sum(number * least_times.cold_memory_s(moved) for moved, number in work.traffic.items())
        cached_memory_s = sum(number * least_times.cached_memory_s(moved) for moved, number in work.traffic.items())
        memory_s = sum(number * peaks.memory_s(Cost(*moved)) for moved, number in work.traffic.items())
        product_s = work.flops / peaks.matmul[work.dtype] if work.dtype in peaks.matmul else 0.0
        # An element of 8 bytes takes as long as two of 4.
        arithmetic_s = work.bytes / 4 * 2 / peaks.matmul.get("float32", math.inf)
        short_dtypes = _short_dtypes(work, peaks)
    fitted = fit_parts(parts, statement, seconds, work) if parts else ()
    # The host only launches an accelerator's operations, so its clock does not show their time: all of the line may be theirs.
    on_cpu = peaks is None or peaks.device == "cpu"
    operation_s = sum(work.operation_seconds.values()) if on_cpu else seconds
    nodes = nodes_of(statement)
    converted = (spent for kind, spent in work.conversion_seconds.items() if kind != "ndarray")
    return LineMeasurements(
        seconds=seconds,
        work=work,
        floor_s=min(floor_s, seconds),  # NaN stays NaN
        exceeds_limit=floor_s > TOO_LOW * seconds,
        start_s=start_s,
        launch_s=launch_s,
        sync_s=sync_s,
        memory_s=memory_s,
        cold_memory_s=cold_memory_s,
        cached_memory_s=cached_memory_s,
        cache_bytes=least_times.cache_bytes,
        numpy_passes=passes,
        pass_s=pass_s,
        product_s=product_s,
        arithmetic_s=arithmetic_s,
        operation_s=_share_of_line(operation_s, seconds, work),
        has_operation_times=on_cpu,
        are_operations_timed_apart=on_cpu and least_times.times_operations_apart,
        conversion_s=_share_of_line(sum(converted), seconds, work),
        page_fault_s=min(seconds, least_times.page_fault_s * work.page_faults),
        names_numpy=any(_is_numpy(names.get(node.id)) for node in nodes if isinstance(node, ast.Name)),
        has_comprehension=any(isinstance(node, _COMPREHENSIONS) for node in nodes),
        starts_loop=source_of(statement).startswith("for "),
        is_backward=any(map(is_backward, nodes)),
        operations_written=sum(map(_is_operation, nodes)),
        has_longer_steps=not nodes or any(map(_may_take_long, nodes)),
        short_dtypes=short_dtypes,
        groups_by_key=groups_by_key(nodes),
        profiler=least_times.profiler,
        remedy_words=least_times.remedy_words,
        parts=fitted,
        parts_memory_s=tuple(least_times.memory_s(part) for part in fitted),
        least_parts_memory_s=least_times.parts_memory_s(fitted, work.bytes, 1),
        most_parts_memory_s=least_times.parts_memory_s(fitted, work.bytes, 2),
        cold_kernels_s=least_times.cold_kernels_s(fitted, work.bytes, cold_memory_s),
        waits=sum(work.sync_causes.values()) - numpy_reads if on_cpu else work.syncs,
        launches_per_wait=least_times.launches_per_read if on_cpu else LAUNCHES_PER_WAIT,
    )


def _is_operation(node: ast.AST) -> bool:
    """Return whether this is an operator or a call that may take time; a negative constant and ``len(x)`` take none."""
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.operand, ast.Constant)
    is_short = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SHORT_CALLS
    return isinstance(node, _OPERATIONS) and not is_short


def _may_take_long(node: ast.AST) -> bool:
    """Return whether Python may need longer for this than for an operator on numbers."""
    return isinstance(node, _COLLECTIONS) or isinstance(node, ast.Call) and _is_operation(node)


def _share_of_line(spent_s: float, seconds: float, work: LineWork) -> float:
    """Return the seconds that a line spends in a part of its work, of which ``spent_s`` were measured while the line
    was counted.

    A busy machine may have slowed down only the runs that measured ``seconds``. The share of the part in the counted run does
    not depend on that, and counting lengthens only the rest of the line.
    """
    share = spent_s / work.counted_s if work.counted_s else 0.0
    return min(seconds, max(spent_s, share * seconds))


def _short_dtypes(work: LineWork, peaks: Peaks) -> tuple[str, ...]:
    dtype, peak = work.dtype, peaks.matmul.get(work.dtype, 0.0)
    if dtype not in ("float32", "float64") or not peak:
        return ()
    if work.xla_calls and peaks.device == "cpu":
        return ()  # The peaks are rates of the framework's own products, and XLA computes products with other code on a CPU.
    shorter = ("float32", "tf32", "bfloat16", "float16") if dtype == "float64" else ("tf32", "bfloat16", "float16")
    return tuple(each for each in shorter if peaks.matmul.get(each, 0.0) >= 1.5 * peak)


def _is_numpy(value: Any) -> bool:
    return isinstance(value, ModuleType) and value.__name__.partition(".")[0] == "numpy"
