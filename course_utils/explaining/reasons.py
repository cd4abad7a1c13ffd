"""The reasons why a line takes longer than its floor: each with its rule, its finding in words, the remedy and the lesson.

``reason_of`` tries them in this order; the first whose rule holds is the line's reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from course_utils.core.wording import count_times, format_bytes, format_percent, pluralize
from course_utils.explaining import compiled_findings, rules
from course_utils.explaining.line_measurements import LineMeasurements
from course_utils.explaining.remedies import ATTENTION_REMEDY, remedy_for_operation, remedy_for_optimizer


@dataclass(frozen=True)
class Reason:
    """One reason.

    Attributes:
        name: its name in the contract of ``explain``.
        holds: whether a line's measurements show it.
        describe: the finding, as the end of a sentence whose subject is the line.
        advice: what helps.
        lesson: number and topic of the lesson that teaches the remedy, "" if there is none.
    """

    name: str
    holds: Callable[[LineMeasurements], bool]
    describe: Callable[[LineMeasurements], str]
    advice: str | Callable[[LineMeasurements], str]
    lesson: str = ""

    def advise(self, line: LineMeasurements) -> str:
        """What helps, in a sentence or two."""
        if self.name != "limit" and (special := self._special_remedy(line)):
            return special
        return self.advice if isinstance(self.advice, str) else self.advice(line)

    def lesson_for(self, line: LineMeasurements) -> str:
        """Number and topic of the lesson that teaches the remedy for this line."""
        if self.name != "limit" and self._special_remedy(line):
            return _PRODUCTS if line.in_attention else ""
        return self.lesson

    def _special_remedy(self, line: LineMeasurements) -> str:
        return ATTENTION_REMEDY if line.in_attention else remedy_for_optimizer(line.work)


def _describe_limit(line: LineMeasurements) -> str:
    if line.exceeds_limit:
        return (
            "takes less time than this machine's limit as it was measured, so that limit is too low; press Measure again in "
            "machine()"
        )
    near = format_percent(min(1.0, line.floor_s / line.seconds))
    return f"reaches up to {near} of this machine's limit for this work"


def _describe_conversion(line: LineMeasurements) -> str:
    kinds = " and ".join(sorted(kind for kind in line.work.conversion_seconds if kind != "ndarray"))
    times = sum(number for kind, number in line.work.conversions.items() if kind != "ndarray")
    return f"converts Python objects ({kinds}) to tensors value by value, {count_times(times)}"


def _describe_python(line: LineMeasurements) -> str:
    causes = ", ".join(f"`{cause}`" for cause in line.work.sync_causes)
    return (
        f"works in Python, or another library, on values that {causes} reads"
        if causes
        else "runs no tensor operation, so Python or another library takes the time"
    )


def _describe_transfers(line: LineMeasurements) -> str:
    if line.work.transfers:
        return f"asks {count_times(line.work.transfers)} for a tensor on a device"
    return "passes values between tensors and NumPy, and its time includes NumPy's own work"


def _describe_syncs(line: LineMeasurements) -> str:
    causes = ", ".join(line.work.sync_causes)
    return f"makes Python wait for values {count_times(line.work.syncs)}" + (f" ({causes})" if causes else "")


def _describe_launches(line: LineMeasurements) -> str:
    return f"calls {pluralize(line.work.launches, 'small operation')}" + " one by one" * (line.work.launches > 1)


def _describe_growth(line: LineMeasurements) -> str:
    return f"copies the whole previous result into new memory, {count_times(line.work.runs)}"


def _describe_allocation(line: LineMeasurements) -> str:
    share = format_percent(line.page_fault_s / line.seconds)
    new = "memory" if line.is_compiled else format_bytes(line.work.bytes)
    return f"allocates {new}, which the system must provide page by page: {share} of its time"


def _describe_rereads(line: LineMeasurements) -> str:
    return f"reads the same tensors again in each of {line.work.runs:,} iterations"


def _describe_repeated_traffic(line: LineMeasurements) -> str:
    moved = line.work.reads + line.work.writes
    return f"reads and writes {format_bytes(moved)}, but {format_bytes(line.must_touch)} are enough"


def _describe_traffic(line: LineMeasurements) -> str:
    return f"moves {format_bytes(line.work.reads + line.work.writes)} through memory, each byte about once"


def _describe_reordering(line: LineMeasurements) -> str:
    return f"moves values to other positions, most of them in `{line.busiest}`"


def _describe_products(line: LineMeasurements) -> str:
    return f"multiplies at {format_percent(line.product_s / line.seconds)} of this machine's peak, most of it in `{line.busiest}`"


def _describe_compute(line: LineMeasurements) -> str:
    memory = format_percent(line.memory_s / line.seconds)
    return f"computes, most of it in `{line.busiest}`; to move its bytes takes {memory} of its time"


def _describe_unknown(line: LineMeasurements) -> str:
    if line.parts:
        part = max(line.parts, key=lambda part: part.seconds)
        return f"spends {format_percent(part.seconds / line.seconds)} of its time in `{part.name}`, and the counts do not explain that"
    if line.is_compiled:
        return "runs a graph or compiled code, and the counts do not explain its time"
    inside = "most" if line.operation_s >= rules.MOST * line.seconds else "less than half"  # counting lengthens them
    return (
        f"spends {inside} of its time inside operations, the largest part in `{line.busiest}`; operator calls, memory and "
        "multiplications do not explain it"
    )


def _advise_limit(line: LineMeasurements) -> str:
    if line.exceeds_limit:
        return "Until then, nothing is known of what could be gained here."
    return _advise_products(line) if line.product_s > line.memory_s else "Leave it as it is."


def _advise_products(line: LineMeasurements) -> str:
    if remedy := remedy_for_operation(line.busiest, line.work):
        return remedy
    if line.short_dtypes:
        return f"Multiply less, or in {' or '.join(line.short_dtypes)}, which this machine multiplies faster."
    return "Multiply less."


def _advise_compute(line: LineMeasurements) -> str:
    return remedy_for_operation(line.busiest, line.work) or "Compute it for fewer values, or use a cheaper function."


def _advise_unknown(line: LineMeasurements) -> str:
    if line.python_s >= rules.MOST * line.seconds:
        return "Profile it with `py-spy` or `cProfile`, which show the Python functions that it calls."
    return f"Profile it with `{line.profiler}`. {remedy_for_operation(line.busiest, line.work)}".rstrip()


_LOOPS = "03, element loops"
_GROWING = "04, growing results"
_PRODUCTS = "05, matmul, bmm, einsum"
_PICKS = "06, gather, scatter, windows"
_SEQUENTIAL = "10, truly sequential"
_COMPILERS = "12, compilers"
_WAITS = "13, hidden waits"

_LESS_PYTHON = "Replace it by operations on whole tensors, or do less of it."

REASONS = (
    Reason("limit", rules.is_near_its_floor, _describe_limit, _advise_limit),
    Reason(
        "python", rules.converts_python_objects, _describe_conversion,
        "Keep the values in tensors, or in one NumPy array that `torch.from_numpy` or `tf.constant` takes as a whole.",
        "00, start here",
    ),
    Reason("transfers", rules.transfers, _describe_transfers, "Keep the values in tensors, on one device.", _WAITS),
    Reason("syncs", rules.synchronizes, _describe_syncs, "Keep the values in tensors until the end.", _WAITS),
    Reason(
        "python", lambda line: line.is_outside,
        lambda line: "is outside the lines: Python enters the function and frees its tensors",
        "Give each call more work, and reuse large buffers instead of freeing them.",
    ),
    Reason(
        "python", rules.runs_no_operation, _describe_python, _LESS_PYTHON,
        _SEQUENTIAL,
    ),
    Reason(
        "launches", rules.calls_compiled_code_for_little,
        compiled_findings.describe_call_overhead,
        "Give each call and each operation more work.", _COMPILERS,
    ),
    Reason(
        "launches", rules.launches_a_small_chain, _describe_launches,
        "The calls take the time: give them more data at once, or let a compiler fuse the chain.", _COMPILERS,
    ),
    Reason(
        "launches", rules.launches_small_operations, _describe_launches,
        "Replace them by few operations on whole tensors.", _LOOPS,
    ),
    Reason(
        "python", rules.runs_mostly_python, lambda line: "spends most of its time outside tensor operations, in Python or another library",
        _LESS_PYTHON, _SEQUENTIAL,
    ),
    Reason("allocation", rules.copies_a_growing_result, _describe_growth, "Preallocate the result, or collect a list and join it once.", _GROWING),
    Reason(
        "traffic", rules.rereads_for_each_group, _describe_rereads,
        "Group in one pass: `index_add_`, `scatter_reduce` or `bincount`; in TensorFlow `tf.math.unsorted_segment_sum`.",
        _PICKS,
    ),
    Reason("allocation", rules.allocates, _describe_allocation, lambda line: line.reuse_remedy, _GROWING),
    Reason(
        "traffic", rules.moves_values_again, lambda line: f"{_describe_repeated_traffic(line)}, most of it in `{line.busiest}`",
        "Move fewer values: slices and whole rows, each once.", _PICKS,
    ),
    Reason(
        "traffic", rules.passes_again_over_memory, _describe_repeated_traffic,
        "Fuse several passes over memory into one.", _COMPILERS,
    ),
    Reason(
        "traffic", rules.moves_values, _describe_reordering, "Move fewer values, or longer contiguous pieces.", _PICKS,
    ),
    Reason(
        "traffic", rules.runs_kernels_bound_by_memory, compiled_findings.describe_kernels,
        "Move fewer bytes: write into a preallocated buffer, or compile more steps together.", _COMPILERS,
    ),
    Reason("compute", rules.multiplies, _describe_products, _advise_products, _PRODUCTS),
    Reason("traffic", rules.runs_moving_parts, compiled_findings.describe_moving_parts, "Move fewer values, or longer contiguous pieces.", _PICKS),
    Reason(
        "traffic", rules.runs_cheap_parts_in_memory, compiled_findings.describe_traffic_of_parts,
        "Let a compiler fuse the operations: `tf.function(jit_compile=True)`.", _COMPILERS,
    ),
    Reason("compute", rules.runs_computing_parts, compiled_findings.describe_computing_parts, "Compute it for fewer values, or use a cheaper function."),
    Reason("compute", rules.computes, _describe_compute, _advise_compute),
    Reason(
        "traffic", rules.is_bound_by_memory, _describe_traffic,
        "Move fewer bytes: reuse a buffer, work on a view, or fuse this line with the next.", _COMPILERS,
    ),
    Reason("unknown", lambda line: True, _describe_unknown, _advise_unknown),
)  # fmt: skip


def reason_of(line: LineMeasurements) -> Reason:
    """The first reason whose rule holds."""
    return next(reason for reason in REASONS if reason.holds(line))
