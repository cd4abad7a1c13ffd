"""``AnswersTo("tiled_add")``: the right answers that a check must accept, and the wrong ones that it must refuse.

A file ``answers/lesson_NN/<task>.py`` makes one and decorates its functions with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args

from answers.derived import derived_mistakes
from answers.tricks import TRICKS
from course_utils import tasks

Line = Literal["correct", "unlooped", "fast"]
Function = TypeVar("Function", bound=Callable[..., Any])

_LEAST_RIGHT, _LEAST_WRONG = 2, 6
_LEAST_WRONG_PRACTICE = 2  # The lesson shows its right answer.


class TableError(Exception):
    """A mistake in a file of answers; the message is one sentence for its author."""


@dataclass(frozen=True)
class Answer:
    """What a learner might hand in for a task.

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
        """Return whether the check must pass it."""
        return self.refused_at is None

    def __str__(self) -> str:
        return f"{self.task}-{'right' if self.right else 'wrong'}-{self.label}".replace(" ", "_")


class AnswersTo:
    """The answers to one task, and its exceptions from the derived answers.

    Attributes:
        task: the task's id.
        from_file: the answers of its file, in order.
    """

    def __init__(self, task: str) -> None:
        self.task = task
        self.from_file: list[Answer] = []
        self._exceptions: dict[str, tuple[Line | None, str]] = {}

    def right(self, label: str | None = None) -> Callable[[Function], Function]:
        """Mark a function as an answer that must pass.

        Args:
            label: what is right about it; the function's name unless given.
        """
        return self._decorator(label, None, "")

    def wrong(self, label: str | None = None, line: str = "", says: str = "") -> Callable[[Function], Function]:
        """Mark a function as an answer that must be refused.

        Args:
            label: what is wrong about it; the function's name unless given.
            line: the line of the verdict that must refuse it.
            says: what the message must contain.

        Raises:
            TableError: if there is no such line.
        """
        return self._decorator(label, _known(line), says)

    def exception(self, label: str, line: str, says: str = "") -> None:
        """Set another line or message that refuses the derived answer ``label`` in this task.

        Raises:
            TableError: if there is no such line.
        """
        self._exceptions[label] = (_known(line), says)

    def without(self, *labels: str) -> None:
        """Leave out derived answers that are not wrong in this task."""
        self._exceptions |= dict.fromkeys(labels, (None, ""))

    def derived(self) -> list[Answer]:
        """Return the tricks and common mistakes that the check must refuse, made from the slow loop and the first right
        answer.

        Practice earns no points, so nothing is derived for it.

        Raises:
            TableError: if there are too few answers, or an exception names no derived answer.
        """
        task = tasks.load(self.task)
        right = [answer.function for answer in self.from_file if answer.right]
        wrong = len(self.from_file) - len(right) + len(task.mistakes)
        if tasks.kind_of(self.task) == "practice":
            if wrong < _LEAST_WRONG_PRACTICE:
                raise TableError(f"{self.task} needs {_LEAST_WRONG_PRACTICE} wrong answers or named mistakes at least.")
            return []
        if len(right) < _LEAST_RIGHT or wrong < _LEAST_WRONG:
            raise TableError(
                f"{self.task} needs {_LEAST_RIGHT} right answers and {_LEAST_WRONG} wrong ones or named mistakes at least."
            )
        by_label = {
            trick.label: Answer(self.task, trick.label, trick.make(task.slow, right[0]), trick.line, trick.says)
            for trick in TRICKS
        } | {
            label: Answer(self.task, label, function, "correct") for label, function in derived_mistakes(task, right[0])
        }
        for label, (line, says) in self._exceptions.items():
            if label not in by_label:
                raise TableError(f"{self.task} has no derived answer {label!r}; it has: {', '.join(by_label)}.")
            answer = by_label.pop(label)
            if line is not None:
                by_label[label] = Answer(self.task, label, answer.function, line, says)
        return list(by_label.values())

    def _decorator(self, label: str | None, line: Line | None, says: str) -> Callable[[Function], Function]:
        def add(function: Function) -> Function:
            name = getattr(function, "__name__", "<lambda>")
            if label is None and name == "<lambda>":
                raise TableError(f"An answer to {self.task} has no name of its own; give it a label.")
            words = name.replace("_", " ") if label is None else label
            if any(words == other.label for other in self.from_file):
                raise TableError(f"Two answers to {self.task} have the label {words!r}; each needs its own.")
            self.from_file.append(Answer(self.task, words, function, line, says))
            return function

        return add


def lessons() -> dict[str, tuple[str, ...]]:
    """Return the course's lessons ("03_element_loops") and the ids of the tasks of each, practice last."""
    known = sorted({*tasks.lessons(), *tasks.lessons("practice")})
    return {lesson: (*tasks.ids(lesson), *tasks.ids(lesson, "practice")) for lesson in known}


def folder_of(lesson: str) -> str:
    """Return the folder with the answers to a lesson's tasks: "lesson_03"."""
    return f"lesson_{lesson.partition('_')[0]}"


def _known(line: str) -> Line:
    for each in get_args(Line):
        if line == each:
            return each
    raise TableError(f"There is no line {line!r} in a verdict; the lines are {', '.join(get_args(Line))}.")
