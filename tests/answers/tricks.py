"""Tricks that every task's check must refuse: a memory, forged comparisons, clocks and checks, and empty answers.

The table makes them for each task. Its caller undoes what they forge, with ``undo_forgeries``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal

import course_utils.counting
import course_utils.frameworks.agreement
import course_utils.judging
import course_utils.learner.commands
import course_utils.timing

Answer = Callable[..., Any]
_COMPARISONS = {
    "torch": ("allclose", "equal", "isclose"),
    "numpy": ("allclose", "array_equal"),
    "tensorflow": ("equal",),
}
_CLOCKS = ("perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "time", "time_ns", "process_time")


def first_result_cached(answer: Answer) -> Answer:
    """An answer that returns the result of its first call in every call."""
    results: list[Any] = []

    def cached(*inputs: Any) -> Any:
        if not results:
            results.append(answer(*inputs))
        return results[0]

    return cached


def comparisons_forged(answer: Answer) -> Answer:
    """An answer that first replaces the comparisons of every library, and the course's own, by ones that always agree."""

    def forged(*inputs: Any) -> Any:
        for library, names in _COMPARISONS.items():
            for name in names if library in sys.modules else ():
                setattr(sys.modules[library], name, lambda *args, **kwargs: True)
        course_utils.frameworks.agreement.close = lambda *args, **kwargs: None
        return answer(*inputs)

    return forged


def clocks_forged(answer: Answer) -> Answer:
    """An answer that first replaces Python's clocks by ones that hardly advance."""
    ticks = count()

    def forged(*inputs: Any) -> Any:
        for clock in _CLOCKS:
            setattr(time, clock, lambda: next(ticks) * 1e-9)
        return answer(*inputs)

    return forged


def check_forged(answer: Answer) -> Answer:
    """An answer that first replaces the course's check by one that accepts everything."""

    def forged(*inputs: Any) -> Any:
        course_utils.learner.commands.check = course_utils.judging.judge = lambda *args, **kwargs: print("correct")
        course_utils.timing.compare = course_utils.counting.count = lambda *args, **kwargs: None
        return answer(*inputs)

    return forged


def nothing_returned(*inputs: Any) -> None:
    """An answer without a ``return``."""


def not_written(*inputs: Any) -> None:
    """The stub that an exercise holds at first."""
    raise NotImplementedError()


@dataclass(frozen=True)
class Trick:
    """A way to look right or to hand in nothing.

    Attributes:
        label: the trick in words.
        make: ``make(slow, right, wrong)`` makes an answer from the slow loop, a right answer and an incorrect one.
        line: the line of the verdict that must refuse it.
        says: what the message must contain.
        is_forgery: whether it forges the course's tools. The check defends them in the same way for every task, so the
            table makes it only for the first exercise of a lesson.
    """

    label: str
    make: Callable[[Answer, Answer, Answer], Answer]
    line: Literal["correct", "unlooped"] = "correct"
    says: str = ""
    is_forgery: bool = False


TRICKS = (
    Trick("the slow loop itself", lambda slow, right, wrong: slow, "unlooped"),
    Trick("the slow loop on a forged clock", lambda slow, right, wrong: clocks_forged(slow), is_forgery=True),
    Trick("a cached first answer", lambda slow, right, wrong: first_result_cached(right)),
    Trick("comparisons forged", lambda slow, right, wrong: comparisons_forged(wrong), is_forgery=True),
    Trick("the check forged", lambda slow, right, wrong: check_forged(wrong), is_forgery=True),
    Trick("nothing returned", lambda slow, right, wrong: nothing_returned, says="`return` missing"),
    Trick("not written yet", lambda slow, right, wrong: not_written, says="not written"),
)


@contextmanager
def undo_forgeries() -> Iterator[None]:
    """Restore every module that a trick can forge when the block ends."""
    names = {"time", *_COMPARISONS, *(name for name in sys.modules if name.startswith("course_utils"))}
    before = [(module, dict(vars(module))) for name, module in list(sys.modules.items()) if name in names]
    try:
        yield
    finally:
        for module, attributes in before:
            if vars(module) != attributes:
                for name, value in attributes.items():
                    if vars(module).get(name) is not value:
                        setattr(module, name, value)
