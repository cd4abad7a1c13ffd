"""Tricks that every task's check must refuse: the slow loop itself, a cached result, and empty answers. The table makes
them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Answer = Callable[..., Any]


def first_result_cached(answer: Answer) -> Answer:
    """Return an answer that returns the result of its first call in every call."""
    results: list[Any] = []

    def cached(*inputs: Any) -> Any:
        if not results:
            results.append(answer(*inputs))
        return results[0]

    return cached


def nothing_returned(*inputs: Any) -> None:
    """Return nothing, like an answer without a ``return``."""


def not_written(*inputs: Any) -> None:
    """Raise what the stub of an exercise raises."""
    raise NotImplementedError()


@dataclass(frozen=True)
class Trick:
    """An attempt to pass a check without solving the task.

    Attributes:
        label: the trick in words.
        make: ``make(slow, right)`` makes an answer from the slow loop and a right answer.
        line: the line of the verdict that must refuse it.
        says: what the message must contain.
    """

    label: str
    make: Callable[[Answer, Answer], Answer]
    line: Literal["correct", "unlooped"] = "correct"
    says: str = ""


TRICKS = (
    Trick("the slow loop itself", lambda slow, right: slow, "unlooped"),
    Trick("a cached first answer", lambda slow, right: first_result_cached(right)),
    Trick("nothing returned", lambda slow, right: nothing_returned, says="`return` missing"),
    Trick("not written yet", lambda slow, right: not_written, says="not written"),
)
