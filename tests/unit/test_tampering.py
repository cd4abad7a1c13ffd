"""Tools that an answer replaces are noticed and put back; an author's reload of a module replaces nothing."""

import functools
import importlib
import subprocess
import sys
import time

import pytest

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
    assert not (found := tampering.restore_replaced()), (name, found)
print(len(ours))
"""


@pytest.fixture(autouse=True)
def sealed():
    tampering.seal()
    assert tampering.restore_replaced() == []
    yield
    tampering.restore_replaced()


@pytest.fixture
def reloaded():
    importlib.reload(wording)


@pytest.mark.process
def test_a_reload_of_any_module_of_the_course_is_no_forgery():
    done = subprocess.run([sys.executable, "-c", ALL_RELOADED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 40


def test_what_a_reload_made_is_kept_and_known():
    before = wording.pluralize
    importlib.reload(wording)
    made = wording.pluralize
    assert made is not before
    assert tampering.restore_replaced() == [] and wording.pluralize is made
    wording.pluralize = lambda *_: "many"
    assert tampering.restore_replaced() == ["course_utils.core.wording.pluralize"] and wording.pluralize is made


def test_a_function_that_another_module_imported_again_after_a_reload_is_no_forgery(reloaded):
    assert verdicts.pluralize is not wording.pluralize
    verdicts.pluralize = wording.pluralize  # as a reload of that module would do
    assert tampering.restore_replaced() == [] and verdicts.pluralize is wording.pluralize


@pytest.mark.usefixtures("reloaded")
def test_a_forgery_in_a_reloaded_module_is_still_one():
    honest = wording.pluralize

    @functools.wraps(honest)
    def forged(number, noun):
        return "none"

    for other in (lambda *_: "none", forged, wording.format_ratio, None, len):
        wording.pluralize = other
        assert tampering.restore_replaced() == ["course_utils.core.wording.pluralize"]
        assert wording.pluralize.__code__ is not getattr(other, "__code__", None)


def test_a_forgery_that_takes_over_a_name_is_seen_where_nothing_was_reloaded():
    honest = describe.end_sentence
    describe.end_sentence = type(honest)(honest.__code__, vars(describe), honest.__name__)
    assert tampering.restore_replaced() == ["course_utils.judging.describe.end_sentence"]
    assert describe.end_sentence is honest


def test_a_class_and_a_clock_are_put_back():
    line, clock = verdicts.Line, time.perf_counter
    verdicts.Line = type("Line", (), {})
    time.perf_counter = lambda: 0.0
    assert tampering.restore_replaced() == ["time.perf_counter", "course_utils.judging.verdict.Line"]
    assert (verdicts.Line, time.perf_counter) == (line, clock)


def test_a_method_of_the_courses_own_classes_is_put_back():
    honest = verdicts.Verdict.with_line
    verdicts.Verdict.with_line = lambda self, *line: self
    assert tampering.restore_replaced() == ["course_utils.judging.verdict.Verdict.with_line"]
    assert verdicts.Verdict.with_line is honest


def test_a_replaced_tool_is_named_and_put_back():
    judge = sys.modules["course_utils.judging.judge"]  # the package offers the function of this name
    clock, compare = time.perf_counter, judge.check_correct

    def row_sums(x):
        time.perf_counter = lambda: 0.0
        judge.check_correct = lambda *_: None
        return x.sum(1)

    told = made_up_judging.message(row_sums)
    assert "time.perf_counter" in told and "course_utils.judging.judge.check_correct" in told
    assert (time.perf_counter, judge.check_correct) == (clock, compare)
