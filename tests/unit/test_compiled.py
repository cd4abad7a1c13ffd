"""Compiled code: cut into graphs that are told, counted as it is written, compiled once where it is timed."""

import os
from pathlib import Path

import pytest
import torch

from course_utils import count, first_call, graphs
from course_utils.core.compile_cache import configure_compile_cache
from course_utils.judging.answer import Answer
from course_utils.judging.judge import judge
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Task
from course_utils.timing import first_call as first_calls


@pytest.fixture(autouse=True)
def nothing_compiled_yet():
    torch._dynamo.reset()


def bent(x):
    return torch.where(x > 0, x * 2, x / 2)


def bent_slow(x):
    return torch.stack([value * 2 if value > 0 else value / 2 for value in x]) if len(x) else x.clone()


def broken(x):
    if x.sum().item() > 1e9:
        return x
    return bent(x)


def compiled_as_written(function):
    """Compiled in all but making code, which takes seconds."""
    return torch.compile(function, backend="eager")


def made_up(*limits):
    return Task(
        id="bent", title="Bent", points=1, level=1, slow=bent_slow, limits=limits, target=2.0, race_size=512,
        inputs=lambda size, generator: (torch.from_numpy(generator.standard_normal(size)),),
    )  # fmt: skip


def test_what_is_compiled_as_a_whole_is_one_graph():
    found = graphs(compiled_as_written(bent), (torch.ones(3),), (torch.ones(3),))
    assert (found.traced, found.ran, found.breaks) == (1, 2, ())
    assert graphs(bent, (torch.ones(3),)).ran == 0


def test_where_a_graph_must_end_is_told_with_its_line():
    found = graphs(compiled_as_written(broken), (torch.ones(3),))
    assert found.ran == 2
    (told,) = found.breaks
    assert "`if x.sum().item() > 1e9:`" in told and "Tensor.item()" in told
    assert told in repr(found)


def test_a_new_shape_is_traced_anew_and_then_any_shape_will_do():
    found = graphs(compiled_as_written(bent), *[(torch.ones(size),) for size in (3, 4, 5, 6)])
    assert (found.traced, found.ran) == (2, 4)


def test_counting_compiled_code_counts_what_is_written_and_leaves_it_compiled():
    traced = []

    def backend(module, inputs):
        traced.append(module)
        return module

    function = torch.compile(bent, backend=backend)
    assert count(function, torch.ones(3))[1].ops == 4
    assert not traced
    function(torch.ones(3))
    assert len(traced) == 1


def test_an_answer_that_is_not_compiled_is_told_so():
    verdict = judge(made_up(at_most(1, "graphs")), Answer(bent, made_up(at_most(1, "graphs"))))
    assert "nothing of it is compiled" in verdict.message


def test_an_answer_in_several_graphs_is_told_where_they_end():
    task = made_up(at_most(1, "graphs"))
    verdict = judge(task, Answer(compiled_as_written(broken), task))
    assert "into 2 graphs" in verdict.message and "x.sum().item()" in verdict.message


def test_an_answer_that_fullgraph_would_refuse_is_told_where_its_graph_ends():
    task = made_up(at_most(1, "graphs"), at_most(0, "syncs"))
    verdict = judge(task, Answer(torch.compile(broken, fullgraph=True), task))
    assert "only a part of it" in verdict.message and "x.sum().item()" in verdict.message


def test_an_answer_that_is_traced_for_new_values_is_told_so():
    def chosen(x):
        return bent(x) + 0 * len(f"{values.pop()}")

    values = ["a" * each for each in range(99)]
    task = made_up(at_most(1, "graphs"))
    verdict = judge(task, Answer(compiled_as_written(chosen), task))
    assert "traced" in verdict.message


def test_an_answer_with_too_many_operations_is_told_that_compiled_code_counts_as_written():
    for limit in (at_most(3, "ops"), at_most(0, "bytes")):
        task = made_up(limit)
        assert "counted as it is written" in judge(task, Answer(compiled_as_written(bent), task)).message
        assert "counted as it is written" not in judge(task, Answer(bent, task)).message


def test_a_compiled_answer_is_compiled_for_the_race_alone():
    traced = []

    def backend(module, inputs):
        traced.append([tuple(each.shape) for each in inputs if isinstance(each, torch.Tensor)])
        return module

    task = made_up(at_most(1, "graphs"))
    verdict = judge(task, Answer(torch.compile(bent, backend=backend), task))
    assert verdict.right, verdict.message
    assert verdict.lines[1].text == "compiled, in 1 graph, whatever the size"
    assert traced == [[(task.race_size,)]]


def test_what_the_compiler_refuses_is_told_in_a_sentence():
    refused = torch.compile(broken, backend="eager", fullgraph=True)
    with pytest.raises(first_calls.CompileFailed, match=r"broken could not be compiled\. .*torch\.where chooses"):
        first_call(refused, torch.ones(3))
    task = made_up()
    assert "torch.where chooses" in judge(task, Answer(refused, task)).message
    task = made_up(at_most(1, "graphs"))
    assert "torch.where chooses" in judge(task, Answer(refused, task)).message


def test_a_missing_compiler_is_told_with_how_to_get_one():
    from torch._inductor.exc import InvalidCxxCompiler

    def without_compiler():
        raise InvalidCxxCompiler

    with pytest.raises(first_calls.CompileFailed, match=r"no C\+\+ compiler on this system: .* brings? one"):
        first_call(without_compiler)


def test_what_compiles_for_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(first_calls, "COMPILE_LIMIT_S", 0.2)

    def endless():
        while True:
            pass

    with pytest.raises(first_calls.CompileFailed, match=r"took more than 0\.2 s"):
        first_call(endless)


def test_the_learners_own_error_passes():
    with pytest.raises(ZeroDivisionError):
        first_call(lambda: 1 / 0)


@pytest.mark.parametrize("folder, kept", [("home", True), ("my home", False), ("proc", False)])
def test_compiled_code_is_kept_where_a_compiler_can_write(folder, kept, tmp_path, monkeypatch):
    home = Path("/proc/1/unloop") if folder == "proc" else tmp_path / folder
    monkeypatch.setenv("UNLOOP_HOME", str(home))
    monkeypatch.delenv("TORCHINDUCTOR_CACHE_DIR", raising=False)
    monkeypatch.setattr(os, "access", lambda path, mode: folder != "proc")  # root may write anywhere
    configure_compile_cache()
    assert os.environ.get("TORCHINDUCTOR_CACHE_DIR") == (str(home / "compiled") if kept else None)
