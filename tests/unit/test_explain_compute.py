"""The reason is `compute` if an operation takes as long per value on cached values. Calls and Python are ruled out
first."""

from dataclasses import replace
from time import perf_counter
from unittest.mock import ANY

import numpy as np
import pytest
import torch
from load_tolerance import in_one_of_three_attempts
from sample_limits import MIB, PEAKS

from course_utils import explain, limits
from course_utils.counting.by_line import count_lines
from course_utils.counting.line_work import LineWork
from course_utils.counting.minimum_traffic import BytesMoved
from course_utils.counting.user_code import NO_STATEMENT, UserCode, statement_at
from course_utils.counting.work_inside_graphs import WHOLE_GRAPH, InnerWork
from course_utils.explaining import profiler
from course_utils.explaining.compare_with_limits import compare_with_limits
from course_utils.explaining.compiled_line_parts import Part
from course_utils.explaining.least_times import LeastTimes
from course_utils.explaining.reasons import reason_of

CALL_S = 1e-5


@pytest.fixture(autouse=True)
def known_limits(monkeypatch):
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.1)


def measurements_of(seconds, parts=(), **work):
    """Return the measurements of a line with this work, on a machine where a call takes 10 µs."""
    peaks = replace(PEAKS, launches_s={"tensorflow": dict.fromkeys(PEAKS.launches_s["torch"], CALL_S)})
    least_times = LeastTimes(peaks, "tensorflow", "tf.profiler", 0.0)
    return compare_with_limits(NO_STATEMENT, seconds, LineWork(**{"launches": 1, **work}), least_times, {}, parts)


@pytest.mark.parametrize(("arithmetic_s", "reason"), [(0.008, "compute"), (0.0004, "traffic")])
def test_passes_over_memory_compute_if_they_take_as_long_in_the_cache(arithmetic_s, reason):
    moved = {"reads": 64 * MIB, "writes": 64 * MIB, "traffic": {BytesMoved(16 * MIB, 16 * MIB, 0): 4}}
    work = {"minimum_traffic": BytesMoved(16 * MIB, 16 * MIB, 0), "operation_seconds": {"Sub": 0.01}, **moved}
    line = replace(measurements_of(0.01, arithmetic_seconds={"Sub": arithmetic_s}, **work), memory_s=0.004)
    assert reason_of(line).name == reason


@pytest.mark.parametrize(("arithmetic_s", "reason"), [(0.0009, "compute"), (0.0, "launches")])
def test_operations_are_not_small_if_they_compute_most_of_the_time(arithmetic_s, reason):
    work = {"operation_seconds": {"Sub": 0.001}, "reads": MIB, "writes": MIB, "launches": 10}
    assert reason_of(measurements_of(0.0012, arithmetic_seconds={"Sub": arithmetic_s}, **work)).name == reason


def bend(x):
    for _ in range(30):
        x = torch.sin(x)
    return x


@pytest.mark.parametrize(("size", "reason"), [(10, "launches"), (8000, "compute")])
@in_one_of_three_attempts
def test_short_operations_compute_if_their_arithmetic_takes_longer_than_their_calls(size, reason):
    line = explain(bend, torch.randn(size)).costliest
    assert line.reason == reason, line


@pytest.mark.parametrize("name", ["ResizeBilinear", "LookupTableFindV2", "_euclidean_dist"])
def test_an_operation_on_many_bytes_computes_if_neither_its_call_nor_python_can_take_the_time(name):
    work = {"operation_seconds": {name: 0.003}, "launches": 48, "reads": 12 * MIB, "writes": 10 * MIB}
    assert reason_of(measurements_of(0.0066, library_calls=3500, **work)).name == "compute"
    assert reason_of(measurements_of(0.0066, library_calls=35_000, **work)).name != "compute"
    mixed = {**work, "operation_seconds": {name: 0.002, "Mul": 0.001}}
    assert reason_of(measurements_of(0.0066, library_calls=3500, **mixed)).name != "compute"


def graph(seconds, inner_works, *parts, **work):
    works = {
        "compiled_calls": 1,
        "runs": 1,
        "operation_seconds": {WHOLE_GRAPH: seconds},
        "inner_works": inner_works,
        **work,
    }
    return measurements_of(seconds, (Part("graph", "call", 0.0, 1), *parts), **works)


def test_long_work_that_the_profiler_omits_is_not_called_call_overhead():
    short, long = (InnerWork(calls=10, seconds=seconds) for seconds in (0.0003, 0.0018))
    assert reason_of(graph(0.002, {"MatMul": short}, ops=10)).name == "launches"
    assert reason_of(graph(0.002, {"MatMul": long}, ops=10)).name != "launches"


def test_operations_of_a_loop_that_take_as_long_as_their_calls_are_small():
    works = {"MatrixSolve": InnerWork(calls=400, seconds=0.005)}
    small, long = (Part("MatrixSolve", "operation", seconds, 400) for seconds in (0.0044, 0.0070))
    assert reason_of(graph(0.011, works, small, ops=2000)).name == "launches"
    assert reason_of(graph(0.011, works, long, ops=2000)).name != "launches"


def test_a_graph_computes_if_it_takes_as_long_per_value_in_the_cache():
    trial = {WHOLE_GRAPH: InnerWork(calls=1, seconds=0.002, arithmetic_s=0.0015)}
    line = graph(0.002, trial)
    assert reason_of(line).name == "compute" and "75\N{NO-BREAK SPACE}%" in reason_of(line).describe(line)
    with_overhead = graph(0.002, trial, Part("fused add", "kernel", 0.0014, 1), Part("the call", "overhead", 0.0006, 1))
    assert "70\N{NO-BREAK SPACE}%" in reason_of(with_overhead).describe(with_overhead)
    assert reason_of(graph(0.002, trial, Part("Transpose", "operation", 0.0015, 1))).name == "traffic"


@pytest.mark.parametrize(("tried_s", "reason"), [(0.002, "traffic"), (0.0002, "unknown")])
def test_only_operations_that_ran_in_the_cache_show_that_a_graph_waits_for_memory(tried_s, reason):
    works = {"UnsortedSegmentSum": InnerWork(calls=2, seconds=0.002, arithmetic_s=0.0001, tried_s=tried_s)}
    line = graph(0.002, works, Part("UnsortedSegmentSum", "operation", 0.002, 2))
    assert reason_of(line).name == reason


@pytest.mark.parametrize(("is_apart", "reason"), [(False, "compute"), (True, "unknown")])
def test_a_kernel_computes_only_if_its_few_bytes_are_neighbors(is_apart, reason):
    works = {"fused convert": InnerWork(calls=1, reads=1_000, writes=1_000, is_apart=is_apart)}
    line = graph(0.001, works, Part("fused convert", "kernel", 0.0006, 1), Part("copy", "kernel", 0.0004, 1))
    assert reason_of(line).name == reason


@pytest.mark.parametrize(
    ("mib", "picked", "reason"),
    [
        (0.5, "add", "compute"),
        (64, "add", "traffic"),
        (0.5, "index", "compute"),  # The bytes of such a kernel are known only if a cache holds what it reads from.
        (0, "index", "unknown"),
    ],
)
def test_a_generated_kernel_computes_if_a_cache_keeps_its_bytes_and_their_traffic_takes_little(mib, picked, reason):
    kernel = Part("fused round", "kernel", 0.02, 1, reads=int(mib * MIB), writes=int(mib * MIB))
    line = measurements_of(0.02, (kernel,), compiled_calls=1, operation_seconds={"round": 0.007, picked: 0.003})
    assert reason_of(replace(line, cold_kernels_s=0.01)).name == reason


@pytest.mark.parametrize(("written", "reason"), [("add", "traffic"), ("index", "unknown")])
def test_a_kernel_that_picks_values_is_traffic_only_if_its_bytes_take_most_of_the_time(written, reason):
    kernel = Part(f"fused {written}", "kernel", 0.02, 1, reads=64 * MIB, writes=4 * MIB)
    line = measurements_of(0.02, (kernel,), compiled_calls=1, operation_seconds={written: 0.01})
    line = replace(line, floor_s=0.008, parts_memory_s=(0.008,), cold_kernels_s=0.008)
    assert reason_of(line).name == reason
    assert reason == "traffic" or "on so few values that a cache holds them" in reason_of(line).advise(line)


def test_kernels_of_xla_are_traffic_only_if_a_trial_in_the_cache_does_not_contradict():
    kernel = Part("fused add", "kernel", 0.001, 1)
    for arithmetic_s, reason in ((0.0001, "traffic"), (0.0004, "unknown")):
        trial = {WHOLE_GRAPH: InnerWork(calls=1, seconds=0.001, arithmetic_s=arithmetic_s)}
        works = {**trial, "fused add": InnerWork(calls=1, reads=2 * MIB, writes=MIB)}
        line = graph(0.001, works, kernel)
        assert reason_of(replace(line, parts_memory_s=(0.00055,), cold_kernels_s=0.001)).name == reason


def test_traffic_that_could_be_saved_is_never_called_necessary():
    moved = {"reads": 64 * MIB, "writes": 64 * MIB, "minimum_traffic": BytesMoved(MIB, MIB, 0)}
    line = measurements_of(0.01, arithmetic_seconds={"Sub": 0.004}, operation_seconds={"Sub": 0.01}, **moved)
    line = replace(line, memory_s=0.0035, cold_memory_s=0.006)
    assert reason_of(line).name == "traffic" and "is enough" in reason_of(line).describe(line)


def test_work_that_an_operation_hides_is_neither_python_nor_small():
    for library_calls, seconds, otherwise in ((90_000, 0.02, "python"), (400, 0.0001, "launches")):
        work = {"launches": 9, "library_calls": library_calls, "hidden_work": {"IteratorGetNext": 8}}
        line = measurements_of(seconds, **work)
        assert reason_of(line).name == "unknown" and "`IteratorGetNext`" in reason_of(line).describe(line)
        assert reason_of(line).advise(line).startswith("Profile it with `tf.profiler`. If `map` gets single elements")
        assert reason_of(measurements_of(seconds, **{**work, "hidden_work": {}})).name == otherwise


def copy_arrays(place, arrays):
    for i, array in enumerate(arrays):
        place[i, : len(array)] = torch.from_numpy(array)


def multiply(sparse, features):
    return torch.sparse.mm(sparse, features)


def test_an_array_is_memory_that_every_version_reads():
    arrays = [np.ones(1000, np.float32)] * 20
    work = explain(copy_arrays, torch.zeros(20, 1000), arrays).costliest.counts
    assert work.minimum_traffic == BytesMoved(4000, 80_000, 0), "all views of one array are the same bytes"


def test_a_number_to_the_power_of_a_tensor_is_explained():
    exponents = torch.linspace(0, 1, 4096)
    assert explain(lambda x: 10_000.0**-x + x**2, exponents).costliest.counts.ops > 0


@pytest.mark.slow
def test_a_sparse_product_runs_again_on_one_row():
    positions = torch.stack([torch.arange(20_000) % 5000, torch.arange(20_000) * 7919 % 5000])
    coo = torch.sparse_coo_tensor(positions, torch.ones(20_000), (5000, 5000)).coalesce()
    for sparse in (coo, coo.to_sparse_csr()):
        work = explain(multiply, sparse, torch.ones(5000, 64)).costliest.counts
        name = max(work.operation_seconds, key=work.operation_seconds.get)
        assert "mm" in name and 0 < work.arithmetic_seconds[name] <= work.operation_seconds[name], work


@pytest.mark.parametrize(
    ("tensor", "is_apart"),
    [
        (torch.ones(100, 8, 64).transpose(0, 1), False),
        (torch.ones(100, 8, 16).transpose(0, 1), True),
        (torch.ones(1000, 80, 64).transpose(0, 1), True),
        (torch.ones(1000, 8, 256).transpose(0, 1), False),
        (torch.ones(100, 64).T, True),
    ],
)
def test_values_in_long_rows_are_neighbors_in_memory(tensor, is_apart):
    def step():
        return tensor + 1

    lines = count_lines(step, UserCode(step), perf_counter, limit_s=60.0).lines
    assert any(work.strided_s for work in lines.values()) == is_apart


def test_a_count_of_sampled_runs_is_exact_if_all_do_the_same_and_else_an_estimate():
    x, y = torch.zeros(3), torch.zeros(600, 2)

    def step():
        for index in range(1200):
            x.add_(1)
            index % 10 or x.mul_(2)
        for row in y:
            for _ in row:
                pass

    lines = count_lines(step, UserCode(step), perf_counter, limit_s=60.0).lines
    first = step.__code__.co_firstlineno
    works = {each.number - first: work for each, work in lines.items()}
    assert {line: work.launches for line, work in works.items() if work.launches} == {2: 1200, 3: ANY, 4: 1, 5: 600}
    assert works[5].operands == 600 * 3, "each row becomes two tensors"
    assert [works[line].count_prefix for line in (2, 3, 4, 5)] == ["", "about ", "", ""]


def test_work_after_a_recursive_call_counts_for_the_run_that_made_the_call():
    x = torch.zeros(3)

    def deep(depth):
        return (deep(depth - 1) if depth else x).add_(1)

    def step():
        for _ in range(40):
            deep(30)

    lines = count_lines(step, UserCode(step), perf_counter, limit_s=60.0).lines
    work = lines[statement_at(deep.__code__, deep.__code__.co_firstlineno + 1)]
    assert (work.launches, work.count_prefix) == (40 * 31, "about ")


def test_memory_of_a_loop_head_is_that_of_its_beginnings():
    labels, table = torch.arange(1000), torch.zeros(600, 4)

    def step():
        for label in range(3):
            for _ in labels == label:
                pass
        for index in range(600):
            for _ in table[index] + 1:
                pass

    lines = count_lines(step, UserCode(step), perf_counter, limit_s=60.0).lines
    first = step.__code__.co_firstlineno
    works = {each.number - first: work for each, work in lines.items()}
    assert (works[2].reread_bytes, works[2].minimum_traffic.reads) == (2 * labels.nbytes, labels.nbytes)
    assert (works[5].reread_bytes, works[5].minimum_traffic.reads) == (ANY, table.nbytes)


def test_only_runs_that_copy_an_earlier_result_grow_it():
    row = torch.ones(2, 3)

    def step():
        grown = row
        for index in range(6):
            grown = torch.cat([grown, row]) if index % 2 else grown

    lines = count_lines(step, UserCode(step), perf_counter, limit_s=60.0).lines
    # The first of three joined tensors has no result of the line before it.
    assert [(work.grown_bytes, work.growths) for work in lines.values() if work.launches] == [(24 * (3 + 4), 2)]
