"""The report's pages: ``index_page`` for the instructor, ``student_page`` for each student."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from course_utils.core.wording import count_times, format_duration, pluralize
from course_utils.grading.mark import TaskMark, VerdictWord
from course_utils.grading.notebook_marks import GradedNotebook, Total, by_student, total
from course_utils.grading.page_parts import Html, element, escape, items, link, page, table

_WORDS: dict[VerdictWord, str] = {
    "right": "right", "wrong": "wrong", "untried": "untried", "stopped": "stopped", "refused": "not judged",
}  # fmt: skip
_COUNTED_IN_CHILD = (
    "The operations of this answer were counted in its own process, because they can't be counted outside it."
)


def index_page(graded: Sequence[GradedNotebook], notes: Sequence[str], file_names: Mapping[str, str]) -> str:
    """Return the page for the instructor: what could not be judged, the students, the tasks with their common mistakes.

    Args:
        graded: the class.
        notes: sentences on files that were left out, and the like.
        file_names: student → the name of the student's page.
    """
    students = by_student(graded)
    summary = total(graded)
    parts = [
        element(
            "p",
            f"{pluralize(len(students), 'student')}, {pluralize(len(graded), 'notebook')}, "
            f"{pluralize(sum(len(each.marks) for each in graded), 'task')}. Grading took "
            f"{format_duration(summary.seconds)} of work.",
        )
    ]
    if summary.refused:
        parts += [
            element("h2", "Not judged"),
            element("p", "These cost no points. Look at them, or run the command again, which judges only them."),
            table(("Student", "Lesson", "Tasks", "Reason"), _refused_rows(graded, file_names)),
        ]
    if notes:
        parts += [element("h2", "Notes"), items(notes)]
    parts += [element("h2", "Students"), _students(students, file_names)]
    lessons = dict.fromkeys(mark.lesson for each in graded for mark in each.marks if mark.lesson)
    for lesson in sorted(lessons):
        marks = [mark for each in graded for mark in each.marks if mark.lesson == lesson and mark.task_id]
        parts += [element("h2", f"Tasks of {lesson}"), _tasks(marks)]
    return page("Grades of the class", *parts)


def student_page(student: str, works: Sequence[GradedNotebook]) -> str:
    """Return the page for one student: the points and the message of each task."""
    parts = [element("p", f"{total(works)}.")]
    for each in works:
        parts.append(element("h2", f"{each.notebook.lesson or each.notebook.path}: {total([each])}"))
        for mark in each.marks:
            points = "" if mark.verdict == "refused" else f", {mark.points} of {pluralize(mark.of, 'point')}"
            heading = Html(f"{element('code', mark.task_id or 'notebook')}: {_verdict(mark)}{points}")
            parts.append(element("h3", heading))
            if mark.message:
                parts.append(element("pre", mark.message))
            if mark.counted_in == "child":
                parts.append(element("p", _COUNTED_IN_CHILD, "muted"))
    return page(student, *parts)


def _refused_rows(graded: Sequence[GradedNotebook], file_names: Mapping[str, str]) -> Iterator[Sequence[object]]:
    """Yield a row for each notebook and reason."""
    for each in graded:
        ids_of_reason: dict[str, list[str]] = {}
        for mark in each.marks:
            if mark.verdict == "refused":
                ids_of_reason.setdefault(mark.message, []).append(mark.task_id)
        student = each.notebook.sender.student
        for reason, ids in ids_of_reason.items():
            shown = (
                "all" if len(ids) == len(each.marks) else Html(", ".join(element("code", task_id) for task_id in ids))
            )
            yield link(file_names[student], student), each.notebook.lesson or "unknown", shown, reason


def _students(students: Mapping[str, Sequence[GradedNotebook]], file_names: Mapping[str, str]) -> Html:
    lessons = sorted({each.notebook.lesson for works in students.values() for each in works if each.notebook.lesson})
    rows = []
    for student, works in students.items():
        by_lesson = {each.notebook.lesson: total([each]) for each in works}
        summary = total(works)
        rows.append(
            (
                link(file_names[student], student),
                *(_short(by_lesson.get(lesson)) for lesson in lessons),
                _short(summary),
                format_duration(summary.seconds) if summary.seconds else "–",
            )
        )
    return table(("Student", *lessons, "Total", "Time"), rows, numbers=range(1, len(lessons) + 3))


def _short(summary: Total | None) -> str:
    if summary is None:
        return "–"
    return f"{summary.points} of {summary.of}" + (f" ({summary.refused} not judged)" if summary.refused else "")


def _tasks(marks: Sequence[TaskMark]) -> Html:
    rows = []
    for task_id in dict.fromkeys(mark.task_id for mark in marks):
        own = [mark for mark in marks if mark.task_id == task_id]
        verdicts = Counter(mark.verdict for mark in own)
        mistakes = Counter(mark.mistake for mark in own if mark.mistake)
        seconds = [mark.seconds for mark in own if mark.seconds]
        rows.append(
            (
                element("code", task_id),
                *(verdicts[word] for word in get_args(VerdictWord)),
                format_duration(statistics.median(seconds)) if seconds else "–",
                Html(
                    "<br>".join(
                        escape(f"{mistake} ({count_times(count)})") for mistake, count in mistakes.most_common()
                    )
                )
                or "–",
            )
        )
    words = [_WORDS[word].capitalize() for word in get_args(VerdictWord)]
    return table(("Task", *words, "Median time", "Usual mistakes"), rows, numbers=range(1, len(words) + 2))


def _verdict(mark: TaskMark) -> Html:
    return element("span", _WORDS[mark.verdict], mark.verdict)
