"""A tool that an answer replaces is named and restored; an author's reload of a module replaces nothing."""

import importlib
import subprocess
import sys
import time

import numpy as np
import pytest

from course_utils import tasks
from course_utils.core import wording
from course_utils.judging import describe, tampering
from course_utils.judging import verdict as verdicts

made_up_judging = pytest.importorskip("made_up_judging")

ALL_RELOADED = """
import importlib, pkgutil, sys
import course_utils
from course_utils.judging import tampering
for package in ("core", "frameworks", "sandbox", "timing", "counting", "limits", "races", "tasks", "judging", "learner"):
    folder = importlib.import_module(f"course_utils.{package}")
    for each in pkgutil.iter_modules(folder.__path__):
        if not each.name.startswith(("pytorch", "tensorflow", "torch", "lesson_", "pretend")):
            importlib.import_module(f"course_utils.{package}.{each.name}")
tampering.seal()
ours = [name for name in sys.modules if name.partition(".")[0] == "course_utils" and name != tampering.__name__]
for name in ours + ours[::-1]:
    importlib.reload(sys.modules[name])
    tampering.seal()
    assert not (replaced := tampering.restore_replaced()), (name, replaced)
print(len(ours))
"""


@pytest.fixture(autouse=True)
def sealed():
    tampering.seal()
    assert tampering.restore_replaced() == []
    yield
    tampering.restore_replaced()


@pytest.mark.process
def test_reload_of_any_module_of_the_course_is_no_forgery():
    done = subprocess.run([sys.executable, "-c", ALL_RELOADED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 40


def test_reloaded_module_is_sealed_as_it_is_now():
    before = wording.pluralize
    importlib.reload(wording)
    tampering.seal()
    after = wording.pluralize
    assert after is not before
    assert tampering.restore_replaced() == [] and wording.pluralize is after
    wording.pluralize = lambda *_: "many"
    assert tampering.restore_replaced() == ["course_utils.core.wording.pluralize"] and wording.pluralize is after


def test_functions_that_a_compiler_adds_and_removes_are_no_tools(monkeypatch):
    torch = pytest.importorskip("torch")
    task = tasks.load("polynomial")
    torch.compile(task.slow, backend="eager")(*task.inputs(3, np.random.default_rng(0)))
    module = sys.modules[task.slow.__module__]
    added = [name for name in vars(module) if name.startswith("__compiled_fn")]
    assert added
    monkeypatch.setattr(tampering, "_sealed", {})
    tampering.seal()
    torch.compiler.reset()
    assert not set(added) & set(vars(module))
    assert tampering.restore_replaced() == []


def test_copy_of_a_function_is_replaced_like_any_other():
    original = describe.end_sentence
    describe.end_sentence = type(original)(original.__code__, vars(describe), original.__name__)
    assert tampering.restore_replaced() == ["course_utils.judging.describe.end_sentence"]
    assert describe.end_sentence is original


def test_class_and_clock_are_restored():
    line, clock = verdicts.Line, time.perf_counter
    verdicts.Line = type("Line", (), {})
    time.perf_counter = lambda: 0.0
    assert tampering.restore_replaced() == ["time.perf_counter", "course_utils.judging.verdict.Line"]
    assert (verdicts.Line, time.perf_counter) == (line, clock)


def test_method_of_the_course_is_restored():
    original = verdicts.Verdict.with_line
    verdicts.Verdict.with_line = lambda self, *line: self
    assert tampering.restore_replaced() == ["course_utils.judging.verdict.Verdict.with_line"]
    assert verdicts.Verdict.with_line is original


def test_message_names_every_replaced_tool():
    judge = sys.modules["course_utils.judging.judge"]  # the package offers the function of this name
    clock, compare = time.perf_counter, judge.check_correct

    def row_sums(x):
        time.perf_counter = lambda: 0.0
        judge.check_correct = lambda *_: None
        return x.sum(1)

    message = made_up_judging.message(row_sums)
    assert "time.perf_counter" in message and "course_utils.judging.judge.check_correct" in message
    assert (time.perf_counter, judge.check_correct) == (clock, compare)
