"""check, task and hint, as a lesson uses them."""

import functools
import linecache
import runpy

import pytest

from course_utils import tasks
from course_utils.judging import TaskFailed
from course_utils.learner import commands, progress_file
from course_utils.limits import saved_peaks

torch = pytest.importorskip("torch")

import temporary_tasks
from sample_limits import PEAKS

HEAD = "from dataclasses import replace\nfrom sample_task import ROW_SUMS\nfrom course_utils.limits import Cost\n"
FILES = {
    "task_1_row_sums.py": "TASK = replace(ROW_SUMS, target=None)  # most tests need no race",
    "practice_1_column_sums.py": "from sample_task import PRACTICE as TASK",
    "task_2_near_sums.py": "TASK = replace(ROW_SUMS, id='near_sums', level=3, cost=lambda n: Cost(reads=4 * n * (n + 1)))",
}


@pytest.fixture
def sample_lesson(monkeypatch, tmp_path):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(progress_file, "_in_memory", None)
    files = {f"lesson_99_sample/{name}": HEAD + source for name, source in FILES.items()}
    temporary_tasks.add(monkeypatch, tmp_path / "tasks", files)


def test_check_prints_lines_stores_points_and_returns_the_verdict(sample_lesson, capsys):
    def row_sums(x):
        print("mine")
        return x.sum(1)

    assert commands.check(row_sums).right
    out = capsys.readouterr().out
    assert out.startswith("row_sums printed:\nmine\n\n✓ correct")
    assert progress_file.read()["tasks"]["row_sums"]["points"] == 2


def test_check_raises_the_message_and_stores_the_attempt(sample_lesson, capsys):
    def row_sums(x):
        return x.sum(0)

    with pytest.raises(TaskFailed, match="shape"):
        commands.check(row_sums)
    assert capsys.readouterr().out == "✗ correct   not yet, see below\n"
    assert progress_file.read()["tasks"]["row_sums"]["points"] == 0


@pytest.mark.slow
def test_right_answer_to_a_challenge_gets_its_share_stored(sample_lesson, capsys):
    def near_sums(x):
        return x.sum(1)

    assert commands.check(near_sums).speed_position.share is None and progress_file.read()["shares"] == {}
    saved_peaks.save_peaks(PEAKS)
    share = commands.check(near_sums).speed_position.share
    assert progress_file.read()["shares"]["near_sums"]["share"] == share > 0
    assert "%" not in capsys.readouterr().out


def test_hints_come_one_at_a_time(sample_lesson, capsys):
    for _ in range(3):
        commands.hint("row_sums")
    assert capsys.readouterr().out == (
        "Hint 1 of 2: Think.\n"
        "Hint 2 of 2: Think of `sum`. (This was the last one.)\n"
        "Hint 2 of 2: Think of `sum`. (This was the last one.)\n"
    )


def test_practice_without_hints_names_the_solution(sample_lesson, capsys):
    commands.hint("column_sums")
    assert capsys.readouterr().out == "This practice task has no hints; unfold the solution below its cell.\n"


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (3, "this is a Python number"),
        (None, "this is None"),
        (int, "this is a class"),
        ("double", "takes the function itself, not its name: check\\(double\\)"),
        (torch.ones(2), "this is a torch tensor"),
        (lambda x: x, "has no name"),
    ],
)
def test_check_refuses_anything_but_a_named_function(value, says):
    with pytest.raises(commands.CheckError, match=says):
        commands.check(value)


def test_task_also_takes_the_learners_function():
    def double(x):
        return x + x

    assert commands.task(double) is commands.task("double")


def test_check_of_an_unknown_name_offers_similar_ones():
    def dubble(x):
        return x

    with pytest.raises(tasks.TaskMissing, match="did you mean double"):
        commands.check(dubble)


def test_check_names_the_decorator_that_hides_a_name():
    def timed(function):
        def wrapper(x):
            return function(x)

        return wrapper

    @timed
    def double(x):
        return x + x

    with pytest.raises(tasks.TaskMissing, match="no task called 'wrapper'.*if @timed is above your function"):
        commands.check(double)


def test_check_of_a_wrapped_function_asks_for_the_tasks_name():
    def smooth(x):
        return x + x

    smooth.__qualname__ = "smooth"
    with pytest.raises(tasks.TaskMissing, match="the task by your function.s name, and no task is called 'smooth'"):
        commands.check(functools.wraps(smooth)(lambda x: smooth(x)))


STUBS = {
    "dots": "def column_sums(x):\n    ...\n",
    "a docstring": 'def column_sums(x):\n    """The sum of each column."""\n',
    "pass": 'def column_sums(x):\n    """The sum of each column."""\n    # here\n    pass\n',
    "an error": "def column_sums(x):\n    raise NotImplementedError()\n",
}


def define_in_cell(source, place):
    """Return the function that a cell with this source defines; a notebook keeps the source as a file does."""
    file = place / "cell.py"
    file.write_text(source)
    linecache.checkcache(str(file))
    return runpy.run_path(str(file))["column_sums"]


@pytest.mark.parametrize("stub", STUBS.values(), ids=STUBS)
def test_unwritten_practice_prints_one_neutral_sentence(sample_lesson, capsys, tmp_path, stub):
    assert commands.check(define_in_cell(stub, tmp_path)) is None
    assert capsys.readouterr().out == "column_sums is not written yet: replace the ... and run the cell again.\n"
    assert progress_file.read()["practice"] == progress_file.read()["tasks"] == {}


def test_unwritten_practice_with_limits_lists_them(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))

    def celsius(readings): ...

    assert commands.check(celsius) is None
    assert "What counts:\n- The check counts what one call does, at sizes 8 and 64:" in capsys.readouterr().out


def test_practice_is_judged_like_an_exercise_without_points(sample_lesson, capsys, tmp_path):
    with pytest.raises(TaskFailed, match="shape"):
        commands.check(define_in_cell("def column_sums(x):\n    return x.sum(1)\n", tmp_path))
    assert progress_file.read()["practice"] == {}
    verdict = commands.check(define_in_cell("def column_sums(x):\n    return x.sum(0)\n", tmp_path))
    assert (verdict.right, verdict.points, repr(verdict)) == (True, 0, "column_sums: right")
    assert capsys.readouterr().out.endswith("✓ correct   new random inputs\n")
    assert "column_sums" in progress_file.read()["practice"] and progress_file.read()["tasks"] == {}


def test_unwritten_exercise_raises_and_earns_nothing(sample_lesson, capsys):
    def row_sums(x):
        raise NotImplementedError

    with pytest.raises(TaskFailed, match="row_sums is not written yet"):
        commands.check(row_sums)
    assert progress_file.read()["tasks"]["row_sums"]["points"] == 0
