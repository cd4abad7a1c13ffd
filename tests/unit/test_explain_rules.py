"""A line's reason follows from its measurements, and no reason is claimed without evidence."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from explained_case import REASONS as NAMES
from sample_limits import MIB, PEAKS

from course_utils import frameworks
from course_utils.core.wording import format_percent
from course_utils.counting.line_tally import LineTally
from course_utils.counting.line_work import LineWork, line_work
from course_utils.counting.minimum_traffic import NO_BYTES, BytesMoved
from course_utils.counting.user_code import NO_STATEMENT, Statement
from course_utils.explaining.compare_with_limits import SMALL_ADDITION, compare_with_limits
from course_utils.explaining.compiled_line_findings import describe_traces, describe_traffic_of_parts
from course_utils.explaining.compiled_line_parts import GRAPH_OVERHEAD, GUARD_CHECKS, Part
from course_utils.explaining.explain import _framework_of
from course_utils.explaining.finding_sentences import (
    describe_allocation,
    describe_conversion,
    describe_launches,
    describe_python,
    describe_repeated_traffic,
    describe_traffic,
    describe_waiting,
)
from course_utils.explaining.least_times import LeastTimes
from course_utils.explaining.operation_remedies import (
    advise_fewer_calls,
    advise_group,
    advise_next_tool,
    advise_one_array,
    remedy_for_operation,
)
from course_utils.explaining.reasons import REASONS, reason_of
from course_utils.explaining.source_code import differentiates_twice, groups_by_key
from course_utils.frameworks.compiler_interface import LAYOUT_COPIES
from course_utils.frameworks.remedy_words import TENSORFLOW, TORCH


def measurements_of(seconds, *, memory_s=0.0, page_fault_s=0.0, product_s=0.0, floor_s=0.0, **work):
    """Return the measurements of a line with this work."""
    least_times = LeastTimes(PEAKS, "torch", "torch.profiler", 0.0)
    line = compare_with_limits(NO_STATEMENT, seconds, LineWork(**{"launches": 1, **work}), least_times, {})
    return replace(line, memory_s=memory_s, page_fault_s=page_fault_s, product_s=product_s, floor_s=floor_s)


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: reason.name)
def test_every_reason_can_be_described_for_a_line_whose_time_the_clock_does_not_resolve(reason):
    kinds = {GRAPH_OVERHEAD: "overhead", "fused add": "kernel", "gather": "operation"}
    parts = tuple(Part(name, kind, 0.0, 1) for name, kind in kinds.items())
    assert reason.describe(
        replace(measurements_of(0.0, compiled_calls=1, operation_seconds={"gather": 0.0}), parts=parts)
    )


def test_a_line_that_is_faster_than_its_limit_shows_that_the_limit_is_too_low():
    work = LineWork(launches=1, minimum_traffic=BytesMoved(100 * MIB, 0, 0), traffic={BytesMoved(100 * MIB, 0, 0): 1})
    least_times = LeastTimes(PEAKS, "torch", "torch.profiler", 0.0)
    floor_s = least_times.floor(work.minimum_traffic, 0, "float32", 1).seconds
    fast, near = (compare_with_limits(NO_STATEMENT, share * floor_s, work, least_times, {}) for share in (0.5, 0.95))
    assert "too low" in reason_of(fast).describe(fast) and "Measure again" in reason_of(fast).describe(fast)
    assert "too low" not in reason_of(near).describe(near)


@pytest.mark.parametrize(("memory_s", "reason"), [(0.02, "traffic"), (0.002, "traffic"), (0.001, "limit")])
def test_a_line_that_repeats_its_traffic_is_at_its_limit_only_if_memory_takes_little_of_its_time(memory_s, reason):
    line = measurements_of(0.01, memory_s=memory_s, floor_s=0.009, operation_seconds={"sqrt": 0.01}, **MANY_PASSES)
    assert reason_of(line).name == reason


def test_a_line_that_waits_for_new_pages_is_not_at_its_limit_because_a_bandwidth_is_too_low():
    parts = (Part("fused add_mean", "kernel", 0.01, 1),)
    line = replace(measurements_of(0.01, floor_s=0.008, page_fault_s=0.006, compiled_calls=1), parts=parts)
    assert reason_of(line).name == "allocation"
    assert reason_of(replace(line, page_fault_s=0.002)).name == "limit"


@pytest.mark.parametrize(
    ("name", "remedy"), [("cat", "preallocated buffer"), ("cat_mul", "compile it together with steps")]
)
def test_a_kernel_that_only_joins_tensors_gets_a_buffer_as_its_remedy(name, remedy):
    line = measurements_of(0.01, floor_s=0.006, compiled_calls=1, operation_seconds={"graph": 0.01})
    line = replace(line, parts=(Part(f"fused {name}", "kernel", 0.009, 1), Part("mm", "operation", 0.001, 1)))
    assert reason_of(line).name == "traffic" and remedy in reason_of(line).advise(line)


@pytest.mark.parametrize(
    ("name", "floor_s", "reason"),
    [("addcdiv", 6e-3, "traffic"), ("addcdiv", 4e-3, "unknown"), ("exp", 6e-3, "unknown"), ("graph", 6e-3, "unknown")],
)
def test_the_floor_of_compiled_code_shows_traffic_even_if_its_parts_were_interrupted(name, floor_s, reason):
    line = measurements_of(0.01, floor_s=floor_s, compiled_calls=1, operation_seconds={name: 0.01})
    assert reason_of(line).name == reason
    assert (f"once takes at least {format_percent(0.6)}" in reason_of(line).describe(line)) == (reason == "traffic")


@pytest.mark.parametrize(("product_s", "reason"), [(0.0, "traffic"), (0.002, "unknown")])
def test_kernels_of_any_name_are_traffic_if_to_move_inputs_and_results_takes_most_of_the_time(product_s, reason):
    parts = (Part("wrapped_add", "operation", 0.005, 1), Part("fused ynn", "kernel", 0.004, 2))
    line = measurements_of(
        0.01, floor_s=0.006, product_s=product_s, compiled_calls=1, operation_seconds={"graph": 0.01}
    )
    assert reason_of(replace(line, parts=parts)).name == reason


def test_two_passes_where_one_is_enough_are_traffic():
    work = {"reads": 3 * MIB, "writes": 2 * MIB, "minimum_traffic": BytesMoved(2 * MIB, MIB, 0)}
    line = measurements_of(0.01, memory_s=0.009, floor_s=0.006, operation_seconds={"sub": 0.006, "abs": 0.004}, **work)
    assert reason_of(line).describe(line) == "reads and writes 5 MB, but 3 MB is enough"


def test_products_that_take_most_of_a_line_compute_by_their_own_share_of_the_peak():
    seconds = {"Conv2DBackpropInput": 0.006, "ReluGrad": 0.003}
    line = replace(measurements_of(0.01, product_s=0.0025, operation_seconds=seconds, flops=1), cold_memory_s=0.005)
    assert reason_of(line).name == "compute"
    assert reason_of(replace(line, product_s=0.0015)).name != "compute"


def test_a_call_of_compiled_code_outweighs_a_short_synchronization():
    parts = (Part(GUARD_CHECKS, "overhead", 2e-3, 100), Part("fused add", "kernel", 1e-4, 100))
    work = LineWork(runs=100, ops=300, launches=200, syncs=100, compiled_calls=100, sync_causes={".item()": 100})
    line = compare_with_limits(NO_STATEMENT, 0.01, work, LeastTimes(PEAKS, "torch", "torch.profiler", 0.0), {}, parts)
    assert reason_of(line).name == "launches"
    finding = reason_of(line).describe(line).replace("\N{NO-BREAK SPACE}", " ")
    assert "99 % of its time" in finding and "including about 20 % in guard checks of compiled functions" in finding, (
        finding
    )


def test_a_line_that_mostly_copies_weights_into_another_layout_gets_the_layout_as_its_remedy():
    parts = Part(LAYOUT_COPIES, "kernel", 7e-3, 1), Part("convolution", "operation", 3e-3, 31)
    line = replace(measurements_of(0.01, page_fault_s=6e-3, compiled_calls=1), parts=parts)
    reason = reason_of(line)
    assert (reason.name, reason.lesson_for(line)) == ("allocation", "")
    assert "channels_last" in reason.advise(line)
    assert reason.lesson_for(replace(line, attention_remedy="Use one operation.")) == "", "the advice is on layouts"
    assert reason_of(replace(line, page_fault_s=0.0)).name == "traffic"


def test_compiled_products_with_few_vectors_wait_for_memory_if_their_bytes_take_most_of_the_time():
    parts = Part("dot", "operation", 5e-3, 30, 10**8), Part("fused dot_add", "kernel", 4e-3, 30, 10**8)
    line = replace(measurements_of(0.01, product_s=1e-3, compiled_calls=1), parts=parts, parts_memory_s=(3e-3, 3e-3))
    reason = reason_of(line)
    assert reason.name == "traffic" and "more vectors" in reason.advise(line) and "05" in reason.lesson_for(line)
    assert reason.describe(line).replace("\N{NO-BREAK SPACE}", " ").endswith("at least 60 % of its time")
    assert reason_of(replace(line, parts_memory_s=(2e-3, 2e-3))).name == "unknown"
    assert reason_of(replace(line, product_s=8e-3)).name == "compute"


def test_a_compiled_line_bound_by_the_bytes_of_its_products_is_not_described_by_its_few_kernels():
    parts = Part("mm", "operation", 8e-3, 10), Part("fused cat", "kernel", 1e-3, 5, 10**7)
    line = replace(measurements_of(0.01, product_s=1e-3, compiled_calls=1), parts=parts, parts_memory_s=(0.0, 1e-3))
    reason = reason_of(bound := replace(line, floor_s=6e-3))
    assert reason.name == "traffic" and "more vectors" in reason.advise(bound)
    assert "kernels" not in reason.describe(bound)


def test_a_kernel_that_computes_is_bound_by_memory_only_if_memory_explains_clearly_most_of_it():
    part = Part("fused add", "kernel", 1e-2, 1, reads=1, writes=1)
    line = replace(
        measurements_of(0.01, compiled_calls=1), parts=(part,), parts_memory_s=(5.7e-3,), cold_kernels_s=5.7e-3
    )
    assert reason_of(line).name == "traffic"
    computing = replace(line, parts=(replace(part, functions=("masks of positions",)),))
    assert reason_of(computing).name == "unknown"
    assert reason_of(replace(computing, parts_memory_s=(4e-3,))).name == "compute"
    assert reason_of(replace(computing, parts_memory_s=(9e-3,))).name == "traffic"


def test_a_line_that_waits_for_memory_takes_what_was_not_tried_into_account():
    work = {"operation_seconds": {"gather": 0.008, "mul": 0.002}, "arithmetic_seconds": {"gather": 0.001}}
    line = measurements_of(0.01, ops=2, **work)
    assert "would take about 30 % as long" in describe_waiting(line).replace("\N{NO-BREAK SPACE}", " ")


def test_guards_that_take_longest_lead_to_graph_breaks():
    parts = [
        Part(GUARD_CHECKS, "overhead", 4e-3, 112),
        Part("clone", "operation", 3e-3, 1),
        Part("mul", "operation", 3e-3, 34),
    ]
    line = replace(measurements_of(0.01, compiled_calls=1, runs=1), parts=tuple(parts))
    reason = reason_of(line)
    assert (reason.name, "guard checks of compiled functions, 112 times" in reason.describe(line)) == ("unknown", True)
    assert "leaves the compiler" in reason.advise(line)
    assert "leaves the compiler" not in reason.advise(replace(line, parts=(replace(parts[0], calls=1), *parts[1:])))
    mostly = replace(line, parts=(replace(parts[0], seconds=6e-3), *parts[1:]))
    assert reason_of(mostly).name == "launches" and "leaves the compiler" in reason_of(mostly).advise(mostly)


def test_only_operations_that_have_run_get_a_remedy_of_their_own():
    line = measurements_of(0.07, operation_seconds={"index": 0.06}, compiled_calls=1)
    for each, has_remedy in ((line, False), (replace(line, parts=(Part("index", "operation", 0.06, 1),)), True)):
        assert ("index_select" in advise_next_tool(each)) is has_remedy


def test_a_line_that_multiplies_names_a_product_whatever_else_takes_longer():
    line = measurements_of(0.01, product_s=0.006, operation_seconds={"gelu": 0.005, "addmm": 0.004})
    assert reason_of(line).describe(line).endswith("mostly in `addmm`")


def test_an_operation_is_called_most_of_a_line_only_if_it_takes_more_than_half_of_it():
    clear, close = ({"sort": 0.006, "topk": seconds, "exp": seconds} for seconds in (0.001, 0.004))
    findings = [
        reason_of(line).describe(line)
        for line in (measurements_of(0.01, operation_seconds=each) for each in (clear, close))
    ]
    assert ["mostly in `sort`" in each for each in findings] == [True, False], findings
    assert "longest in `sort`" in findings[1]


@pytest.mark.parametrize(("seconds", "is_named"), [(0.0031, False), (0.005, True)])
def test_an_operation_is_called_the_longest_only_if_its_lead_is_clear(seconds, is_named):
    spent = {"sort": seconds, "topk": 0.003, "cumsum": 0.003}
    line = measurements_of(sum(spent.values()), operation_seconds=spent)
    assert reason_of(line).name == "compute"
    assert ("longest in `sort`" in reason_of(line).describe(line)) is is_named
    assert ("in several operations" in reason_of(line).describe(line)) is not is_named
    assert ("`topk` finds them" in reason_of(line).advise(line)) is is_named


def test_unexplained_time_without_a_leading_operation_is_inside_several():
    line = measurements_of(0.01, memory_s=1e-3, operation_seconds={"my_op": 0.005, "other_op": 0.005})
    assert "inside several operations; the operator calls" in reason_of(line).describe(line)


@pytest.mark.parametrize(("operation_s", "reason"), [(1e-4, "launches"), (9e-4, "unknown")])
def test_calls_take_the_time_only_if_work_on_values_does_not(operation_s, reason):
    apart = {"StridedSlice": operation_s, "Mean": 1e-5}
    line = measurements_of(2e-3, launches=2, reads=720_000, library_calls=200, operation_seconds=apart)
    start_s = 2.5e-5
    line = replace(line, are_operations_timed_apart=True, launch_s=2 * start_s, start_s=start_s)
    assert reason_of(line).name == reason
    assert "py-spy" not in reason_of(line).advise(line), "its operations may have taken the time"


def test_a_line_that_takes_longer_than_its_floor_in_the_table_is_not_called_faster_than_its_limit():
    line = replace(measurements_of(0.01, floor_s=0.01), exceeds_limit=True)
    assert "too low" in reason_of(line).describe(line)
    shown = replace(line, shown_s=0.0125)
    assert reason_of(shown).describe(shown).replace("\N{NO-BREAK SPACE}", " ").startswith("reaches 80 % of")
    assert "nothing is known" not in reason_of(shown).advise(shown)


@pytest.mark.parametrize(("arithmetic_s", "share"), [(0.0075, "still take 75 % as long"), (0.0099, "most of its time")])
def test_a_trial_on_few_values_does_not_show_that_nothing_else_takes_time(arithmetic_s, share):
    times = {"operation_seconds": {"sin": 0.01}, "arithmetic_seconds": {"sin": arithmetic_s}}
    line = measurements_of(0.01, **times)
    assert share in reason_of(line).describe(line).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("cold_s", "finding"), [(0.0, "in generated kernels"), (0.009, "mostly in `fused bitcast_concatenate`")]
)
def test_kernels_that_take_little_of_a_line_are_not_named_as_what_computes(cold_s, finding):
    long = Part("fused bitcast_concatenate", "kernel", 0.0095, 1, arithmetic_s=0.0047)
    short = Part("fused add_bitcast", "kernel", 0.0004, 1, functions=("sin", "log"))
    line = replace(measurements_of(0.01, compiled_calls=1), parts=(long, short), parts_memory_s=(0.0, 0.0))
    line = replace(line, cold_kernels_s=cold_s)
    assert reason_of(line).name == "compute"
    assert "sin" not in reason_of(line).describe(line) and finding in reason_of(line).describe(line)


@pytest.mark.parametrize(
    ("rows", "product_s", "arithmetic_s", "advice"),
    [
        (64, 6e-3, 0.0, "Larger products"),
        (64, 5e-4, 9e-3, "Larger products"),  # So far below the peak, a trial shows that the product computes.
        (8192, 7e-3, 0.0, "Multiply less"),
        (8192, 2.2e-3, 0.0, "Products at the peak would take less time"),
    ],
)
def test_only_products_near_the_peak_have_no_other_cost_than_arithmetic(rows, product_s, arithmetic_s, advice):
    work = {"operation_seconds": {"mm": 0.01}, "operation_counts": {"mm": 1}, "flops": 2 * rows * 1024**2}
    line = measurements_of(0.01, product_s=product_s, arithmetic_seconds={"mm": arithmetic_s}, **work)
    assert reason_of(line).name == "compute"
    assert reason_of(line).advise(line).startswith(advice)


def test_a_line_that_only_converts_is_not_said_to_do_something_else():
    line = replace(measurements_of(0.01, launches=0, conversions={"list": 1}), conversion_s=0.004)
    assert "converts Python objects" in reason_of(line).describe(line)
    other = replace(line, work=replace(line.work, python_calls=100))
    assert "runs no tensor operation" in reason_of(other).describe(other)


def test_a_loop_over_the_values_of_a_tensor_gets_a_conversion_of_all_as_its_remedy():
    work = {"launches": 8, "runs": 6408, "operands": 6408, "operation_seconds": {"unbind": 1e-5}}
    line = replace(measurements_of(1e-4, **work), starts_loop=True)
    assert reason_of(line).name == "launches" and ".tolist()" in reason_of(line).advise(line)
    assert ".tolist()" not in reason_of(line).advise(replace(line, starts_loop=False))
    pieces = replace(line, work=replace(line.work, operation_seconds={"split": 1e-5}))
    assert ".tolist()" not in reason_of(pieces).advise(pieces)


@pytest.mark.parametrize(
    ("page_fault_s", "arithmetic_s", "reason"),
    [(0.0045, 0.001, "allocation"), (0.0015, 0.001, "traffic"), (0.0045, 0.0048, "unknown")],
)
def test_new_pages_are_no_traffic_if_they_take_longer_than_bytes_and_arithmetic(page_fault_s, arithmetic_s, reason):
    work = {**MANY_PASSES, "operation_seconds": {"sum": 0.01}, "arithmetic_seconds": {"sum": arithmetic_s}}
    line = measurements_of(0.01, memory_s=0.0001, page_fault_s=page_fault_s, **work)
    assert reason_of(replace(line, cold_memory_s=0.002)).name == reason


def test_what_takes_little_longer_than_its_bytes_in_a_cache_is_no_arithmetic():
    work = {"operation_seconds": {"add": 0.01}, "arithmetic_seconds": {"add": 0.007}}
    assert reason_of(measurements_of(0.01, memory_s=0.003, **work)).name == "compute"
    slower = replace(measurements_of(0.01, memory_s=0.006, **work), cold_memory_s=0.006)
    assert reason_of(slower).name == "compute"
    assert reason_of(replace(slower, cached_memory_s=0.004)).name == "traffic"


def test_a_bandwidth_that_a_line_exceeds_hides_no_arithmetic():
    work = {"operation_seconds": {"Sub": 0.01}, "arithmetic_seconds": {"Sub": 0.007}, **MANY_PASSES}
    assert reason_of(measurements_of(0.01, memory_s=0.013, **work)).name == "compute"
    assert reason_of(measurements_of(0.01, memory_s=0.009, **work)).name == "traffic"


@pytest.mark.parametrize(
    ("cached_s", "reason"), [(0.006, "compute"), (0.0045, "unknown"), (0.003, "traffic"), (0.0, "unknown")]
)
def test_a_sparse_product_computes_if_it_takes_as_long_on_one_row_that_the_cache_holds(cached_s, reason):
    seconds, cached = {"zeros": 0.002, "_sparse_addmm": 0.008}, {"_sparse_addmm": cached_s}
    line = measurements_of(0.01, memory_s=0.001, operation_seconds=seconds, arithmetic_seconds=cached, **MANY_PASSES)
    assert reason_of(line).name == reason and "vector" not in reason_of(line).advise(line)
    if cached_s:
        assert "with all values in the cache" in reason_of(line).describe(line)


MANY_PASSES = {"reads": 5 * MIB, "writes": 4 * MIB, "minimum_traffic": BytesMoved(MIB, MIB, 0)}


@pytest.mark.parametrize(("times", "is_limit"), [(1.0, True), (1.4, True), (1.6, False), (3.0, False)])
def test_reason_limit_needs_a_time_within_one_and_a_half_floors(times, is_limit):
    line = measurements_of(times * 1e-3, floor_s=1e-3, memory_s=1e-3, operation_seconds={"clone": times * 1e-3})
    disturbed = replace(line, seconds=1e-3, shown_s=line.seconds)
    assert (reason_of(line).name == "limit") is (reason_of(disturbed).name == "limit") is is_limit
    if is_limit:
        findings = {reason_of(each).describe(each) for each in (line, disturbed)}
        assert all(each.startswith(f"reaches {format_percent(1 / times)} of") for each in findings), "of the time shown"


@pytest.mark.parametrize(
    ("busiest", "reads", "finding"),
    [
        ("GatherV2", 9 * MIB, "reads and writes 9 MB, but 2 MB is enough, mostly in `GatherV2`"),
        ("index", 3 * MIB, "moves values to other positions, mostly in `index`"),
        ("Transpose", 3 * MIB, "moves values to other positions, mostly in `Transpose`"),
    ],
)
def test_slow_operations_that_only_move_values_are_traffic(busiest, reads, finding):
    seconds = {busiest: 0.09, "AddV2": 0.01}
    line = measurements_of(0.1, reads=reads, minimum_traffic=BytesMoved(MIB, MIB, 0), operation_seconds=seconds)
    reason = reason_of(line)
    assert (reason.name, reason.describe(line), reason.lesson[:2]) == ("traffic", finding, "06")


@pytest.mark.parametrize(("memory_s", "reason"), [(5e-3, "traffic"), (2e-3, "traffic"), (0.5e-3, "compute")])
def test_traffic_needs_a_memory_time_that_is_not_negligible(memory_s, reason):
    line = measurements_of(0.01, memory_s=memory_s, operation_seconds={"where": 0.01}, **MANY_PASSES)
    assert reason_of(line).name == reason


def test_every_reason_has_a_name_of_the_contract():
    assert {reason.name for reason in REASONS} == NAMES


@pytest.mark.parametrize("name", ["clone", "zeros_like", "copy_", "fill_", "zero_", "_to_copy", "cat"])
def test_operations_that_only_move_bytes_never_compute(name):
    for memory_s in (0.0, 3e-3, 6e-3):
        assert reason_of(measurements_of(0.01, memory_s=memory_s, operation_seconds={name: 0.01})).name == "traffic"


@pytest.mark.parametrize(("name", "reason"), [("tanh", "compute"), ("argmax", "compute"), ("my_op", "unknown")])
def test_compute_needs_an_operation_with_long_arithmetic(name, reason):
    line = measurements_of(0.01, memory_s=1e-3, operation_seconds={name: 0.01})
    assert reason_of(line).name == reason


@pytest.mark.parametrize(("product_s", "reason"), [(5e-3, "compute"), (1e-3, "compute"), (0.5e-3, "unknown")])
def test_a_product_computes_if_its_flops_need_a_tenth_of_its_time_and_its_bytes_little(product_s, reason):
    line = measurements_of(0.01, product_s=product_s, operation_seconds={"convolution": 0.01})
    assert reason_of(line).name == reason


@pytest.mark.parametrize(("library_calls", "reason"), [(0, "unknown"), (1, "python")])
def test_a_line_of_nothing_but_operations_is_never_python(library_calls, reason):
    # A busy machine makes the line long and its operation short, because they are timed in separate runs.
    line = measurements_of(0.01, library_calls=library_calls, operation_seconds={"mm": 1e-3}, runs=1)
    assert reason_of(line).name == reason


def pad_and_scale(rows, pad, loss):
    padded = torch.full((len(rows), 4), pad)
    return padded, -10 * torch.log10(loss)


@pytest.mark.parametrize(("after", "launches"), [(1, 1), (2, 2)])
def test_a_length_and_a_negative_constant_take_no_time_in_python(after, launches):
    place = Statement(__file__, pad_and_scale.__code__.co_firstlineno + after)
    work = LineWork(launches=launches, runs=1, operation_seconds={"full": 2e-6})
    line = compare_with_limits(place, 8e-5, work, LeastTimes(PEAKS, "torch", "torch.profiler", 0.0), {})
    assert (line.operations_written, reason_of(line).name) == (launches, "launches")


@pytest.mark.parametrize(
    ("seconds", "is_longer", "reason"), [(4e-4, True, "python"), (4e-4, False, "unknown"), (2e-3, False, "unknown")]
)
def test_operators_on_pythons_numbers_are_no_reason_for_a_delay(seconds, is_longer, reason):
    line = measurements_of(seconds, launches=8, runs=4, operation_seconds={"mul": 1e-5})
    assert reason_of(replace(line, operations_written=3, has_longer_steps=is_longer)).name == reason


def collect_and_blend(rows, x, i, rate):
    rows = rows + [x[i] * 2]
    return rows, x[i] * (1 - rate)


@pytest.mark.parametrize(("after", "reason"), [(1, "python"), (2, "unknown")])
def test_a_list_that_a_line_builds_anew_is_no_number(after, reason):
    place = Statement(__file__, collect_and_blend.__code__.co_firstlineno + after)
    work = LineWork(launches=2, runs=1, operation_seconds={"mul": 4e-6})
    line = compare_with_limits(place, 8e-5, work, LeastTimes(PEAKS, "torch", "torch.profiler", 0.0), {})
    assert (line.operations_written, reason_of(line).name) == (3, reason)


def test_small_operations_become_few_only_if_they_are_independent():
    line = measurements_of(1e-5, launches=400, runs=2)
    assert reason_of(line).name == "launches" and "If they don't depend on each other" in reason_of(line).advise(line)
    backward = replace(line, is_backward=True)
    assert reason_of(backward).name == "launches" and "whole tensors" not in reason_of(backward).advise(backward)


@pytest.mark.parametrize(("order", "compiles"), [("False", True), ("True", False), ("order > 1", False)])
def test_no_advice_compiles_a_gradient_that_is_differentiated_again(order, compiles):
    twice = differentiates_twice(tuple(ast.walk(ast.parse(f"grad(y, x, create_graph={order})"))))
    chain = replace(measurements_of(1e-5, launches=4, runs=1), differentiates_twice=twice, operations_written=4)
    for line in (chain, replace(chain, is_backward=True)):
        reason = reason_of(line)
        assert (reason.name, "has no gradient" in reason.advise(line)) == ("launches", not compiles)


def test_operations_that_are_timed_in_another_run_show_no_time_in_python():
    line = measurements_of(2e-3, library_calls=16, operation_seconds={"Mean": 3e-4}, runs=1, reads=13 * MIB)
    assert reason_of(line).name == "python"
    apart = replace(line, are_operations_timed_apart=True)
    assert reason_of(apart).name == reason_of(replace(apart, operations_written=2)).name == "unknown"
    # Python's own functions are evidence: ten thousand take a millisecond.
    assert reason_of(replace(apart, work=replace(apart.work, python_calls=10**4))).name == "python"


def test_the_share_inside_operations_is_at_least_that_of_the_counted_run():
    # The runs that were timed took ten times as long as the counted one, because the machine was busy.
    line = measurements_of(0.1, operation_seconds={"my_op": 0.009}, counted_s=0.01, library_calls=1)
    assert line.operation_s == pytest.approx(0.09) and reason_of(line).name == "unknown"
    assert "spends most" in reason_of(line).describe(line) and "torch.profiler" in reason_of(line).advise(line)
    quiet = measurements_of(0.009, operation_seconds={"my_op": 0.009}, counted_s=0.01)
    assert quiet.operation_s == quiet.seconds


def test_time_outside_all_lines_is_no_work_of_a_line():
    line = measurements_of(0.01, launches=0)
    assert "another library" in reason_of(line).describe(line)
    outside = replace(line, is_outside=True)
    assert reason_of(outside).name == "python" and "frees its tensors" in reason_of(outside).describe(outside)


def test_a_line_without_time_converts_nothing():
    assert "converts" not in reason_of(measurements_of(0.0, launches=0)).describe(measurements_of(0.0, launches=0))


def test_unknown_names_the_next_tool():
    inside = measurements_of(0.01, operation_seconds={"my_op": 0.01})
    assert "torch.profiler" in reason_of(inside).advise(inside)
    in_tensorflow = replace(inside, profiler="tf.profiler")
    assert "tf.profiler" in reason_of(in_tensorflow).advise(in_tensorflow)
    in_python = measurements_of(0.01, operation_seconds={"my_op": 0.004})
    assert reason_of(in_python).name == "unknown"
    assert "py-spy" in reason_of(in_python).advise(in_python)


def test_an_operation_that_was_not_timed_is_not_called_the_longest():
    line = replace(measurements_of(0.01, operation_seconds={"RandomShuffle": 0.0}), are_operations_timed_apart=True)
    assert "longest" not in reason_of(line).describe(line) and "`RandomShuffle`" in reason_of(line).describe(line)
    line = replace(
        measurements_of(0.01, operation_seconds={"Log": 1e-3, "Other": 0.0}), are_operations_timed_apart=True
    )
    assert "can be timed alone take together (`Log` takes the longest)" in reason_of(line).describe(line)
    one = measurements_of(0.01, ops=1, operation_seconds={"Log": 0.002})
    assert "takes longer than `Log` takes when it is timed alone" in reason_of(one).describe(one)


def test_a_selection_by_one_index_gets_the_operation_that_copies_whole_rows_as_its_remedy():
    line = measurements_of(
        0.1, reads=3 * MIB, minimum_traffic=BytesMoved(MIB, MIB, 0), operation_seconds={"index": 0.09}
    )
    assert "`torch.index_select`" in reason_of(line).advise(line)


def test_requests_for_a_device_are_no_transfers_if_operations_take_the_time():
    line = measurements_of(1e-3, transfers=10, launches=12, operation_seconds={"_foreach_norm": 8e-4})
    assert reason_of(line).name != "transfers"
    assert reason_of(measurements_of(1e-3, transfers=10, launches=12)).name == "transfers"
    line = measurements_of(1e-3, transfers=10, launches=12, operation_seconds={"_foreach_norm": 3e-4})
    assert reason_of(line).name != "transfers"
    copies = replace(line, work=replace(line.work, operation_seconds={"_to_copy": 3e-4}))
    assert reason_of(copies).name == "transfers"


def test_calls_that_take_most_of_the_time_explain_it_although_some_bytes_move():
    line = measurements_of(
        3e-4, launches=200, memory_s=7e-5, reads=4 * MIB, writes=4 * MIB, operation_seconds={"copy_": 2e-4}
    )
    assert reason_of(line).name == "launches"
    assert reason_of(replace(line, memory_s=1.2e-4)).name == "traffic"


@pytest.mark.parametrize("seconds", [0.05, 0.5])
def test_a_busy_machine_does_not_turn_operations_on_many_bytes_into_small_ones(seconds):
    """Operations on 50 KB each are not small, although the bytes need little of the 0.5 s of a busy machine."""
    moved = {"reads": 150 * MIB, "writes": 150 * MIB, "minimum_traffic": BytesMoved(6 * MIB, MIB, 0)}
    line = measurements_of(
        seconds, launches=6000, operation_seconds={"GatherV2": 0.8 * seconds}, counted_s=seconds, **moved
    )
    assert reason_of(line).name == "traffic"
    few = {"reads": MIB, "writes": MIB}
    assert reason_of(measurements_of(seconds, launches=6000, operation_seconds={"add": 0.01}, **few)).name == "launches"


@pytest.mark.parametrize(("copies_s", "traffic", "finding"), [
    (6e-3, {BytesMoved(30_000, 30_000, 0): 60}, "copies short pieces, mostly in `ConcatV2`: copying as many contiguous bytes would take"),
    (6e-3, {BytesMoved(10**6, 10**6, 0): 60}, "moves"),
    (2e-4, {BytesMoved(30_000, 30_000, 0): 60}, "calls 60 small operations"),
])  # fmt: skip
def test_copies_that_take_far_longer_than_their_bytes_are_copies_of_short_pieces(copies_s, traffic, finding):
    bytes_each = sum(each.reads * number for each, number in traffic.items())
    moved = {"reads": bytes_each, "writes": bytes_each, "minimum_traffic": BytesMoved(bytes_each, bytes_each, 0)}
    line = measurements_of(
        copies_s + 1e-4, launches=60, traffic=traffic, operation_seconds={"ConcatV2": copies_s}, **moved
    )
    assert reason_of(line).describe(line).startswith(finding)


def test_pages_that_an_operation_allocates_for_itself_are_not_called_the_lines_tensors():
    work = {"bytes": 4 * MIB, "page_faults": 16_000, "operation_seconds": {"convolution": 0.05}}
    line = measurements_of(0.05, page_fault_s=0.03, **work)
    assert "allocates memory apart from its tensors" in reason_of(line).describe(line)
    advice = reason_of(line).advise(line)
    assert advice.startswith("Compare it with the same work on less data at once. Compare the layouts")
    assert "allocates 4 MB" in reason_of(line).describe(replace(line, work=replace(line.work, page_faults=1000)))
    assert reason_of(line).describe(line).endswith("about 60\xa0% of its time")
    assert reason_of(line).describe(replace(line, page_fault_s=0.049)).endswith("page by page: most of its time")


def test_only_kernels_that_wait_for_new_pages_are_advised_to_write_into_a_buffer():
    line = measurements_of(0.01, floor_s=0.005, compiled_calls=1, operation_seconds={"graph": 0.01})
    line = replace(line, parts=(Part("fused add", "kernel", 0.01, 1),), parts_memory_s=(0.006,))
    assert reason_of(line).name == "traffic" and "buffer" not in reason_of(line).advise(line)
    assert "buffer" in reason_of(line).advise(replace(line, page_fault_s=0.003))


@pytest.mark.parametrize(("operations", "reason"), [(6000, "launches"), (1500, "unknown")])
def test_call_overhead_of_a_graph_is_at_most_the_start_of_its_operations(operations, reason):
    line = measurements_of(0.031, ops=operations, compiled_calls=1, operation_seconds={"graph": 0.031})
    line = replace(line, parts=(Part("Roll", "operation", 0.011, 200), Part(GRAPH_OVERHEAD, "overhead", 0.02, 1)))
    assert reason_of(line).name == reason, reason_of(line).describe(line)
    assert "outside" in reason_of(line).describe(line)


def test_one_operation_that_returns_many_tensors_is_not_called_small():
    line = measurements_of(1e-4, operands=501, operation_seconds={"unbind": 8e-5})
    assert (reason_of(line).name, reason_of(line).describe(line)) == ("launches", "calls 1 operation on 501 tensors")


def test_a_disturbed_line_that_multiplies_shows_the_peak_that_its_own_row_shows():
    line = measurements_of(0.01, product_s=0.012, floor_s=0.01, operation_seconds={"mm": 0.01})
    disturbed = replace(line, shown_s=0.02)
    assert (reason_of(line).name, reason_of(disturbed).name) == ("limit", "compute")
    assert "multiplies at 60\N{NO-BREAK SPACE}%" in reason_of(disturbed).describe(disturbed)


def test_shorter_dtype_is_advised_only_if_it_multiplies_faster():
    line = measurements_of(0.01, product_s=5e-3, operation_seconds={"mm": 0.01})
    assert "bfloat16" in reason_of(line).advise(line)
    slow = replace(line, short_dtypes=())
    assert "bfloat16" not in reason_of(slow).advise(slow)
    depthwise = measurements_of(0.01, product_s=5e-3, operation_seconds={"DepthwiseConv2dNative": 0.01})
    assert "bfloat16" not in reason_of(depthwise).advise(depthwise)
    name = "_scaled_dot_product_flash_attention_for_cpu"
    attention = measurements_of(0.01, product_s=5e-3, operation_seconds={name: 0.01})
    assert reason_of(attention).advise(attention).endswith("other shapes and layouts; otherwise multiply less.")


@pytest.mark.parametrize("name", ["MatMul", "_transformer_encoder_layer_fwd"])
@pytest.mark.parametrize(("product_s", "reason"), [(5e-3, "compute"), (2e-3, "unknown")])
def test_a_product_in_a_graph_computes_only_by_its_flops_because_its_reads_are_unknown(name, product_s, reason):
    parts = (Part(name, "operation", 0.01, 30),)
    work = {"launches": 1, "compiled_calls": 1, "operation_seconds": {"graph": float("inf")}}
    line = replace(measurements_of(0.01, product_s=product_s, **work), parts=parts)
    assert reason_of(line).name == reason


def test_numpys_work_on_many_small_arrays_is_python_and_its_pass_over_a_large_one_is_not():
    for runs, reason in ((1, "unknown"), (5000, "python")):
        alone = measurements_of(0.01, launches=0, runs=runs, sync_causes={".numpy()": 1})
        assert reason_of(alone).name == reason
        assert "NumPy" in reason_of(alone).describe(replace(alone, names_numpy=True))


def test_many_small_passes_to_numpy_are_transfers():
    assert reason_of(measurements_of(1e-3, launches=0, runs=100, sync_causes={".numpy()": 100})).name == "transfers"


def test_a_growing_result_is_traffic_unless_the_system_provides_its_pages():
    grown = {"grown_bytes": MIB, "growths": 299}
    copied = measurements_of(0.01, memory_s=5e-3, **grown, bytes=MIB, operation_seconds={"cat": 0.01}, runs=300)
    new = replace(copied, page_fault_s=6e-3)
    assert (reason_of(copied).name, reason_of(new).name) == ("traffic", "allocation")
    # The cache holds a short result, so that the calls take the time.
    short = {"reads": MIB, "writes": MIB, "launches": 300}
    for cache_bytes, cached_s, reason in ((MIB, 1e-5, "launches"), (100, 1e-5, "traffic"), (MIB, 5e-4, "traffic")):
        line = replace(copied, work=replace(copied.work, **short), seconds=2e-3, memory_s=1e-5, launch_s=3e-4)
        line = replace(line, operation_s=1.8e-3, cache_bytes=cache_bytes, cached_memory_s=cached_s)
        assert reason_of(line).name == reason
    assert {reason_of(each).describe(each) for each in (copied, new)} == {
        "copies the whole previous result into new memory, 299 times"
    }


def test_a_count_that_may_be_wrong_is_called_an_estimate():
    moved = {"bytes": MIB, "reads": 4 * MIB, "writes": MIB, "minimum_traffic": BytesMoved(4 * MIB, MIB, 0)}
    converted = {"conversions": {"list": 9}, "conversion_seconds": {"list": 1e-3}}
    line = measurements_of(0.01, **moved, **converted, traces=2, is_extrapolated=True)
    assert describe_conversion(line).endswith("value by value, about 9 times")
    assert describe_allocation(line).startswith("allocates about 1 MB,")
    assert describe_repeated_traffic(line).startswith("reads and writes about 5 MB,")
    assert describe_traffic(line).startswith("moves about 5 MB through memory")
    assert describe_traces(line).startswith("traces about 2 graphs")
    assert describe_traffic_of_parts(line).endswith("writes its results to memory, about 1 MB in all")


def test_an_operation_on_values_apart_is_traffic_and_computes_nothing():
    apart = measurements_of(0.01, operation_seconds={"add": 0.01}, strided_s=0.01)
    assert reason_of(apart).name == "traffic" and "not neighbors" in reason_of(apart).describe(apart)


@pytest.mark.parametrize(("size", "reason"), [(MIB, "compute"), (50 * MIB, "unknown")])
def test_a_cheap_operation_computes_only_if_its_bytes_need_little_even_without_a_cache(size, reason):
    line = measurements_of(0.01, operation_seconds={"std": 0.01}, traffic={BytesMoved(size, 0, 0): 1})
    assert reason_of(line).name == reason


@pytest.mark.parametrize(("shown_s", "reason"), [(0.0, "unknown"), (0.004, "compute")])
def test_a_cheap_operation_on_many_bytes_computes_only_if_a_trial_shows_it(shown_s, reason):
    times = {"operation_seconds": {"add": 0.01}, "arithmetic_seconds": {"add": shown_s}}
    line = measurements_of(0.01, reads=10 * MIB, writes=5 * MIB, **times)
    assert reason_of(line).name == reason
    assert reason_of(replace(line, work=replace(line.work, reads=MIB, writes=MIB))).name == "compute"


@pytest.mark.parametrize("name", ["index", "mul"])
def test_the_reason_of_a_kernel_is_unknown_if_its_bytes_are(name):
    work = LineWork(launches=1, compiled_calls=1, bytes=100 * MIB, operation_seconds={name: 0.01})
    parts = (Part(f"fused {name}", "kernel", 0.01, 1),)
    line = compare_with_limits(NO_STATEMENT, 0.01, work, LeastTimes(PEAKS, "torch", "torch.profiler", 0.0), {}, parts)
    assert reason_of(line).name == "unknown"
    steps = replace(line, work=replace(line.work, optimizer_steps={"Adam, not fused": 1}))
    assert "`torch.profiler`" in reason_of(steps).advise(steps), "an unknown reason always has a next tool"
    shortest = replace(steps, seconds=0.0)
    assert "profiler" not in reason_of(shortest).advise(shortest), "no profiler shows more about a line without time"


def test_an_optimizer_that_could_be_fused_gets_that_advice():
    steps = {"Adam, not fused": 1}
    line = measurements_of(0.01, memory_s=6e-3, operation_seconds={"sqrt": 0.01}, optimizer_steps=steps, **MANY_PASSES)
    assert "`fused=True`" in reason_of(line).advise(line)
    for others in ({"Adam": 1}, steps | {"SparseAdam": 1}):
        other = replace(line, work=replace(line.work, optimizer_steps=others))
        assert "fused=True" not in reason_of(other).advise(other), others
    both = replace(line, work=replace(line.work, optimizer_steps=steps | {"SGD, not fused": 1}))
    advice = reason_of(both).advise(both)
    assert "Pass `fused=True` to `Adam` and `SGD`: a fused step updates all its parameters" in advice


@pytest.mark.parametrize(
    ("seconds", "busiest", "memory_s", "page_fault_s", "reason"),
    [(1e-4, "where", 1e-5, 0.0, "launches"), (1e-2, "where", 8e-3, 6e-3, "allocation")],
)
def test_a_call_of_compiled_code_has_a_reason_only_from_its_time_and_its_page_faults(
    seconds, busiest, memory_s, page_fault_s, reason
):
    work = {"launches": 5, "compiled_calls": 5, "operation_seconds": {busiest: seconds}, **MANY_PASSES}
    line = measurements_of(seconds, memory_s=memory_s, page_fault_s=page_fault_s, **work)
    assert reason_of(line).name == reason


def test_every_lesson_that_a_reason_names_exists():
    notebooks = Path(__file__).resolve().parents[2] / "notebooks"
    slugs = {path.stem.partition("_")[0]: path.stem.split("_") for path in notebooks.glob("*.ipynb")}
    for lesson in {reason.lesson for reason in REASONS} - {""}:
        number, _, topic = lesson.partition(", ")
        assert set(re.findall(r"\w+", topic)) <= set(slugs[number]), lesson


def test_short_launches_on_an_accelerator_are_never_python():
    on_gpu = LeastTimes(replace(PEAKS, device="cuda:0"), "torch", "torch.profiler", 0.0)
    work = LineWork(launches=1, library_calls=1, operation_seconds={"my_op": 1e-5})
    assert reason_of(compare_with_limits(NO_STATEMENT, 0.01, work, on_gpu, {})).name == "unknown"
    on_cpu = replace(on_gpu, peaks=PEAKS)
    assert reason_of(compare_with_limits(NO_STATEMENT, 0.01, work, on_cpu, {})).name == "python"


@pytest.mark.parametrize(
    ("launches_per_read", "device", "causes", "reason"),
    [
        (1.0, "cpu", {".item()": 100}, "syncs"),
        (0.0, "cpu", {".item()": 100}, "launches"),  # a TensorFlow operation takes far longer than a read
        (1.0, "cpu", {}, "compute"),  # On a CPU, nothing waits for the length of x[mask].
        (1.0, "cuda:0", {}, "syncs"),
    ],
)
def test_waiting_is_a_reason_only_if_the_waits_can_take_the_time(launches_per_read, device, causes, reason):
    peaks = replace(PEAKS, device=device)
    seconds = 1e-2 if reason == "compute" else 200 * peaks.launch_s(SMALL_ADDITION, "torch")
    work = LineWork(runs=100, launches=100, syncs=100, sync_causes=causes, operation_seconds={"masked_select": seconds})
    line = compare_with_limits(
        NO_STATEMENT, seconds, work, LeastTimes(peaks, "torch", "torch.profiler", 0.0, launches_per_read), {}
    )
    assert reason_of(line).name == reason


def test_many_operations_for_each_element_in_one_kernel_compute():
    parts = (Part("fused add_mul", "kernel", 0.9, 1),)
    for share, reason in ((0.5, "compute"), (0.1, "unknown")):
        elements = round(share * PEAKS.matmul["float32"] / 2)
        work = LineWork(launches=1, compiled_calls=1, bytes=4 * elements, operation_seconds={"mul": 1.0})
        line = compare_with_limits(
            NO_STATEMENT, 1.0, work, LeastTimes(PEAKS, "torch", "torch.profiler", 0.0), {}, parts
        )
        assert reason_of(line).name == reason, line


def test_the_layout_is_no_remedy_for_convolutions_in_one_dimension():
    assert remedy_for_operation("convolution", LineWork(operation_seconds={"convolution": 1.0}))
    assert not remedy_for_operation("convolution", LineWork(operation_seconds={"conv1d": 1.0}))


@pytest.mark.parametrize(("cheap_s", "reason"), [(0.1, "compute"), (0.45, "unknown")])
def test_cheap_parts_show_how_long_memory_takes_at_most(cheap_s, reason):
    parts = (Part("Sin", "operation", 0.55, 20), Part("AddV2", "operation", cheap_s, 20))
    work = LineWork(launches=1, compiled_calls=1, operation_seconds={"graph": 1.0})
    line = compare_with_limits(NO_STATEMENT, 1.0, work, LeastTimes(PEAKS, "tensorflow", "tf.profiler", 0.0), {}, parts)
    assert reason_of(replace(line, most_parts_memory_s=0.8)).name == reason


def test_python_takes_the_time_of_a_line_whose_operations_and_their_calls_cannot():
    def reason(operation_s):
        work = {"operation_seconds": {"mul": operation_s}, "library_calls": 900, "python_calls": 900}
        return reason_of(measurements_of(1e-3, launches=2, **work)).name

    assert [reason(operation_s) == "python" for operation_s in (3e-6, 7e-4)] == [True, False]


def test_a_line_waits_for_memory_if_little_is_left_in_the_cache():
    def reason(left_s):
        work = {"operation_seconds": {"index_add": 0.01}, "arithmetic_seconds": {"index_add": left_s}}
        return reason_of(measurements_of(0.01, memory_s=0.001, **work)).name

    assert [reason(left_s) for left_s in (0.002, 0.0045, 0.008, 0.0)] == ["traffic", "unknown", "compute", "unknown"]


@pytest.mark.parametrize(("left_s", "reason"), [(0.0004, "unknown"), (0.0018, "compute")])
def test_arithmetic_is_no_explanation_if_a_trial_of_some_operations_leaves_little_time(left_s, reason):
    work = {"operation_seconds": {"norm": 0.002, "mul": 0.008}, "arithmetic_seconds": {"norm": left_s}}
    assert reason_of(measurements_of(0.01, **work)).name == reason


@pytest.mark.parametrize("name", ["where", "masked_fill_", "SelectV2"])
def test_a_choice_that_is_faster_in_the_cache_shows_no_wait_for_memory(name):
    work = {"operation_seconds": {name: 0.01}, "arithmetic_seconds": {name: 0.002}}
    line = replace(measurements_of(0.01, memory_s=0.002, **work), cold_memory_s=0.004)
    assert reason_of(line).name == "unknown"


@pytest.mark.parametrize(
    ("name", "strided_s", "advice"),
    [
        ("index_add", 0.0, "longer contiguous pieces"),
        ("interpolate", 0.0, "parts that fit the cache"),
        ("addmm", 0.01, "more vectors at once"),
        ("convolution_backward", 0.01, "parts that fit the cache"),
    ],
)
def test_only_a_line_that_waits_for_values_apart_gets_longer_pieces_as_its_remedy(name, strided_s, advice):
    work = {"operation_seconds": {name: 0.01}, "arithmetic_seconds": {name: 0.002}, "strided_s": strided_s}
    line = measurements_of(0.01, memory_s=0.001, **work)
    assert reason_of(line).name == "traffic" and advice in reason_of(line).advise(line)


def test_numpy_is_named_if_a_line_runs_no_tensor_operation():
    numpy, other = (
        replace(measurements_of(0.01, launches=0), names_numpy=names_numpy) for names_numpy in (True, False)
    )
    assert [reason_of(line).name for line in (numpy, other)] == ["unknown", "python"]
    assert "NumPy" in reason_of(numpy).describe(numpy) and "may be slower" in reason_of(numpy).advise(numpy)
    assert "NumPy" not in reason_of(other).describe(other)


def test_a_line_that_may_release_large_tensors_is_no_python_unless_the_interpreter_explains_its_time():
    for runs, release_s, reason in ((1, 0.01, "unknown"), (1, 1e-3, "python"), (5000, 0.01, "python")):
        line = replace(measurements_of(0.01, launches=0, runs=runs), release_s=release_s)
        assert reason_of(line).name == reason and "release of memory" in reason_of(line).describe(line)


def test_a_line_that_may_wait_is_no_python():
    for waited_s, reason in ((0.01, "unknown"), (1e-3, "python")):
        line = replace(measurements_of(0.01, launches=0), waited_s=waited_s)
        assert reason_of(line).name == reason, line
        assert ("a wait (for a file" in reason_of(line).describe(line)) == (reason == "unknown"), line


def test_only_code_has_code_marks_in_a_finding():
    reads = {"syncs": 2, "sync_causes": {"NumPy on a tensor": 1, ".item()": 1}}
    assert "values that NumPy on a tensor and `.item()` read" in describe_python(measurements_of(0.01, **reads))


@pytest.mark.parametrize(("product_s", "reason"), [(2e-3, "compute"), (5e-4, "unknown")])
def test_products_of_many_flops_and_other_arithmetic_compute_together(product_s, reason):
    seconds = {"MatMul": 4e-3, "MatrixTriangularSolve": 3e-3, "MatrixBandPart": 3e-3}
    line = measurements_of(0.01, product_s=product_s, operation_seconds=seconds)
    line = replace(line, are_operations_timed_apart=True)
    assert reason_of(line).name == reason, line


def test_products_inside_another_operation_compute_together_with_other_arithmetic():
    seconds = {"my_layer": 4e-3, "sin": 3e-3, "my_op": 3e-3}
    line = measurements_of(0.01, product_s=3e-3, operation_seconds=seconds)
    assert reason_of(line).name == "compute", line
    assert reason_of(replace(line, product_s=1e-3)).name == "unknown", line


@pytest.mark.parametrize(("name", "product_s"), [("mm", 8e-3), ("stack", 0.0)])
def test_a_line_that_also_runs_a_model_gets_no_advice_on_its_loader(name, product_s):
    line = measurements_of(0.01, product_s=product_s, operation_seconds={name: 0.01}, loaders=1)
    assert ("`DataLoader`" in reason_of(line).advise(line)) == (not product_s), line


def test_a_call_is_compared_with_the_limits_of_its_tensors_framework(monkeypatch):
    monkeypatch.setattr(frameworks, "loaded", lambda: frameworks.ALL[::-1])
    assert _framework_of(max, ([torch.ones(1)],)).name == "torch"
    assert _framework_of(measurements_of, (1, 2)).name == "torch", "the module of the function imports it"
    assert _framework_of(max, (1, 2)) is frameworks.ALL[-1], "the first that is loaded"


@pytest.mark.parametrize("name", ["torch", "tensorflow"])
def test_advice_names_only_the_framework_in_use(name):
    used, foreign = (TORCH, TENSORFLOW) if name == "torch" else (TENSORFLOW, TORCH)
    line = replace(measurements_of(1e-3), remedy_words=used, groups_by_key=True)
    advice = " ".join(advise(line) for advise in (advise_fewer_calls, advise_group, advise_one_array))
    advice += advise_fewer_calls(replace(line, is_backward=True))
    growth = measurements_of(0.01, grown_bytes=MIB, bytes=MIB, memory_s=8e-3, operation_seconds={"cat": 0.01})
    growth = replace(growth, remedy_words=used)
    advice += reason_of(growth).advise(growth)
    for field in ("compiler", "step_compiler", "array_reader", "sum_by_label", "join_once"):
        assert getattr(used, field) in advice and getattr(foreign, field) not in advice, advice


@pytest.mark.parametrize(
    ("source", "groups"),
    [
        ("sums[row['id']] = sums.get(row['id'], 0.0) + row['x']", True),
        ("rows.setdefault(row['id'], []).append(row)", True),
        ("rows.append(row.setdefault('id', 0))", False),
        ("sums[row['id']] = defaults.get(row['id'], 0.0)", False),
        ("rate = config.get('rate', 0.1) + 1", False),
        ("out[i] = out[i - 1] + x[i]", False),
    ],
)
def test_a_loop_that_adds_to_what_a_dictionary_has_for_a_key_groups_values(source, groups):
    assert groups_by_key(tuple(ast.walk(ast.parse(source)))) == groups
    line = replace(measurements_of(1e-2, launches=0, runs=9), groups_by_key=groups)
    assert reason_of(line).name == "python"
    assert reason_of(line).lesson_for(line)[:2] == ("06" if groups else "03")


def test_small_operations_and_the_values_that_are_read_between_them_count_separately():
    reads = {"syncs": 60, "sync_causes": {".item()": 60}}
    line = measurements_of(1e-3, launches=60, runs=60, library_calls=60, operation_seconds={"select": 1e-4}, **reads)
    assert "60 small operations one by one and reads 60 values" in describe_launches(line)


@pytest.mark.parametrize(("name", "work"), [("sort", " arithmetic or comparisons"), ("exp", " arithmetic")])
def test_comparisons_are_not_called_arithmetic_alone(name, work):
    for left_s in (9e-3, 3e-3):
        line = measurements_of(0.01, operation_seconds={name: 0.01}, arithmetic_seconds={name: left_s}, memory_s=2e-3)
        assert reason_of(line).name == "compute"
        assert re.search(f"{work}(,| and on waiting)", reason_of(line).describe(line)), line


def test_estimated_runs_read_as_many_values_as_they_synchronize():
    weighted = [(LineTally(syncs=1, sync_causes=[".item()"]), 1.4)] * 2
    work = line_work(weighted, NO_BYTES)
    assert work.syncs == sum(work.sync_causes.values()) == 3


@pytest.mark.parametrize(
    ("page_fault_s", "product_s", "reason"),
    [
        (0.0, 7e-3, "compute"),
        (9e-3, 7e-3, "compute"),  # Without all new pages, products still take most of the time.
        (0.0125, 7e-3, "unknown"),  # Products and new pages take about as long.
        (0.016, 7e-3, "allocation"),
        (0.013, 1e-3, "allocation"),  # So few flops may be waits for new pages.
    ],
)
def test_new_pages_are_the_reason_only_if_products_take_less_time_without_them(page_fault_s, product_s, reason):
    seconds = {"convolution": 0.026, "relu": 0.003}
    line = measurements_of(
        0.029, page_fault_s=page_fault_s, product_s=product_s, memory_s=5e-3, operation_seconds=seconds
    )
    assert reason_of(line).name == reason, line
    line = replace(line, work=replace(line.work, reads=30 * MIB, minimum_traffic=BytesMoved(9 * MIB, 0, 0)))
    assert reason_of(line).name == reason, "some of its bytes need not move, but that takes little of its time"
