"""Compiled code: its graphs are reported, its operations are counted as written, and only a race compiles it."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from course_utils import count, first_call, graphs
from course_utils.core.compile_cache import configure_compile_cache
from course_utils.core.wording import format_duration
from course_utils.judging.answer import Answer
from course_utils.judging.judge import judge
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Task
from course_utils.timing import first_call as first_calls


@pytest.fixture(autouse=True)
def reset_compiler():
    torch._dynamo.reset()


def leaky(x):
    return torch.where(x > 0, x * 2, x / 2)


def leaky_slow(x):
    return torch.stack([value * 2 if value > 0 else value / 2 for value in x]) if len(x) else x.clone()


def breaking(x):
    if x.sum().item() > 1e9:
        return x
    return leaky(x)


def traced(function):
    """Compile without the code generation, which takes seconds."""
    return torch.compile(function, backend="eager")


def task_with(*limits):
    return Task(
        id="leaky", title="Leaky", points=1, level=1, slow=leaky_slow, limits=limits, target=2.0, race_size=512,
        inputs=lambda size, generator: (torch.from_numpy(generator.standard_normal(size)),),
    )  # fmt: skip


@pytest.mark.slow
def test_function_without_a_break_is_one_graph():
    report = graphs(traced(leaky), (torch.ones(3),), (torch.ones(3),))
    assert (report.traced, report.ran, report.breaks) == (1, 2, ())
    assert graphs(leaky, (torch.ones(3),)).ran == 0


def test_graph_break_is_reported_with_its_line():
    report = graphs(traced(breaking), (torch.ones(3),))
    assert report.ran == 2
    (line,) = report.breaks
    assert "`if x.sum().item() > 1e9:`" in line and "Tensor.item" in line
    assert line in repr(report)


@pytest.mark.skipif("capture_scalar_outputs" not in torch.compile.__doc__, reason="fullgraph=True rejects reads")
def test_a_read_ends_no_graph_of_a_function_that_is_compiled_as_a_whole():
    scale = torch.compile(lambda x: x * x.sum().item(), backend="eager", fullgraph=True)
    assert graphs(scale, (torch.ones(3),)).breaks == ()


def test_second_shape_traces_a_graph_for_all_shapes():
    report = graphs(traced(leaky), *[(torch.ones(size),) for size in (3, 4, 5, 6)])
    assert (report.traced, report.ran) == (2, 4)


def test_count_runs_compiled_code_uncompiled():
    graphs_compiled = []

    def backend(module, inputs):
        graphs_compiled.append(module)
        return module

    function = torch.compile(leaky, backend=backend)
    assert count(function, torch.ones(3))[1].ops == 4
    assert not graphs_compiled
    function(torch.ones(3))
    assert len(graphs_compiled) == 1


def test_uncompiled_answer_gets_a_message():
    verdict = judge(task_with(at_most(1, "graphs")), Answer(leaky, task_with(at_most(1, "graphs"))))
    assert "nothing is compiled" in verdict.message


def test_single_operation_needs_no_compiler():
    task = replace(task_with(at_most(1, "graphs")), slow=lambda x: leaky_slow(x) / 2)

    def in_python(x):
        values = [value if value > 0 else value / 4 for value in x.tolist()]
        return torch.tensor(values, dtype=x.dtype, device=x.device)

    verdict = judge(task, Answer(lambda x: torch.nn.functional.leaky_relu(x, 0.25), task), race_s=0)
    assert verdict.lines[1].text == "one operation, which needs no compiler", verdict.message
    for answer in (lambda x: leaky(x) / 2, in_python):
        assert "nothing is compiled" in judge(task, Answer(answer, task), race_s=0).message


@pytest.mark.slow
def test_answer_in_several_graphs_gets_the_line_of_the_break():
    task = task_with(at_most(1, "graphs"))
    verdict = judge(task, Answer(traced(breaking), task))
    assert "into 2 graphs" in verdict.message and "x.sum().item()" in verdict.message


def test_answer_that_fullgraph_rejects_gets_the_line_of_the_break():
    task = task_with(at_most(1, "graphs"), at_most(0, "syncs"))
    verdict = judge(task, Answer(torch.compile(breaking, fullgraph=True), task))
    # Up to torch 2.9, recording ignores fullgraph=True and gets two graphs; later versions get one partial graph.
    assert "a graph ends at line" in verdict.message and "x.sum().item()" in verdict.message


@pytest.mark.slow
def test_answer_that_is_retraced_for_new_values_gets_a_message():
    def chosen(x):
        return leaky(x) + 0 * len(f"{values.pop()}")

    values = ["a" * each for each in range(99)]
    task = task_with(at_most(1, "graphs"))
    verdict = judge(task, Answer(traced(chosen), task))
    assert "traced" in verdict.message


def test_message_on_operations_says_that_compiled_code_counts_as_written():
    task = task_with(at_most(3, "ops"))
    assert "compiled code count as you wrote them" in judge(task, Answer(traced(leaky), task)).message
    assert "compiled code count as you wrote them" not in judge(task, Answer(leaky, task)).message


@pytest.mark.slow
def test_only_the_race_compiles_an_answer():
    shapes = []

    def backend(module, inputs):
        shapes.append([tuple(each.shape) for each in inputs if isinstance(each, torch.Tensor)])
        return module

    task = task_with(at_most(1, "graphs"))
    verdict = judge(task, Answer(torch.compile(leaky, backend=backend), task))
    assert "the compiler generates no code at this size: each of 4 operations still runs on its own" in verdict.message
    assert verdict.compiled and not judge(task_with(), Answer(leaky, task_with())).compiled
    assert verdict.lines[1].text == "compiled, in 1 graph"
    assert shapes == [[(task.race_size,)]]


def test_compiler_error_is_explained():
    rejected = torch.compile(breaking, backend="eager", fullgraph=True)
    with pytest.raises(first_calls.CompileFailed, match=r"breaking could not be compiled\. .*torch\.where selects"):
        first_call(rejected, torch.ones(3))
    task = task_with()
    assert "torch.where selects" in judge(task, Answer(rejected, task)).message
    task = task_with(at_most(1, "graphs"))
    assert "torch.where" in judge(task, Answer(rejected, task)).message


def test_missing_cpp_compiler_error_says_how_to_install_one():
    from torch._inductor.exc import InvalidCxxCompiler

    def without_compiler():
        raise InvalidCxxCompiler

    with pytest.raises(first_calls.CompileFailed, match=r"needs a C\+\+ compiler.* install "):
        first_call(without_compiler)


def test_long_compilation_is_stopped(monkeypatch):
    monkeypatch.setattr(first_calls, "COMPILE_LIMIT_S", 0.2)

    def endless():
        while True:
            pass

    with pytest.raises(first_calls.CompileFailed, match=r"took more than 0\.2 s\..*Compile a single step"):
        first_call(endless)


def test_first_call_leaves_its_seconds_on_the_page(monkeypatch):
    shown = []

    class Handle:
        def update(self, bundle, raw):
            shown.append(bundle["text/html"])

    monkeypatch.setattr("IPython.get_ipython", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda *_, **__: Handle())
    seconds = first_call(lambda: time.sleep(0.01))
    assert shown[-1] == f"<p>The first call of &lt;lambda&gt; took {format_duration(seconds)}.</p>"


def test_learners_own_error_passes_through():
    with pytest.raises(ZeroDivisionError):
        first_call(lambda: 1 / 0)


@pytest.mark.parametrize("folder, is_cached", [("home", True), ("my home", False), ("proc", False)])
def test_compiled_code_is_cached_in_a_usable_folder(folder, is_cached, tmp_path, monkeypatch):
    home = Path("/proc/1/unloop") if folder == "proc" else tmp_path / folder
    monkeypatch.setenv("UNLOOP_HOME", str(home))
    monkeypatch.delenv("TORCHINDUCTOR_CACHE_DIR", raising=False)
    monkeypatch.setattr(os, "access", lambda path, mode: folder != "proc")  # Root may write anywhere.
    configure_compile_cache()
    assert os.environ.get("TORCHINDUCTOR_CACHE_DIR") == (str(home / "compiled") if is_cached else None)
