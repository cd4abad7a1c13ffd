"""Ways to look right without being right that every task must survive: a memory, forged comparisons, clocks and checks.

The table makes them for each task. Whoever runs one puts back what it forges (``forgeries_undone``).
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


def cached_first(answer: Answer) -> Answer:
    """Right at the first call of a check, and the same result ever after."""
    remembered: list[Any] = []

    def cached(*inputs: Any) -> Any:
        if not remembered:
            remembered.append(answer(*inputs))
        return remembered[0]

    return cached


def forging_comparisons(answer: Answer) -> Answer:
    """Makes the comparisons of every library, and the course's own, say yes; then answers."""

    def forged(*inputs: Any) -> Any:
        for library, names in _COMPARISONS.items():
            for name in names if library in sys.modules else ():
                setattr(sys.modules[library], name, lambda *args, **kwargs: True)
        course_utils.frameworks.agreement.close = lambda *args, **kwargs: None
        return answer(*inputs)

    return forged


def forging_clocks(answer: Answer) -> Answer:
    """Puts clocks in the place of Python's that hardly move while the answer runs."""
    ticks = count()

    def forged(*inputs: Any) -> Any:
        for clock in _CLOCKS:
            setattr(time, clock, lambda: next(ticks) * 1e-9)
        return answer(*inputs)

    return forged


def forging_the_check(answer: Answer) -> Answer:
    """Puts a check in the place of the course's that praises everything."""

    def forged(*inputs: Any) -> Any:
        course_utils.learner.commands.check = course_utils.judging.judge = lambda *args, **kwargs: print("correct")
        course_utils.timing.compare = course_utils.counting.count = lambda *args, **kwargs: None
        return answer(*inputs)

    return forged


def nothing_returned(*inputs: Any) -> None:
    """Forgets its ``return``."""


def not_written(*inputs: Any) -> None:
    """What an exercise holds before anybody works on it."""
    raise NotImplementedError()


@dataclass(frozen=True)
class Trick:
    """A way to look right, or a way to hand in nothing, and what a check must make of it.

    Attributes:
        label: the trick in words.
        make: ``make(slow, right, wrong)`` makes an answer of the slow loop, a right answer and one that is not correct.
        line: the line of the verdict that must refuse it.
        says: what the message must contain.
    """

    label: str
    make: Callable[[Answer, Answer, Answer], Answer]
    line: Literal["correct", "unlooped"] = "correct"
    says: str = ""


TRICKS = (
    Trick("the slow loop itself", lambda slow, right, wrong: slow, "unlooped"),
    Trick("the slow loop on a forged clock", lambda slow, right, wrong: forging_clocks(slow)),
    Trick("a cached first answer", lambda slow, right, wrong: cached_first(right)),
    Trick("comparisons forged", lambda slow, right, wrong: forging_comparisons(wrong)),
    Trick("the check forged", lambda slow, right, wrong: forging_the_check(wrong)),
    Trick("nothing returned", lambda slow, right, wrong: nothing_returned, says="`return` missing"),
    Trick("not written yet", lambda slow, right, wrong: not_written, says="not written"),
)


@contextmanager
def forgeries_undone() -> Iterator[None]:
    """Put every module that a trick may forge back to what it was, when the block ends."""
    names = {"time", *_COMPARISONS, *(name for name in sys.modules if name.startswith("course_utils"))}
    kept = [(module, dict(vars(module))) for name, module in list(sys.modules.items()) if name in names]
    try:
        yield
    finally:
        for module, before in kept:
            for name, value in before.items():
                if vars(module).get(name) is not value:
                    setattr(module, name, value)
