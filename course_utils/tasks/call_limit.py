"""``CallLimit``: what a task limits in one call, how the card and the verdict name the limit, and what exceeds it.

``at_most`` makes a limit; its kinds are in ``at_most.py``, ``at_most_ops.py``, ``at_most_bytes.py`` and ``at_most_graphs.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from course_utils.counting import Counts
from course_utils.counting.graphs import GraphReport
from course_utils.frameworks.runtime_interface import MemoryUse

Kind = Literal[
    "ops", "launches", "bytes", "peak bytes", "syncs", "transfers", "traces", "graphs", "XLA", "kernel bytes"
]


class PartialCounts(Counts):
    """The counts of a call that was stopped: it would have done at least this much."""


@dataclass(frozen=True)
class Call:
    """One counted call of an answer.

    Attributes:
        inputs: its arguments.
        counts: what it did, with compiled functions run uncompiled.
        graphs: what a compiler made of it, if the task limits graphs.
        memory: what it allocates as it runs, if that was measured: for a limit on peak bytes, and for compiled code.
    """

    inputs: tuple[Any, ...]
    counts: Counts
    graphs: GraphReport | None = None
    memory: MemoryUse | None = None


class CallLimit:
    """The base of all limits. A kind of limit overrides one or two of the three ``after_`` methods.

    Attributes:
        kind: what the limit limits.
        calls: how many calls at one size the limit needs to see.
    """

    kind: ClassVar[Kind]
    calls: ClassVar[int] = 1

    @property
    def phrase(self) -> str:
        """Return how a verdict's line names the limit: ``"at most 20 tensor operations"``."""
        raise NotImplementedError

    def rule(self, framework: str) -> str:
        """Return how a task's card states the limit: one or two sentences in Markdown."""
        raise NotImplementedError

    @property
    def only_if_alone(self) -> bool:
        """Return whether a verdict's line names this limit only if the task has no other."""
        return False

    def after_call(self, counts: Counts, holds_tensors: bool) -> str | None:
        """Return what exceeds the limit in one call, None if nothing does; ``holds_tensors``: whether its result holds
        tensors.
        """
        return None

    def after_size(self, size: int, calls: Sequence[Call]) -> str | None:
        """Return what exceeds the limit in the calls at one size, None if nothing does."""
        return None

    def after_all(self, task_id: str, counted: Mapping[int, Counts]) -> str | None:
        """Return what exceeds the limit at either of the two sizes (the smaller one first), None if nothing does.

        The counts of the larger size may be ``PartialCounts``.
        """
        return None


def at_least(counts: Counts) -> str:
    """Return the words before a number of these counts: a call that was stopped did at least so much."""
    return "at least " if isinstance(counts, PartialCounts) else ""


def at_most_words(number: int, noun: str, plural: str) -> str:
    """Return a limit in words, as a verdict's line and a card print it.

    >>> at_most_words(1, "transfer", "transfers")
    'at most 1 transfer'
    """
    return f"at most {number:,} {noun if number == 1 else plural}"


def capitalized(phrase: str) -> str:
    """Return ``phrase`` with a capital first letter."""
    return phrase[:1].upper() + phrase[1:]
