"""The table of answers that every check is held against: right ones that must pass, wrong ones that must not.

One line adds one: ``right(task, label, answer)`` or ``wrong(task, label, line, answer)``. Nothing here judges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Line = Literal["correct", "unlooped", "fast"]


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


TABLE: list[Answer] = []


def right(task: str, label: str, function: Callable[..., Any]) -> None:
    """Add an answer that must pass."""
    TABLE.append(Answer(task, label, function))


def wrong(task: str, label: str, refused_at: Line, function: Callable[..., Any], says: str = "") -> None:
    """Add an answer that must be refused at that line, with a message that contains ``says``."""
    TABLE.append(Answer(task, label, function, refused_at, says))
