"""`explain` shows what runs inside compiled code: guard checks, fused kernels and products, and the first call on its
own.
"""

from dataclasses import replace
from time import perf_counter

import pytest
import torch
from sample_limits import PEAKS
from torch import nn
from torch.nn import functional

from course_utils import explain, limits
from course_utils.counting.line_work import LineWork
from course_utils.counting.user_code import Statement
from course_utils.counting.work_inside_graphs import InnerWork
from course_utils.explaining import fitted_parts, profiler
from course_utils.explaining.compare_with_limits import compare_with_limits
from course_utils.explaining.compiled_line_findings import describe_computing_parts
from course_utils.explaining.compiled_line_parts import (
    GRAPH_OVERHEAD,
    OVERHEAD,
    Part,
    _parts_of,
    _undisturbed_s,
)
from course_utils.explaining.fitted_parts import fit_parts
from course_utils.explaining.least_times import LeastTimes
from course_utils.explaining.profiled_round import ProfiledRound, _with_untraced_guards
from course_utils.explaining.reasons import reason_of
from course_utils.frameworks import tensorflow_compiler, torch_compiled_profile
from course_utils.frameworks.compiler_interface import TimedWork
from course_utils.frameworks.tensorflow_compiler import _Event
from course_utils.frameworks.torch_compiled_profile import MASKS, RANDOM, _add_clock, _read_kernel
from course_utils.timing.line_clock import LineTime
from course_utils.ui import explanation_view

GENERATED = """
cpp_fused_add_exp_0 = async_compile.cpp_pybinding(['const float*', 'float*', 'float*'], r'''
extern "C"  void  kernel(const float* in_ptr0,
                       float* in_out_ptr0,
                       float* out_ptr1)
{
    auto tmp3 = normalized_rand_cpu(tmp1, tmp2);
    auto tmp4 = tmp3.exp();
    auto tmp5 = std::log1p(tmp4);
}
''')

cpp_fused_index_3 = async_compile.cpp_pybinding(['const float*', 'const int64_t*', 'const float*', 'float*'], r'''
extern "C"  void  kernel(const float* in_ptr0,
                       const int64_t* in_ptr1,
                       const float* in_ptr2,
                       float* out_ptr0)
{
    auto tmp0 = in_ptr1[static_cast<int64_t>(x0)];
    auto tmp2 = at::vec::VecMask<int64_t,2>(tmp0 < tmp1);
    auto tmp4 = in_ptr0[static_cast<int64_t>(x1 + 64L*tmp3)];
    auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 64L*tmp3), static_cast<int64_t>(16));
    tmp5.store(out_ptr0 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
}
''')

cpp_fused_mul_1 = async_compile.cpp_pybinding(['const float*', 'float*'], r'''
extern "C"  void  kernel(const float* in_ptr0,
                       float* out_ptr0)
{
    auto tmp1 = tmp0.tanh();
    auto tmp2 = at::vec::VecMask<int64_t,2>(tmp8 >= tmp9);
}
''')
"""


def test_a_generated_kernels_pointers_and_functions_are_read_from_its_source():
    pointers = ["in_ptr0", "in_out_ptr0", "out_ptr1"]
    assert _read_kernel("cpp_fused_add_exp_0", GENERATED) == (pointers, set(), ("exp", "log1p", RANDOM))
    assert _read_kernel("cpp_fused_mul_1", GENERATED) == (["in_ptr0", "out_ptr0"], set(), ("tanh", MASKS))
    assert _read_kernel("cpp_fused_div_2", GENERATED) == ([], set(), ())
    _, by_index, functions = _read_kernel("cpp_fused_index_3", GENERATED)
    assert (by_index, functions) == ({"in_ptr0", "in_ptr2"}, ()), "its mask checks the index"


@pytest.mark.parametrize(("rows", "is_known"), [(256, True), (100_000, False)])
def test_the_bytes_of_a_kernel_that_reads_by_an_index_are_known_if_a_cache_holds_what_it_reads_from(rows, is_known):
    table, index, rows_out = torch.ones(rows), torch.zeros(1000, dtype=torch.int64), torch.ones(1000)
    works = []
    _add_clock("cpp_fused_index_3", lambda *args: None, GENERATED, works)(table, index, table, rows_out)
    assert (works[0].reads, works[0].writes) == ((8 * rows + 8000, 4000) if is_known else (0, 0))


def test_a_generated_kernel_without_an_operation_copies_inputs():
    works = []
    for name in ("cpp_fused_add_exp_0", "cpp_fused_0"):
        _add_clock(name, lambda: None, GENERATED, works)()
    assert [work.name for work in works] == ["fused add_exp", "copies of inputs into another layout"]


def test_tensorflows_profile_shows_operations_of_graphs_and_kernels_of_xla():
    names = ["while/While:While", "while/body/Sin:Sin", "EagerExecute", "while/body/Sin:Sin"]
    times = [(0.0, 9.0), (1.0, 2.0), (3.0, 8.0), (4.0, 5.0)]
    operations = tensorflow_compiler._graph_operations(_Event(*time, name) for time, name in zip(times, names))
    assert [(work.name, work.kind, work.start_s) for work in operations] == [
        ("Sin", "operation", 1.0),
        ("Sin", "operation", 4.0),
    ]
    events = [_Event(0.0, 1.0, "add_tanh_fusion.1"), _Event(1.0, 1.0, "end: add_tanh_fusion.1")]
    events += [_Event(2.0, 3.0, "matmul.2"), _Event(3.0, 3.0, "end: matmul.2"), _Event(0.0, 9.0, "EagerExecute")]
    kernels = list(tensorflow_compiler._xla_kernels(events))
    assert [(work.name, work.kind) for work in kernels] == [("fused add_tanh", "kernel"), ("matmul", "operation")]
    assert kernels[0].functions == ("tanh",)
    without_end = list(tensorflow_compiler._xla_kernels([_Event(0.0, 1.0, "add_tanh_fusion.1")]))
    assert without_end == kernels[:1], "its end is sometimes missing"
    shared = [_Event(0.0, 1.0, "add_fusion"), _Event(1.5, 1.6, "end: add_fusion"), _Event(3.0, 4.0, "add_fusion")]
    ends = [work.end_s for work in tensorflow_compiler._xla_kernels(shared)]
    assert ends == [1.6, 4.0], "the thread that began it may end before another one"
    shared += [_Event(0.0, 2.0, "CpuExecutable::ExecuteAsyncOnStream")]
    assert next(iter(tensorflow_compiler._xla_kernels(shared))).end_s == 2.0, "the call waits for all threads"


def test_an_xla_loop_is_no_part_if_its_kernels_are_listed():
    loop = [_Event(0.0, 5.0, "while.3"), _Event(5.0, 5.0, "end: while.3")]
    kernels = [_Event(1.0, 2.0, "add_fusion"), _Event(3.0, 4.0, "add_fusion"), _Event(6.0, 7.0, "exp_fusion")]
    assert [work.name for work in tensorflow_compiler._xla_kernels(loop)] == ["while"]
    assert [work.start_s for work in tensorflow_compiler._xla_kernels(loop + kernels)] == [1.0, 3.0, 6.0]


def test_the_profile_shows_operations_within_microseconds_of_their_calls():
    x, times = torch.ones(8), []
    with torch_compiled_profile.profile(torch) as works:
        for _ in range(50):
            times.append(perf_counter())
            x + x
            times.append(perf_counter())
    operations = sorted((work.start_s, work.end_s) for work in works if work.name == "add")
    gaps = [
        (start_s - before_s, after_s - end_s)
        for (start_s, end_s), before_s, after_s in zip(operations, times[::2], times[1::2])
    ]
    assert len(gaps) == 50 and min(map(min, gaps)) > -2e-6


HERE = Statement("step.py", 9)


def test_parts_add_up_to_their_line_and_the_rest_is_the_call():
    parts = (Part("mm", "operation", 0.6, 2), Part("fused exp", "kernel", 0.3, 1), Part("expand", "operation", 1e-3, 1))
    fitted = fit_parts(parts, HERE, 1.0, LineWork())
    assert [part.name for part in fitted] == ["mm", "fused exp", "call overhead and Python"]
    assert sum(part.seconds for part in fitted) == pytest.approx(1.0)
    assert sum(part.seconds for part in fit_parts(parts, HERE, 0.5, LineWork())) == pytest.approx(0.5)
    assert fit_parts([Part("mm", "operation", 0.1, 1)] * 3, HERE, 0.3, LineWork())[-1].seconds == 0.0


def test_short_operation_takes_no_longer_than_as_it_is_written():
    parts = (Part("mm", "operation", 1.5e-5, 1), Part("fused relu", "kernel", 1e-6, 1))
    work = LineWork(operation_counts={"mm": 1}, operation_seconds={"mm": 2e-6})
    seconds = {part.name: part.seconds for part in fit_parts(parts, HERE, 2e-5, work)}
    assert seconds == pytest.approx({"mm": 2e-6, "fused relu": 1e-6, OVERHEAD: 1.7e-5})


def test_parts_of_a_disturbed_line_have_their_shares_of_the_profiled_call():
    parts = (Part("MatMul", "operation", 0.6, 1), Part(OVERHEAD, "overhead", 0.2, 1))
    disturbed, plain = (
        {part.name: part.seconds for part in fit_parts(parts, HERE, seconds, LineWork())} for seconds in (1.6, 0.7)
    )
    assert disturbed == pytest.approx({"MatMul": 1.2, OVERHEAD: 0.4})
    assert plain == pytest.approx({"MatMul": 0.6, OVERHEAD: 0.1}), "profiling lengthened the rest"
    least_times = LeastTimes(PEAKS, "torch", "torch.profiler", 0.0)
    line = compare_with_limits(HERE, 1.6, LineWork(compiled_calls=1), least_times, {}, parts)
    assert line.seconds == pytest.approx(0.8), "its reason is decided by the time that was disturbed least"


@pytest.mark.parametrize("written", ["convolution", "conv1d"])
@pytest.mark.parametrize(("calls", "reason"), [(5, "compute"), (6, "unknown")])
def test_an_operation_that_compiled_code_calls_as_it_is_written_computes_as_it_does_alone(calls, reason, written):
    parts = (Part("convolution", "operation", 0.9, calls), Part(OVERHEAD, "overhead", 0.1, 1))
    work = LineWork(
        launches=5,
        compiled_calls=1,
        operation_counts={written: 5},
        operation_seconds={written: 2.0},
        arithmetic_seconds={written: 1.9},
    )
    least_times = LeastTimes(PEAKS, "torch", "torch.profiler", 0.0)
    assert reason_of(compare_with_limits(HERE, 1.0, work, least_times, {}, parts)).name == reason


@pytest.mark.parametrize(("name", "tried_s"), [("convolution", 0.9), ("where", 0.0)])
def test_a_choice_that_compiled_code_calls_as_it_is_written_shows_no_wait_for_memory(name, tried_s):
    work = LineWork(operation_counts={name: 5}, operation_seconds={name: 2.0}, arithmetic_seconds={name: 0.4})
    parts = (Part(name, "operation", 0.9, 5), Part(OVERHEAD, "overhead", 0.1, 1))
    assert fit_parts(parts, HERE, 1.0, work)[0].tried_s == pytest.approx(tried_s)


def test_an_interruption_lengthens_no_part():
    def occurrences(*seconds):
        return [TimedWork("mm", "operation", float(start), start + each) for start, each in enumerate(seconds)]

    assert _undisturbed_s([occurrences(1e-3, 0.5), occurrences(0.5, 2e-3), occurrences(1e-3, 2e-3)]) == pytest.approx(
        3e-3
    )
    assert _undisturbed_s([[], occurrences(0.2), occurrences(0.1)]) == pytest.approx(0.1)
    assert _undisturbed_s([[], [], occurrences(0.1)]) == 0.0


def test_a_guard_check_takes_as_long_as_without_tracing():
    guards = [TimedWork("lookup", "guards", start, start + 5.0) for start in (10.0, 0.0)]
    kernel = TimedWork("fused exp", "kernel", 6.0, 7.0)
    checks = {work.start_s: work.end_s for work in _with_untraced_guards([*guards, kernel], [1.0, 2.0])}
    assert checks == {0.0: 1.0, 6.0: 7.0, 10.0: 12.0}
    assert _with_untraced_guards([*guards, kernel], [1.0]) == [kernel], "these are other checks"


def test_work_that_was_delayed_in_one_round_is_no_overhead_of_the_call_in_another():
    def one_round(work_s, whole_s):
        works = {HERE: [TimedWork("fused exp", "kernel", 0.0, work_s)]}
        return ProfiledRound(works, {HERE: LineTime(spent=whole_s)})

    kernel, overhead = _parts_of(HERE, [one_round(1.0, 6.0), one_round(5.0, 5.5), one_round(5.0, 6.0)])
    assert (kernel.seconds, overhead.seconds) == (1.0, 0.5)


def test_many_small_parts_are_no_overhead_of_the_call():
    parts = [Part(f"fused exp_{index}", "kernel", 0.004, 1) for index in range(100)]
    assert [(part.name, part.seconds, part.calls) for part in fit_parts(parts, HERE, 1.0, LineWork())] == [
        ("other operations", pytest.approx(0.4), 100),
        ("call overhead and Python", pytest.approx(0.6), 1),
    ]


def test_the_rest_of_a_graph_is_the_start_of_its_operations():
    parts = [Part("graph", "call", 0.0, 1), Part("MatMul", "operation", 0.3, 1)]
    assert [part.name for part in fit_parts(parts, HERE, 1.0, LineWork())] == ["MatMul", GRAPH_OVERHEAD]


def test_the_number_of_short_runs_in_a_graph_is_the_least_one():
    parts = [
        Part("a graph", "call", 0.0, 1),
        Part("Less", "operation", 0.004, 500),
        Part("MatMul", "operation", 0.5, 2),
    ]
    labels = [part.label for part in fit_parts(parts, HERE, 0.6, LineWork())]
    assert labels == ["Less × 500 or more", "MatMul × 2", GRAPH_OVERHEAD]


def test_a_part_has_a_line_only_if_its_operation_was_written_once_or_runs_in_no_other_part():
    first, second = Statement("step.py", 3), Statement("step.py", 4)
    written = {("exp", first): 1, ("add", first): 1, ("add", second): 1, ("relu", HERE): 1}
    parts = [Part(f"fused {name}", "kernel", 0.3, 1) for name in ("exp_add", "add", "relu")]
    fitted = fit_parts(parts, HERE, 1.0, LineWork(compiled_operations=written))
    assert [part.lines for part in fitted[:3]] == [(3,), (), ()]
    for other, lines in (("mm", (3, 4)), ("addmm", (3,))):  # One of the additions may have become part of `addmm`.
        parts = [Part("fused exp_add", "kernel", 0.5, 1), Part(other, "operation", 0.4, 1)]
        assert fit_parts(parts, HERE, 1.0, LineWork(compiled_operations=written))[0].lines == lines
    convolution = [Part("convolution", "operation", 0.9, 1)]
    assert fit_parts(convolution, HERE, 1.0, LineWork(compiled_operations={("conv1d", first): 1}))[0].lines == (3,)
    written = {("mm", Statement("step.py", number)): 1 for number in (3, 4, 5)}
    for calls, lines in ((3, (3, 4, 5)), (2, ())):  # One of three may have become another operation, such as `addmm`.
        fitted = fit_parts([Part("mm", "operation", 0.9, calls)], HERE, 1.0, LineWork(compiled_operations=written))
        assert fitted[0].lines == lines


def test_an_operation_that_xla_runs_next_to_kernels_has_the_bytes_of_its_own_runs_only():
    work = LineWork(inner_works={"MatMul": InnerWork(calls=10, reads=1000)})
    product, kernel = Part("MatMul", "operation", 0.5, 1), Part("fused dot", "kernel", 0.4, 9)
    assert fit_parts([product, kernel], HERE, 1.0, work)[0].reads == 100
    assert fit_parts([product], HERE, 1.0, work)[0].reads == 1000  # A graph's profiler omits short runs.


MODEL = nn.Sequential(nn.Linear(256, 512), nn.GELU(), nn.Linear(512, 10))


@pytest.fixture(scope="module")
def explanation():
    """Return a training step of a compiled model, explained in its first call."""
    compiled = torch.compile(MODEL)
    optimizer = torch.optim.SGD(MODEL.parameters(), 0.1)

    def step(x, labels):
        optimizer.zero_grad()
        loss = functional.cross_entropy(compiled(x), labels)
        loss.backward()
        optimizer.step()
        return loss.item()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
        patch.setattr(profiler, "BUDGET_S", 0.2)
        patch.setattr(fitted_parts, "NEGLIGIBLE", 0.0)  # On a busy machine, a kernel's share of its line may be tiny.
        yield explain(step, torch.randn(128, 256), torch.randint(10, (128,)))


@pytest.mark.slow
def test_a_compiled_training_step_reads_forward_backward_optimizer(explanation):
    sources = [line.source for line in explanation.lines if line.number]
    assert sources == [
        "optimizer.zero_grad()",
        "loss = functional.cross_entropy(compiled(x), labels)",
        "loss.backward()",
        "optimizer.step()",
        "return loss.item()",
    ]
    assert all(line.file in ("", __file__) for line in explanation.lines), "no generated file shows"


@pytest.mark.slow
def test_a_compiled_models_tree_shows_a_call_without_the_compiler(explanation):
    modules = {module.name: module for module in explanation.modules}
    assert list(modules) == ["Sequential", "0", "1", "2"]
    assert modules["0"].floor_s > 0 and modules["0"].runs == 1
    assert modules["0"].seconds <= modules["Sequential"].seconds <= explanation.uncompiled_s
    assert "in a call without the compiler" in str(explanation)
    assert "in a call without the compiler" in explanation_view.explanation_html(explanation)


@pytest.mark.slow
def test_compilation_counts_as_first_call_only(explanation):
    assert explanation.first_call_s > 10 * explanation.measured_s
    assert "first call" in str(explanation)
    assert sum(line.seconds for line in explanation.lines) == pytest.approx(explanation.measured_s, rel=0.15)


@pytest.mark.slow
def test_the_parts_of_compiled_code_are_products_kernels_and_the_call(explanation):
    _, forward, backward, *_ = explanation.lines
    for line in (forward, backward):
        names = {part.name for part in line.parts}
        assert names & {"addmm", "mm"} and "call overhead and Python" in names, names
        assert sum(part.seconds for part in line.parts) == pytest.approx(line.seconds)
        assert line.is_compiled and "counted as written" in repr(explanation)
    kernels = [part for part in forward.parts if part.kind == "kernel"]
    assert any(part.functions and part.reads and part.writes for part in kernels), kernels


calls = 0


def shifted(x, offset):
    return x + offset


def counted(x):
    global calls
    calls += 1
    return shifted(x, calls)


def compile_here(monkeypatch, name):
    """Compile a function or model of this file: every test process imports the file, and the compiler takes seconds."""
    compiled = torch.compile(globals()[name], backend="eager")
    monkeypatch.setitem(globals(), name, compiled)


@pytest.mark.slow
def test_the_call_warms_up_until_nothing_is_traced_any_more(monkeypatch):
    compile_here(monkeypatch, "shifted")
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.1)
    # torch traces the first offsets as constants, one trace each, before it traces a variable offset.
    explanation = explain(counted, torch.ones(3))
    assert explanation.first_call_s > explanation.measured_s
    assert not any("Every run" in note for note in explanation.notes), explanation
    assert [line.source for line in explanation.lines if line.is_compiled] == ["return shifted(x, calls)"]


class Looped(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            if x.mean().item() > 1e9:  # A graph cannot end inside a loop, so torch compiles nothing.
                break
        return x


looped = Looped()


def forward(x):
    return looped(x)


@pytest.mark.slow
def test_code_that_the_compiler_gave_up_is_explained_as_it_runs(monkeypatch):
    compile_here(monkeypatch, "looped")
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.1)
    explanation = explain(forward, torch.ones(4, 8))
    assert not any(line.is_compiled for line in explanation.lines), explanation
    assert any("has compiled nothing that runs in line" in note for note in explanation.notes), explanation
    assert "one by one" not in explanation.modules_title()


def compiled_in_each_call(x):
    names = {}
    exec("def shift(x): return x + 1", names)  # noqa: S102 - new code, which no compiler knows yet
    return torch.compile(names["shift"], backend="eager")(x)


@pytest.mark.slow
def test_a_call_that_never_stops_compiling_is_described_by_the_runs_that_were_tried(monkeypatch):
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.1)
    with torch._dynamo.config.patch(recompile_limit=64):  # Older versions of PyTorch would give up after 8.
        explanation = explain(compiled_in_each_call, torch.ones(3))
    (note,) = (each for each in explanation.notes if "TORCH_LOGS" in each)
    assert explanation.first_call_s is None, "the first call compiles no more than the others"
    assert note.startswith(f"Each of the first {1 + profiler.MAX_WARM_UPS} runs of the call compiled something")


@pytest.mark.parametrize(("reads", "reason"), [(64, "compute"), (0, "unknown")])
def test_a_kernel_that_picks_values_computes_only_if_its_bytes_are_known(reads, reason):
    kernel = Part("fused exp_index", "kernel", 0.99, 1, reads=reads, functions=("exp",))
    work = LineWork(launches=1, compiled_calls=1, operation_seconds={"index": 0.5, "exp": 0.5})
    least_times = LeastTimes(PEAKS, "torch", "torch.profiler", 0.0)
    assert reason_of(compare_with_limits(HERE, 1.0, work, least_times, {}, (kernel,))).name == reason


def test_a_part_that_takes_hardly_any_time_is_not_said_to_compute():
    product, filling = Part("dot", "operation", 0.97, 1), Part("wrapped_broadcast", "kernel", 0.01, 1, writes=64)
    work = LineWork(compiled_calls=1, inner_works={"wrapped_broadcast": InnerWork(calls=1, writes=64, seconds=0.01)})
    least_times = LeastTimes(PEAKS, "tensorflow", "tf.profiler", 0.0)
    line = replace(compare_with_limits(HERE, 1.0, work, least_times, {}, (product, filling)), product_s=0.4)
    finding = describe_computing_parts(line)
    assert "`dot`" in finding and "broadcast" not in finding, finding
