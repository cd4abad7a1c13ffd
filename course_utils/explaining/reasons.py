"""The reasons why a line takes longer than its floor: each with its rule, its finding in words, the remedy and the lesson.

``reason_of`` tries them in this order; the first whose rule holds is the line's reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from course_utils.counting.operation_kinds import kind_of
from course_utils.explaining import (
    compiled_line_findings,
    compiled_rules,
    finding_sentences,
    layout_rules,
    product_rules,
    python_rules,
    rules,
    wait_rules,
)
from course_utils.explaining.line_measurements import LineMeasurements
from course_utils.explaining.operation_remedies import (
    MORE_VECTORS,
    PROFILE_PYTHON,
    SLICE_COPY,
    advise_chain,
    advise_compiled_calls,
    advise_fewer_calls,
    advise_group,
    advise_next_tool,
    advise_one_array,
    advise_other_code,
    advise_products,
    advise_reuse,
    remedy_for_loader,
    remedy_for_operation,
    remedy_for_optimizer,
    remedy_for_recurrence,
)
from course_utils.frameworks.compiler_interface import LAYOUT_COPIES


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
        """Return what helps, in a sentence or two."""
        if special := self._special_remedy(line):
            is_profiled = self.name == "unknown" and not compiled_rules.has_no_time_of_its_own(line)
            return f"Profile it with `{line.profiler}`. {special}" if is_profiled else special
        return self.advice if isinstance(self.advice, str) else self.advice(line)

    def lesson_for(self, line: LineMeasurements) -> str:
        """Return number and topic of the lesson that teaches the remedy for this line."""
        if special := self._special_remedy(line):
            return _PRODUCTS if special == line.attention_remedy else ""
        return _PRODUCTS if self.advise(line) == MORE_VECTORS else self.lesson

    def _special_remedy(self, line: LineMeasurements) -> str:
        if self.name == "limit":
            return ""
        if line.busiest == LAYOUT_COPIES:
            return remedy_for_operation(line.busiest, line.work)
        if self.name == "launches" and line.recurrent_module:
            return remedy_for_recurrence(line.recurrent_module)
        return line.attention_remedy or remedy_for_loader(line) or remedy_for_optimizer(line)


_COMPARE_ROWS = "Compare it with a compiled version and, if it repeats or adds up short rows, with longer ones."
_WHOLE_ROWS = "Move fewer values: slices and whole rows, each once."
_LONGER_PIECES = "Move fewer values, or longer contiguous pieces."


def _advise_limit(line: LineMeasurements) -> str:
    if line.is_below_limit:
        return "Until then, nothing is known of what could be gained here."
    leave = "Leave it as it is unless you can move fewer bytes."
    return advise_products(line) if line.product_s > line.memory_s else leave


def _unless_few_vectors(advice: str) -> Callable[[LineMeasurements], str]:
    return lambda line: MORE_VECTORS if _multiplies_by_few_vectors(line) else advice


def _multiplies_by_few_vectors(line: LineMeasurements) -> bool:
    """Return whether a line that waits for memory is mostly a product; with many vectors, it would wait for arithmetic."""
    return line.share_of("product") >= rules.MOST and "conv" not in line.busiest_of("product").lower()


def _advise_moves(line: LineMeasurements) -> str:
    remedy = remedy_for_operation(line.leading, line.work)
    if line.leading == SLICE_COPY:
        return remedy
    fewer = _WHOLE_ROWS if rules.moves_values_again(line) else _LONGER_PIECES
    return f"{fewer} {remedy}".rstrip()


def _advise_compute(line: LineMeasurements) -> str:
    if remedy := remedy_for_operation(line.leading, line.work):
        return remedy
    if line.product_s and kind_of(line.leading) == "product":
        return advise_products(line)
    is_cheap = rules.shows_arithmetic(line) and kind_of(line.busiest) == "cheap"
    return _COMPARE_ROWS if is_cheap else "Compute it for fewer values, or use a cheaper function."


def _advise_kernels(line: LineMeasurements) -> str:
    if [part.name.split()[-1] for part in sorted(line.parts, key=lambda part: -part.seconds)][:1] == ["cat"]:
        return "If only a few values are new, write them into a preallocated buffer instead of copying all again."
    buffer = line.remedy_words.buffer * (line.page_fault_s >= rules.LITTLE * line.seconds)
    fuse = f"Move fewer bytes: {buffer}compile it together with steps that use the same tensors."
    return MORE_VECTORS if compiled_rules.multiplies_little(line) else fuse


_LOOPS = "03, element loops"
_GROWING = "04, growing results"
_PRODUCTS = "05, matmul, bmm, einsum"
_PICKS = "06, gather, scatter, windows"
_COMPILERS = "12, compilers"
_WAITS = "13, hidden waits"

_SHOWN_BY_A_PART = "launches", "syncs", "transfers", "unknown"
"""The reasons that hold even if the line did more than was counted; the others depend on what it did not do."""

_LESS_PYTHON = "Replace it with operations on whole tensors, or do less of it."

REASONS = (
    Reason(
        "unknown", compiled_rules.has_no_time_of_its_own, lambda line: "takes less time than the clock resolves, unless a compiled call runs its operations", "Look at the costliest line."
    ),
    Reason("limit", rules.is_near_its_floor, finding_sentences.describe_limit, _advise_limit),
    Reason(
        "python", python_rules.converts_python_objects, finding_sentences.describe_conversion,
        advise_one_array, "00, start here",
    ),
    Reason("transfers", wait_rules.transfers, finding_sentences.describe_transfers, "Keep the values in tensors, on one device.", _WAITS),
    Reason("syncs", wait_rules.synchronizes, finding_sentences.describe_syncs, "Keep the values in tensors until the end.", _WAITS),
    Reason(
        "unknown", compiled_rules.traces_in_each_call, compiled_line_findings.describe_traces,
        "Build each `tf.function` and each dataset once, outside the call, and pass tensors of the same shapes and dtypes.", _COMPILERS,
    ),
    Reason(
        "python", lambda line: line.is_outside,
        lambda line: "is outside the lines: Python enters the function and frees its tensors and other objects",
        "Give each call more work, and reuse large buffers instead of freeing them.",
    ),
    Reason(
        "unknown", lambda line: rules.runs_no_operation(line) and python_rules.may_be_no_python(line),
        finding_sentences.describe_python, lambda line: f"{advise_other_code(line)} {PROFILE_PYTHON}",
    ),
    Reason(
        "python", python_rules.groups_in_python, finding_sentences.describe_python, advise_group, _PICKS,
    ),
    Reason("python", rules.runs_no_operation, finding_sentences.describe_python, advise_other_code, _LOOPS),
    Reason(
        "python", compiled_rules.runs_python_functions, compiled_line_findings.describe_python_functions,
        "Write the function with TensorFlow's operations; if that is not possible, pass it more values in each call.", _COMPILERS,
    ),
    Reason(
        "launches", compiled_rules.calls_compiled_code_for_little,
        compiled_line_findings.describe_call_overhead,
        advise_compiled_calls, _COMPILERS,
    ),
    Reason(
        "launches", rules.launches_a_small_chain, finding_sentences.describe_launches,
        advise_chain, _COMPILERS,
    ),
    Reason(
        "launches", lambda line: line.is_backward and rules.launches_small_operations(line), finding_sentences.describe_launches,
        advise_fewer_calls, _COMPILERS,
    ),
    Reason(
        "launches", rules.launches_small_operations, finding_sentences.describe_launches, advise_fewer_calls, _LOOPS,
    ),
    Reason("python", python_rules.runs_mostly_python, finding_sentences.describe_time_outside_operations, _LESS_PYTHON, _LOOPS),
    Reason("allocation", rules.allocates_a_growing_result, finding_sentences.describe_growth, lambda line: line.remedy_words.join_once, _GROWING),
    Reason("traffic", rules.copies_a_growing_result, finding_sentences.describe_growth, lambda line: line.remedy_words.join_once, _GROWING),
    Reason(
        "traffic", rules.rereads_for_each_group, finding_sentences.describe_rereads, advise_group, _PICKS,
    ),
    Reason("allocation", rules.allocates, finding_sentences.describe_allocation, advise_reuse, _GROWING),
    Reason(
        "compute", lambda line: rules.shows_arithmetic(line) and not product_rules.multiplies(line), finding_sentences.describe_arithmetic,
        _advise_compute,
    ),
    Reason(
        "traffic", layout_rules.copies_short_pieces, finding_sentences.describe_short_pieces,
        "Copy longer contiguous pieces: join or split along the first axis, or change the layout once.", _PICKS,
    ),
    Reason("traffic", rules.moves_values_again, finding_sentences.describe_scattered_traffic, _advise_moves, _PICKS),
    Reason("allocation", rules.passes_again_over_new_memory, finding_sentences.describe_allocation, advise_reuse, _GROWING),
    Reason(
        "traffic", rules.passes_again_over_memory, finding_sentences.describe_repeated_traffic,
        _unless_few_vectors("Fuse several passes over memory into one."), _COMPILERS,
    ),
    Reason(
        "traffic", layout_rules.visits_values_apart, finding_sentences.describe_strides,
        "Work on contiguous tensors: keep the layout that the next lines read, or copy it once before a loop.",
    ),
    Reason("traffic", rules.moves_values, finding_sentences.describe_reordering, _advise_moves, _PICKS),
    Reason(
        "traffic", compiled_rules.runs_kernels_bound_by_memory, compiled_line_findings.describe_kernels,
        _advise_kernels, _COMPILERS,
    ),
    Reason("compute", product_rules.multiplies, finding_sentences.describe_products, advise_products, _PRODUCTS),
    Reason("traffic", compiled_rules.runs_moving_parts, compiled_line_findings.describe_moving_parts, _LONGER_PIECES, _PICKS),
    Reason(
        "unknown", compiled_rules.runs_kernels_that_pick, compiled_line_findings.describe_picking_kernel,
        "Compare it with the uncompiled line, and with an index that repeats a few rows: if that is no faster, memory isn't the reason.", _PICKS,
    ),
    Reason(
        "traffic", compiled_rules.runs_cheap_parts_in_memory, compiled_line_findings.describe_traffic_of_parts,
        "Let a compiler fuse the operations: `tf.function(jit_compile=True)`.", _COMPILERS,
    ),
    Reason("compute", compiled_rules.runs_computing_parts, compiled_line_findings.describe_computing_parts, "Compute it for fewer values, or use a cheaper function."),
    Reason("compute", rules.computes, finding_sentences.describe_compute, _advise_compute),
    Reason("allocation", rules.is_bound_by_new_memory, finding_sentences.describe_allocation, advise_reuse, _GROWING),
    Reason(
        "traffic", rules.is_bound_by_traffic, finding_sentences.describe_traffic,
        lambda line: _unless_few_vectors(f"Move fewer bytes: {line.remedy_words.fewer_bytes}.")(line), _COMPILERS,
    ),
    Reason("traffic", layout_rules.waits_for_values_apart, finding_sentences.describe_waiting, _LONGER_PIECES, _PICKS),
    Reason(
        "traffic", rules.waits_for_memory, finding_sentences.describe_waiting,
        _unless_few_vectors("Move fewer bytes: work on parts that fit the cache, or fuse this line with the next."), _COMPILERS,
    ),
    Reason("unknown", lambda line: True, finding_sentences.describe_unknown, advise_next_tool),
)  # fmt: skip


def reason_of(line: LineMeasurements) -> Reason:
    """Return the first reason whose rule holds, also for a line that did more than was counted."""
    possible = (each for each in REASONS if not line.work.is_cut_short or each.name in _SHOWN_BY_A_PART)
    return next(reason for reason in possible if reason.holds(line))
