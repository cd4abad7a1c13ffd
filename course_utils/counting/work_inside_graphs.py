"""``InnerWork``: what one kind of operation inside a graph, or one kernel of it, moves and computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

WHOLE_GRAPH = "graph"
"""The name of the work of a whole graph."""


@dataclass(frozen=True)
class InnerWork:
    """The work of all operations of one name inside a graph.

    Attributes:
        calls: how many ran.
        reads, writes: bytes that they read and wrote.
        seconds: the time that they take one by one, outside of the graph; 0 if it was not measured.
        tried_s: the part of ``seconds`` of operations that also ran on fewer values, which a cache holds.
        arithmetic_s: the part of ``tried_s`` that remains if the cache holds all values, without the calls.
        functions: the elementary functions that a kernel computes.
        is_apart: whether a kernel reads or writes values that are not contiguous, such as gathered ones.
    """

    calls: float = 0.0
    reads: float = 0.0
    writes: float = 0.0
    seconds: float = 0.0
    arithmetic_s: float = 0.0
    functions: tuple[str, ...] = ()
    is_apart: bool = False
    tried_s: float = 0.0

    def plus(self, other: InnerWork, times: float = 1.0) -> InnerWork:
        """Return the sum of this work and ``times`` the other."""
        return InnerWork(
            self.calls + times * other.calls,
            self.reads + times * other.reads,
            self.writes + times * other.writes,
            self.seconds + times * other.seconds,
            self.arithmetic_s + times * other.arithmetic_s,
            tuple(dict.fromkeys((*self.functions, *other.functions))),
            self.is_apart or other.is_apart,
            self.tried_s + times * other.tried_s,
        )


def add_inner_work(total: dict[str, InnerWork], added: Mapping[str, InnerWork], times: float = 1.0) -> None:
    """Add the work in ``added``, multiplied by ``times``, to ``total``, name by name."""
    for name, work in added.items():
        total[name] = total.get(name, InnerWork()).plus(work, times)
