"""A run can be killed at any moment: the next one continues, and each task of each submission gets one mark."""

import csv
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from sample_submissions import LESSON, TASKS, as_bytes, is_running, notebook, write_class

from course_utils import tasks
from course_utils.grading.grade_class import Options, grade_class
from course_utils.grading.grade_submission import CageMissing
from course_utils.grading.grades_csv import safe_cell
from course_utils.grading.intake import SubmittedNotebook
from course_utils.grading.journal import Journal, JournalInUse
from course_utils.grading.mark import TaskMark
from course_utils.grading.student_from_path import Sender

HERE = Path(__file__).parent
WORK = SubmittedNotebook(Sender("Müller, Jörg"), "a.ipynb", LESSON)
MARK = TaskMark(LESSON, "clip_and_scale", 0, 2, "wrong", "line\nbreak \ud800", None, 0.5)
CLASS = {
    "ann": dict.fromkeys(TASKS, "# right"),
    "bob": {TASKS[0]: "# wrong: rows", TASKS[1]: "# right"},
    "cy": {TASKS[2]: "# slow\n    # right"},
    "dee": {TASKS[4]: "# wrong: =1+1"},
}
RUN = """
import sys
from pathlib import Path
from course_utils.grading.grade_class import Options, grade_class
options = Options(workers=2, grader="stand_in_grader")
grade_class(Path(sys.argv[1]), Path(sys.argv[2]), options, lambda *progress: None)
"""


@pytest.fixture(autouse=True)
def stand_in(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(HERE), prepend=os.pathsep)
    monkeypatch.setenv("STAND_IN_SLOW_S", "0")


def grade_here(folder, out):
    return grade_class(folder, out, Options(workers=1, grader="stand_in_grader"), lambda *progress: None)


def rows(out):
    with open(out / "grades.csv", encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_marks_are_read_back(tmp_path):
    with Journal(tmp_path) as journal:
        journal.add(WORK, MARK)
        assert journal.mark(WORK, MARK.task_id) == MARK
    with Journal(tmp_path) as journal:
        assert journal.mark(WORK, MARK.task_id) == MARK
        assert journal.mark(WORK, "tiled_add") is None


@pytest.mark.parametrize("torn", [b"{", b'{"student": "M', b'{"student": "\xc3', b"\0\0\0"])
def test_a_torn_last_line_counts_as_not_written(tmp_path, torn):
    with Journal(tmp_path) as journal:
        journal.add(WORK, MARK)
    file = tmp_path / "journal.jsonl"
    whole = file.read_bytes()
    for end in (whole + torn, whole + torn + b"\n", whole[:-1]):
        file.write_bytes(end)
        with Journal(tmp_path) as journal:
            assert (journal.mark(WORK, MARK.task_id) is None) == (end == whole[:-1])
            other = TaskMark(LESSON, "tiled_add", 2, 2, "right")
            journal.add(WORK, other)
        with Journal(tmp_path) as journal:
            assert journal.mark(WORK, "tiled_add") == other


def test_a_second_run_into_the_same_report_is_refused(tmp_path):
    with Journal(tmp_path), pytest.raises(JournalInUse, match="Another run writes its marks to"), Journal(tmp_path):
        pass


@pytest.mark.slow
def test_a_class_that_is_killed_twice_gets_the_same_rows(tmp_path, monkeypatch):
    folder, out = write_class(tmp_path / "class", CLASS), tmp_path / "out"
    finished = []
    monkeypatch.setenv("STAND_IN_SLOW_S", "60")
    for run in (1, 2):
        finished = run_and_kill(folder, out, len(finished) + 2)
        with open(out / "journal.jsonl", "ab") as stream:
            stream.write(b'{"student": "ann", "mark": {"points": 99')
    log = tmp_path / "log.jsonl"
    monkeypatch.setenv("STAND_IN_LOG", str(log))
    monkeypatch.setenv("STAND_IN_SLOW_S", "0")
    grade_here(folder, out)
    graded = [tuple(json.loads(line)[:2]) for line in log.read_text().splitlines()]
    assert sorted(graded + finished) == sorted((student, task_id) for student in CLASS for task_id in TASKS)
    assert rows(out) == [
        {"student": student, "lesson": LESSON, "task": task_id, **rest_of_row(answers.get(task_id, ""), task_id)}
        for student, answers in CLASS.items()
        for task_id in TASKS
    ]


def rest_of_row(answer, task_id):
    """Return the rest of a row of grades.csv."""
    of = tasks.points_of(task_id)
    if "# right" in answer:
        return {"points": str(of), "of": str(of), "verdict": "right", "message": ""}
    verdict = "wrong" if answer else "untried"
    message = safe_cell(answer.removeprefix("# wrong: ")) or f"{task_id} is not written yet."
    return {"points": "0", "of": str(of), "verdict": verdict, "message": message}


def run_and_kill(folder, out, lines):
    """Start a run, kill it once its journal has some lines, wait for the end of its workers; return what is marked."""
    journal = out / "journal.jsonl"
    with subprocess.Popen([sys.executable, "-c", RUN, folder, out], stdout=subprocess.DEVNULL) as run:
        while len(journal.read_bytes().splitlines() if journal.exists() else ()) < lines:
            assert run.poll() is None
            time.sleep(0.02)
        workers = [each.pid for each in psutil.Process(run.pid).children()]
        run.kill()
    assert workers
    while sys.platform == "linux" and any(map(is_running, workers)):  # the test's time limit ends this
        time.sleep(0.02)
    whole = journal.read_bytes().rpartition(b"\n")[0].splitlines()
    entries = [json.loads(line) for line in whole if not line.startswith(b'{"student": "ann", "mark": {"points": 99')]
    return [(entry["student"], entry["mark"]["task_id"]) for entry in entries]


@pytest.mark.slow
def test_a_resubmission_is_graded_anew_and_nothing_else(tmp_path, monkeypatch):
    folder, out = write_class(tmp_path / "class", {"ann": {}, "bob": {}}), tmp_path / "out"
    grade_here(folder, out)
    log = tmp_path / "log.jsonl"
    monkeypatch.setenv("STAND_IN_LOG", str(log))
    grade_here(folder, out)
    assert not log.exists()
    (folder / "ann" / f"{LESSON}.ipynb").write_bytes(as_bytes(notebook({TASKS[0]: "# right"})))
    grade_here(folder, out)
    assert {json.loads(line)[0] for line in log.read_text().splitlines()} == {"ann"}
    assert [(row["student"], row["points"]) for row in rows(out)][:1] == [("ann", "2")]


@pytest.mark.slow
def test_a_grader_that_ends_or_fails_costs_no_points_and_is_tried_again(tmp_path, monkeypatch):
    folder, out = tmp_path / "class", tmp_path / "out"
    write_class(folder, {"ann": {TASKS[0]: "# dies", TASKS[1]: "# right", TASKS[2]: "# raises", TASKS[3]: "# right"}})
    log = tmp_path / "log.jsonl"
    monkeypatch.setenv("STAND_IN_LOG", str(log))
    for run in (1, 2):
        grade_here(folder, out)
        assert [row["verdict"] for row in rows(out)] == ["refused", "right", "refused", "right", "untried"]
        graded = [json.loads(line)[1] for line in log.read_text().splitlines()]
        assert (graded.count(TASKS[0]), graded.count(TASKS[1]), graded.count(TASKS[2])) == (2 * run, 1, run)
    assert rows(out)[0]["message"].endswith("The process that graded it ended twice.")
    assert rows(out)[2]["message"].endswith("RuntimeError: broken grader")


@pytest.mark.slow
def test_without_a_cage_there_are_no_marks(tmp_path, monkeypatch):
    folder, out = write_class(tmp_path / "class", {"ann": {}, "bob": {}}), tmp_path / "out"
    monkeypatch.setenv("STAND_IN_WITHOUT_CAGE", "1")
    with pytest.raises(CageMissing, match="no cage"):
        grade_here(folder, out)
    assert not (out / "grades.csv").exists()
    assert (out / "journal.jsonl").read_bytes() == b""
