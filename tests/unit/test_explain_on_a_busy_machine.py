"""`explain` names no part of compiled code as the longest because other programs interrupted it."""

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from sample_limits import PEAKS
from torch import nn

from course_utils import explain, limits
from course_utils.counting.line_work import LineWork
from course_utils.counting.user_code import NO_STATEMENT, Statement, UserCode
from course_utils.explaining import compiled_line_parts, profiler
from course_utils.explaining.assemble_explanation import _work
from course_utils.explaining.compiled_line_parts import OVERHEAD, Part, _are_interrupted, _bound_longest
from course_utils.explaining.profiled_round import ProfiledRound, profile_round
from course_utils.explaining.source_code import source_of
from course_utils.frameworks import torch_compiled_profile
from course_utils.ui.explanation_view import explanation_html

INTERRUPTION_S = 0.5


@pytest.fixture(scope="module")
def look_up():
    """Return a compiled function; other tests need no compiler. Dynamo checks its guards with each backend."""

    @torch.compile(backend="eager")
    def look_up(table, ids, weights):
        return table[ids] @ weights

    return look_up


INPUTS = torch.randn(1000, 256), torch.arange(500), torch.randn(256, 512)


def wait_and_work(seconds):
    time.sleep(seconds)
    start = time.process_time()
    while time.process_time() < start + seconds:
        pass


@pytest.fixture
def rounds(monkeypatch):
    """Return a function that lets another program interrupt the look-up in the first so many profiled calls, and the list
    with the number of these calls.
    """
    profiled = []
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.2)

    def interrupt(number):
        def interrupted_round(*args):
            profiled.append(1)
            each = profile_round(*args)
            if len(profiled) > 1 + number:  # The first one prepares the profiler.
                return each
            works = {
                statement: [_lengthen(work) if work.name in ("index", "linear") else work for work in works]
                for statement, works in each.works.items()
            }
            return each._replace(works=works)

        monkeypatch.setattr(compiled_line_parts, "profile_round", interrupted_round)
        return profiled

    return interrupt


def _lengthen(work):
    return replace(work, end_s=work.end_s + INTERRUPTION_S)


@pytest.mark.parametrize(
    ("threads", "system", "is_known"), [(1, "linux", True), (2, "linux", False), (1, "win32", False)]
)
def test_a_generated_kernel_takes_the_time_in_which_its_thread_had_a_core(monkeypatch, threads, system, is_known):
    monkeypatch.setattr(torch, "get_num_threads", lambda: threads)
    monkeypatch.setattr(torch_compiled_profile.sys, "platform", system)
    works = []
    torch_compiled_profile._add_clock("cpp_fused_add_0", lambda: time.sleep(0.02), "", works)()
    assert (works[0].seconds < 0.01) == is_known, works


@pytest.mark.slow
def test_a_call_is_profiled_again_if_a_part_took_longer_than_its_line(rounds, look_up):
    profiled = rounds(compiled_line_parts.RUNS)
    costliest = explain(look_up, *INPUTS).costliest
    assert len(profiled) > 1 + compiled_line_parts.RUNS
    interrupted_s = sum(part.seconds for part in costliest.parts if part.name == "index")
    assert interrupted_s < 0.9 * costliest.seconds, costliest.parts


@pytest.mark.slow
def test_parts_that_are_always_interrupted_are_not_shown_and_give_no_reason(rounds, look_up):
    rounds(10**6)
    explanation = explain(look_up, *INPUTS)
    assert not explanation.costliest.parts
    assert "in `index`" not in explanation.headline()
    (note,) = (each for each in explanation.notes if "interrupted" in each)
    assert "times are not shown" in note and "explain the call again" in note
    assert not any("has compiled nothing" in each for each in explanation.notes)


def test_a_backward_pass_without_its_parts_is_compiled_code():
    here, nothing = Statement("cell", 1), {key: {} for key in ("runs", "library_calls", "python_calls", "faults")}
    counted = SimpleNamespace(lines={here: LineWork(ops=3)}, cut_short=frozenset())
    for interrupted, calls in (({here}, 1), (set(), 0)):
        profile = SimpleNamespace(counted_lines=counted, given_up=set(), interrupted=interrupted, **nothing)
        assert _work(here, profile).compiled_calls == calls


@pytest.mark.slow
def test_no_module_is_a_part_of_a_compiled_line_whose_parts_are_not_shown(rounds):
    def run(model, x):
        return model(x)

    rounds(10**6)
    model = torch.compile(nn.Sequential(nn.Linear(256, 256), nn.Linear(256, 256)), backend="eager")
    explanation = explain(run, model, INPUTS[0])
    assert explanation.modules and all(part.kind != "module" for part in explanation.costliest.parts)


def test_an_interrupted_part_has_the_time_that_all_others_leave_if_that_is_nearly_all():
    here = Statement("step.py", 9)
    parts = Part("fused tanh", "kernel", 9.0, 1), Part("sum", "operation", 0.05, 1), Part(OVERHEAD, "overhead", 0.0, 1)
    bounded = _bound_longest(parts, here, [], {here: 1.0})
    assert [(part.name, part.seconds) for part in bounded] == [("fused tanh", 0.95), ("sum", 0.05), (OVERHEAD, 0.0)]
    assert _bound_longest((parts[0], replace(parts[1], seconds=0.2), parts[2]), here, [], {here: 1.0}) == ()


def test_a_profiled_call_may_take_longer_if_the_processor_worked_for_all_of_it():
    here = Statement("step.py", 9)
    parts = (Part("mm", "operation", 2.0, 1), Part(OVERHEAD, "overhead", 5.0, 1))
    for core_s, is_interrupted in ((0.9, True), (1.9, False)):
        assert _are_interrupted(parts, here, [ProfiledRound({}, {}, {here: core_s})] * 3, {here: 1.0}) is is_interrupted
    assert not _are_interrupted(parts, here, [ProfiledRound({}, {}, {here: 0.1})] * 3, {here: 1.9}), "it may wait"


@pytest.mark.slow
def test_a_round_shows_how_long_the_processor_worked_for_each_line():
    own = UserCode(wait_and_work)
    each = profile_round(lambda run: run(), lambda: wait_and_work(0.2), own)
    seconds = {source_of(statement): core_s for statement, core_s in each.core_s.items() if statement != NO_STATEMENT}
    assert (
        seconds["time.sleep(seconds)"]
        < 0.1
        <= seconds["while time.process_time() < start + seconds:"] + seconds["pass"]
    ), seconds


@pytest.mark.slow
@pytest.mark.parametrize("show", [str, explanation_html])
def test_an_overhead_that_was_not_measured_has_no_row(rounds, look_up, show):
    rounds(0)
    explanation = explain(look_up, *INPUTS)
    for overhead_s, is_shown in ((1e-6, True), (0.0, False)):
        parts = (Part("mm", "operation", 1e-3, 1), Part(OVERHEAD, "overhead", overhead_s, 1))
        lines = tuple(replace(line, parts=parts) for line in explanation.lines)
        assert (OVERHEAD in show(replace(explanation, lines=lines))) is is_shown
