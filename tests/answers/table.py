"""The table of answers that every check is held against: right ones that must pass, wrong ones that must not.

An answer is a decorated function in its task's own file, ``answers/lesson_NN/<task>.py``; the task follows from the file.
Nothing here judges.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, get_args

from answers.tricks import TRICKS
from course_utils import tasks

Line = Literal["correct", "unlooped", "fast"]
Function = TypeVar("Function", bound=Callable[..., Any])

_LEAST_RIGHT, _LEAST_WRONG = 2, 6
_LEAST_WRONG_PRACTICE = 2  # its right answer stands in the lesson


class TableError(Exception):
    """Something in a file of answers is not as it must be; the message is one sentence for its author."""


@dataclass(frozen=True)
class Answer:
    """What somebody might hand in for a task.

    Attributes:
        task: the task's id.
        label: what is right or wrong about it, in words.
        function: the answer itself.
        refused_at: the line of the verdict that must refuse it, None for a right answer.
        says: what the message must contain.
    """

    task: str
    label: str
    function: Callable[..., Any]
    refused_at: Line | None = None
    says: str = ""

    @property
    def right(self) -> bool:
        """Whether the check must pass it."""
        return self.refused_at is None

    def __str__(self) -> str:
        return f"{self.task}-{'right' if self.right else 'wrong'}-{self.label}".replace(" ", "_")


@dataclass
class Page:
    """What the file of one task says: its answers in order, and where a trick goes another way than with other tasks.

    ``exceptions`` holds for a trick's label the line that refuses it, None where it is not tried, and what is said.
    """

    task: str
    answers: list[Answer] = field(default_factory=list)
    exceptions: dict[str, tuple[Line | None, str]] = field(default_factory=dict)

    def add(self, answer: Answer, namesake: Any) -> None:
        """Add an answer; ``namesake`` is what its name meant in the file so far.

        Raises:
            TableError: when it would take the place of another, or looks like another in a report.
        """
        if any(answer.label == other.label or namesake is other.function for other in self.answers):
            raise TableError(f"Two answers to {self.task} have the name or label {answer.label!r}; each needs its own.")
        self.answers.append(answer)

    def tricks(self) -> list[Answer]:
        """The tricks that every exercise must survive, made from the first right answer and the first that is not correct.

        Practice, which earns nothing, is not worth a trick.

        Raises:
            TableError: when there are too few answers to make them from, or to tell anything.
        """
        right = [answer.function for answer in self.answers if answer.right]
        if tasks.kind_of(self.task) == "practice":
            if len(self.answers) - len(right) < _LEAST_WRONG_PRACTICE:
                raise TableError(f"{self.task} needs {_LEAST_WRONG_PRACTICE} wrong answers at least, in its own file.")
            return []
        if len(right) < _LEAST_RIGHT or len(self.answers) - len(right) < _LEAST_WRONG:
            raise TableError(
                f"{self.task} needs {_LEAST_RIGHT} right and {_LEAST_WRONG} wrong answers at least, in its own file."
            )
        not_correct = [answer.function for answer in self.answers if answer.refused_at == "correct"]
        if not not_correct:
            raise TableError(f"{self.task} needs an answer that is refused at 'correct', for the tricks to hide.")
        made = []
        for trick in TRICKS:
            line, says = self.exceptions.get(trick.label, (trick.line, trick.says))
            if line is not None:
                function = trick.make(tasks.load(self.task).slow, right[0], not_correct[0])
                made.append(Answer(self.task, trick.label, function, line, says))
        return made


PAGES: dict[str, Page] = {}


def lessons() -> dict[str, tuple[str, ...]]:
    """The course's lessons ("03_element_loops") and the ids of the tasks of each, practice last."""
    known = sorted({*tasks.lessons(), *tasks.lessons("practice")})
    return {lesson: (*tasks.ids(lesson), *tasks.ids(lesson, "practice")) for lesson in known}


def folder_of(lesson: str) -> str:
    """Where the answers to a lesson's tasks stand: "lesson_03"."""
    return f"lesson_{lesson.partition('_')[0]}"


def right(label: str | None = None) -> Callable[[Function], Function]:
    """Mark a function as an answer that must pass.

    Args:
        label: what is right about it; the function's name says it unless given.
    """
    return _adding(sys._getframe(1).f_globals, label, None, "")


def wrong(label: str | None = None, line: str = "", says: str = "") -> Callable[[Function], Function]:
    """Mark a function as an answer that must be refused.

    Args:
        label: what is wrong about it; the function's name says it unless given.
        line: the line of the verdict that must refuse it.
        says: what the message must contain.

    Raises:
        TableError: when there is no such line.
    """
    return _adding(sys._getframe(1).f_globals, label, _known(line), says)


def exception(trick: str, line: str | None, says: str = "") -> None:
    """Say that one of the tricks goes another way with this file's task.

    Args:
        trick: its label.
        line: the line that refuses it here; None where it cannot be tried.
        says: what the message must contain.

    Raises:
        TableError: when there is no such trick or line.
    """
    labels = [each.label for each in TRICKS]
    if trick not in labels:
        raise TableError(f"There is no trick {trick!r}; the tricks are: {', '.join(labels)}.")
    page = _page(sys._getframe(1).f_globals["__name__"])
    page.exceptions[trick] = (None if line is None else _known(line), says)


def _adding(file: dict[str, Any], label: str | None, line: Line | None, says: str) -> Callable[[Function], Function]:
    page = _page(file["__name__"])

    def add(function: Function) -> Function:
        name = getattr(function, "__name__", None)
        if label is None and name is None:
            raise TableError(f"An answer to {page.task} has no name of its own; give it a label.")
        words = str(name).replace("_", " ") if label is None else label
        page.add(Answer(page.task, words, function, line, says), namesake=file.get(name))
        return function

    return add


def _page(module: str) -> Page:
    """The page of the file that is being imported as ``module``, "answers.lesson_03.tiled_add"."""
    _, _, place = module.partition(".")
    folder, _, task = place.partition(".")
    ids = [id for lesson, ids in lessons().items() if folder_of(lesson) == folder for id in ids]
    if task not in ids:
        known = f"its tasks are {', '.join(ids)}" if ids else "and there is no such lesson"
        raise TableError(f"answers/{folder}/{task}.py answers no task of {folder}; {known}.")
    return PAGES.setdefault(task, Page(task))


def _known(line: str) -> Line:
    for each in get_args(Line):
        if line == each:
            return each
    raise TableError(f"There is no line {line!r} in a verdict; the lines are {', '.join(get_args(Line))}.")
