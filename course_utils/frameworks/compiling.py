"""What the course asks of a framework's compiler, and what a compiler makes of a function: graphs.

A compiler here is one that works when a function is first called and then takes seconds, as torch's does.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Graph:
    """One graph, from where it begins to where it ends.

    Attributes:
        broken_by: the compiler's first line about what it could not take into the graph; "" where the function ended.
        file, line: where that stands; "" and 0 where it is not known.
    """

    broken_by: str = ""
    file: str = ""
    line: int = 0


@dataclass
class Graphs:
    """The graphs that were traced while some calls lasted, and those that ran, each as often as it did."""

    traced: list[Graph] = field(default_factory=list)
    ran: list[Graph] = field(default_factory=list)


class Compiler:
    """None: of a framework whose functions run as they are written, or are traced within milliseconds."""

    def is_loaded(self) -> bool:
        """Whether a call in this process may compile something that takes seconds."""
        return False

    def as_written(self) -> AbstractContextManager[object]:
        """Inside the block compiled functions run as they are written, one operation at a time."""
        return nullcontext()

    def graphs_told(self) -> AbstractContextManager[Graphs]:
        """Inside the block compiled functions are cut into graphs as ever, which run as they are written, and are taken down.

        That is the quick half of compiling: no code is made.
        """
        return nullcontext(Graphs())

    def refusal(self, error: BaseException) -> str:
        """What an error of the compiler's means, and what helps, in a sentence or two; "" for an error of another kind."""
        return ""
