"""The reports of a class: safe in a spreadsheet and in a browser, complete, and readable by the platforms."""

import csv
import io
import json
import os
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from sample_submissions import LESSON, TASKS, as_bytes, notebook, write_class

from course_utils import cli, tasks
from course_utils.grading.grade_class import Options, grade_class
from course_utils.grading.grades_csv import grades_csv
from course_utils.grading.gradescope import gradescope_results
from course_utils.grading.intake import SubmittedNotebook
from course_utils.grading.mark import TaskMark
from course_utils.grading.moodle import WorksheetUnreadable, fill_in, read_worksheet
from course_utils.grading.notebook_marks import GradedNotebook, total
from course_utils.grading.page_parts import file_names
from course_utils.grading.report_pages import index_page, student_page
from course_utils.grading.student_from_path import Sender
from course_utils.grading.workers import refused_mark

EVIL = '<script>alert(1)</script><img src=x onerror=alert(2)>\n=HYPERLINK("x")\0\ud800'
OTHER = "07_batch_independent_work"


def graded_notebook(student, points, lesson=LESSON, refuse=(), message=EVIL, number=""):
    """Return a notebook whose first tasks are right until they add up to ``points``; the others are wrong or
    refused."""
    marks = []
    for task_id in tasks.ids(lesson):
        of = tasks.points_of(task_id)
        if task_id in refuse:
            marks.append(refused_mark(lesson, task_id, message))
        elif of <= points:
            points -= of
            marks.append(TaskMark(lesson, task_id, of, of, "right", seconds=0.2))
        else:
            marks.append(TaskMark(lesson, task_id, 0, of, "wrong", message, "These are <b>sums</b>.", 0.4, "child"))
    return GradedNotebook(SubmittedNotebook(Sender(student, number), f"{student}/a.ipynb", lesson), tuple(marks))


class Tags(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = set(), ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        assert not [name for name, _ in attributes if name.startswith("on")]

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("student", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", 'Doe, "Jane"'])
def test_no_cell_of_the_table_is_a_formula(student):
    text = grades_csv(
        [graded_notebook(student, 4, message="-1 was expected"), graded_notebook(student, 0, message="@x")]
    )
    text.encode("utf-8")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert list(rows[0]) == ["student", "lesson", "task", "points", "of", "verdict", "message"]
    assert len(rows) == 2 * len(TASKS)
    for row in rows:
        assert not [cell for cell in row.values() if cell.strip().startswith(tuple("=+-@＝"))]
        assert not [cell for cell in row.values() if cell.startswith(("\t", "\r", "\n"))]


def test_a_mark_is_one_row_even_if_its_message_has_many_lines():
    text = grades_csv([graded_notebook("Jane", 2)])
    rows = list(csv.reader(text.splitlines(keepends=True)))
    assert [row[2] for row in rows[1:]] == list(TASKS)
    assert "\n" in rows[-1][-1]


def test_text_of_learners_is_shown_as_text():
    names = file_names([EVIL, "Jane"])
    class_ = [graded_notebook(EVIL, 4, refuse=TASKS[:1]), graded_notebook("Jane", 4)]
    for text in (index_page(class_, [EVIL], names), student_page(EVIL, class_[:1])):
        text.encode("utf-8")
        page = Tags(text)
        assert not {"script", "img", "b"} & page.tags
        assert "<script>alert(1)</script>" in page.text
        assert "default-src 'none'" in text


def test_the_instructors_page_lists_first_what_was_not_judged():
    class_ = [graded_notebook("Ann", 99), graded_notebook("Bob", 0, refuse=TASKS[:2], message="The cage broke.")]
    text = Tags(index_page(class_, ["Bob handed in twice."], file_names(["Ann", "Bob"]))).text
    assert text.index("Not judged") < text.index("Bob") < text.index("Ann")
    assert "Bob handed in twice." in text
    assert f"0 of {sum(map(tasks.points_of, TASKS[2:]))} (2 not judged)" in text
    assert "These are <b>sums</b>. (once)" in text
    assert "Not judged" not in Tags(index_page(class_[:1], [], file_names(["Ann"]))).text.split("Tasks of")[0]


def test_what_was_not_judged_costs_no_points():
    summary = total([graded_notebook("Ann", 2, refuse=TASKS[1:])])
    assert (summary.points, summary.of, summary.refused) == (2, 2, len(TASKS) - 1)


def test_pages_have_names_that_differ_and_stay_in_the_folder():
    students = [
        "index",
        "INDEX",
        "../../etc/passwd",
        "..",
        "",
        "a/b",
        "a\\b",
        "ä" * 200,
        "Doe, Jane",
        "doe, jane",
        "~",
        "con:",
    ]
    names = file_names(students)
    assert len({name.casefold() for name in names.values()}) == len(students)
    for name in names.values():
        assert "/" not in name and "\\" not in name and not name.startswith(".") and name.casefold() != "index.html"
        assert len(name.encode()) < 200


def test_gradescope_gets_a_test_per_task_also_while_tasks_are_left():
    work = graded_notebook("submission", 4, refuse=TASKS[-1:])
    partial = GradedNotebook(work.notebook, work.marks[:3])
    for each, left in ((partial, 2), (work, 0)):
        results = json.loads(gradescope_results([each], ["a.ipynb counts."], left))
        assert results["score"] == 4
        assert results["output"].splitlines() == ["a.ipynb counts.", *(["2 tasks not graded yet."] if left else [])]
        assert [test["name"] for test in results["tests"]] == [f"{LESSON}: {mark.task_id}" for mark in each.marks]
    first, *_, last = results["tests"]
    assert (first["score"], first["max_score"], first["status"]) == (2, 2, "passed")
    assert "score" not in last and "max_score" not in last


HEADER = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission),"
    "Last modified (grade),Feedback comments"
)
DATE = '"Monday, 2 November 2026, 10:00 AM"'


def worksheet(tmp_path, *rows, header=HEADER):
    """Return a worksheet as Moodle writes it; a row is the identifier, the name, the maximum, and whether it can be
    changed.
    """
    path = tmp_path / "Grades-C1-Week 1-7.csv"
    lines = [
        f'{each},"{name}",x@y.z,"Submitted for grading - ",,"{most}",{can},{DATE},-,' for each, name, most, can in rows
    ]
    path.write_bytes(("\ufeff" + "\r\n".join([header, *lines, ""])).encode("utf-8"))
    return read_worksheet(path)


def filled_in(sheet, class_):
    text, notes = fill_in(sheet, class_)
    assert text.startswith("\ufeff") and "\n" not in text.replace("\r\n", "")
    return list(csv.DictReader(text[1:].splitlines())), notes


def test_moodles_worksheet_is_filled_in_and_otherwise_unchanged(tmp_path):
    sheet = worksheet(
        tmp_path,
        ("Participant 98", "Jörg Müller", "100.00", "Yes"),
        ("Participant 9", "Doe, Jane", "13,00", "Yes"),
        ("Participant 7", "Nobody", "100.00", "Yes"),
        ("Participant 6", "Locked", "100.00", "No"),
        ("Participant 5", "Refused", "100.00", "Yes"),
    )
    most = sum(map(tasks.points_of, TASKS))
    rows, notes = filled_in(
        sheet,
        [
            graded_notebook("Doe, Jane (9)", 2, number="9"),
            graded_notebook("Jörg Müller (98)", most, number="98"),
            graded_notebook("Locked (6)", 4, number="6"),
            graded_notebook("Refused (5)", 4, number="5", refuse=TASKS[-1:]),
            graded_notebook("Stranger", 4),
        ],
    )
    assert [row["Grade"] for row in rows] == ["100", "2", "", "", ""]
    assert "=HYPERLINK" not in rows[1]["Feedback comments"][:1]
    assert "&lt;script&gt;" in rows[1]["Feedback comments"] and "<script>" not in rows[1]["Feedback comments"]
    assert rows[2]["Feedback comments"] == ""
    assert {row["Last modified (submission)"] for row in rows} == {DATE.strip('"')}
    assert notes == [
        "Locked (6) has no grade in the worksheet, because Moodle has locked it.",
        "Refused (5) has no grade in the worksheet, because something could not be judged.",
        "Stranger is not in the worksheet.",
    ]


def test_a_folder_of_students_is_found_in_the_worksheet_by_full_names(tmp_path):
    rows, notes = filled_in(
        worksheet(tmp_path, ("Participant 3", "Doe, Jane", "10", "Yes")), [graded_notebook("Doe, Jane", 99)]
    )
    assert (rows[0]["Grade"], notes) == ("10", [])


def test_a_missing_lesson_counts_as_zero_and_a_strange_one_not_at_all(tmp_path):
    sheet = worksheet(tmp_path, *((f"Participant {n}", "", "100", "Yes") for n in (1, 2, 3)))
    both = [[graded_notebook(f"S ({n})", 99, lesson, number=str(n)) for lesson in (LESSON, OTHER)] for n in (1, 2)]
    one = [
        graded_notebook("S (3)", 99, LESSON, number="3"),
        graded_notebook("S (3)", 99, "04_growing_results", number="3"),
    ]
    rows, notes = filled_in(sheet, [*both[0], *both[1], *one])
    own, other = (sum(map(tasks.points_of, tasks.ids(lesson))) for lesson in (LESSON, OTHER))
    assert [row["Grade"] for row in rows[:2]] == ["100", "100"]
    assert float(rows[2]["Grade"]) == pytest.approx(100 * own / (own + other), abs=1e-4)
    assert notes == [f"S (3) did not hand in {OTHER}."]


def test_a_class_in_which_every_student_handed_in_another_lesson(tmp_path):
    lessons = (LESSON, OTHER, "04_growing_results")
    sheet = worksheet(tmp_path, *((f"Participant {n}", "", "100", "Yes") for n in (1, 2, 3)))
    class_ = [graded_notebook(f"S ({n})", 99, lesson, number=str(n)) for n, lesson in enumerate(lessons, start=1)]
    grades, notes = filled_in(sheet, class_)
    assert sum(float(row["Grade"]) for row in grades) == pytest.approx(100, abs=1e-4)
    assert len(notes) == 6


@pytest.mark.parametrize("header", ["ID,Vollständiger Name,Bewertung", "", "Identifier,Full name"])
def test_another_file_than_a_worksheet_gets_one_sentence(tmp_path, header):
    with pytest.raises(
        WorksheetUnreadable, match="has no column '(Identifier|Grade)'; set Moodle's language to English"
    ):
        worksheet(tmp_path, header=header)
    with pytest.raises(WorksheetUnreadable, match="cannot be read"):
        read_worksheet(tmp_path / "missing.csv")


def test_the_points_of_a_notebook_come_from_the_course():
    assert sum(map(tasks.points_of, TASKS)) == sum(
        cell["metadata"]["nbgrader"]["points"]
        for cell in notebook()["cells"]
        if cell["metadata"].get("nbgrader", {}).get("grade")
    )


def unloop_grade(*arguments):
    """Return the last words of a command that fails."""
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
        patch.setattr(sys, "argv", ["unloop", "grade", *map(str, arguments)])
        cli.main()
    return str(ended.value)


def test_what_the_command_cannot_do_gets_one_sentence(tmp_path):
    folder, out = write_class(tmp_path / "class", {"ann": {}}), tmp_path / "out"
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("a,b")
    nowhere = tmp_path / "nowhere"
    for arguments, sentence in {
        (nowhere,): f"There is no folder or zip {str(nowhere)!r}; give the path of the submissions.",
        (
            folder,
            "--moodle",
            sheet,
        ): f"The worksheet {str(sheet)!r} has no column 'Identifier'; set Moodle's language to "
        "English, and download the grading worksheet of the assignment.",
        (
            folder,
            "--moodle",
            sheet,
            "--gradescope",
        ): "Gradescope and Moodle need different reports; choose --gradescope or --moodle.",
        (
            folder,
            "--gradebook",
            nowhere,
        ): f"There is no gradebook {str(nowhere)!r}; `nbgrader generate_assignment` creates it in the course's folder.",
    }.items():
        assert unloop_grade(*arguments, "--out", out) == sentence
    assert not out.exists()
    assert unloop_grade(folder, "--out", sheet).startswith(f"The report cannot be written to {str(sheet)!r} (")
    open_address = unloop_grade(folder, "--out", out, "--scheduler", "tcp://192.0.2.1:8786")
    assert open_address.startswith("The scheduler's address 'tcp://192.0.2.1:8786' is open to the network")


@pytest.mark.slow
def test_gradescope_has_the_results_of_each_task_as_soon_as_it_is_graded(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
    folder, out = tmp_path / "submission", tmp_path / "results"
    folder.mkdir()
    (folder / "anything.ipynb").write_bytes(as_bytes(notebook({TASKS[0]: "# right"})))
    tests_at = []

    def look(*progress):
        file = out / "results.json"
        tests_at.append(len(json.loads(file.read_text())["tests"]) if file.exists() else None)

    grade_class(folder, out, Options(gradescope=True, grader="stand_in_grader"), look)
    assert tests_at == [None, *range(len(TASKS))]
    results = json.loads((out / "results.json").read_text())
    assert (results["score"], len(results["tests"]), results["output"]) == (2, len(TASKS), "")
