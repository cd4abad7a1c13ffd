"""What every limit of a task can be asked: how a verdict's line names it, and what is wrong with what was counted.

The kinds of limits stand in ``at_most``. Nothing here counts, and nothing here runs an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from course_utils.counting import Counts
from course_utils.counting.graphs import GraphsFound

Kind = Literal["ops", "launches", "bytes", "peak bytes", "syncs", "transfers", "traces", "graphs"]


@dataclass(frozen=True)
class Call:
    """One call of an answer that was counted: the inputs that it got, what it did, and where asked what a compiler made of it."""

    inputs: tuple[Any, ...]
    counts: Counts
    graphs: GraphsFound | None = None


class Budget:
    """What every kind of limit can be asked; each has something to say at one or two of the three moments.

    Attributes:
        kind: what it limits.
        phrase: how a verdict's line names it: ``"at most 20 tensor operations"``.
        told_alone: whether that line names it only where there is nothing else to name.
        calls: how many calls at one size it needs to see.
    """

    kind: ClassVar[Kind]
    calls: ClassVar[int] = 1

    @property
    def phrase(self) -> str:
        raise NotImplementedError

    @property
    def only_if_alone(self) -> bool:
        return False

    def after_call(self, counts: Counts, holds_tensors: bool) -> str | None:
        """What is wrong with one call, whose result holds tensors or none; None where nothing is."""
        return None

    def after_size(self, size: int, calls: Sequence[Call]) -> str | None:
        """What is wrong with the calls at one size; None where nothing is."""
        return None

    def after_all(self, task_id: str, counted: Mapping[int, Counts]) -> str | None:
        """What is wrong at the two sizes, the smaller one first; None where nothing is."""
        return None


def at_most_words(number: int, noun: str, plural: str) -> str:
    """How a verdict's line names a number that may not be passed: "at most 1 transfer"."""
    return f"at most {number} {noun if number == 1 else plural}"
