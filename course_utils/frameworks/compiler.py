"""What the course asks of a framework's compiler, and the graphs that a compiler makes of a function.

"Compiler" means one that runs at a function's first call and takes seconds, as torch's does.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Graph:
    """One graph.

    Attributes:
        break_reason: the compiler's first line about the code that ended the graph; "" if the function ended.
        file, line: the position of that code; "" and 0 if unknown.
    """

    break_reason: str = ""
    file: str = ""
    line: int = 0


@dataclass
class RecordedGraphs:
    """The graphs that were traced during some calls, and the graphs that ran, one entry per run."""

    traced: list[Graph] = field(default_factory=list)
    ran: list[Graph] = field(default_factory=list)


class Compiler:
    """The compiler of a framework that has none, or whose functions are traced within milliseconds."""

    def is_loaded(self) -> bool:
        """Return whether a call in this process may compile for seconds."""
        return False

    def compilation_count(self) -> int:
        """Return how many pieces of code were compiled in this process so far, code that was compiled again included."""
        return 0

    def run_uncompiled(self) -> AbstractContextManager[object]:
        """Return a context in which compiled functions run uncompiled, one operation at a time."""
        return nullcontext()

    def record_graphs(self) -> AbstractContextManager[RecordedGraphs]:
        """Return a context in which functions are split into graphs as usual; the graphs run uncompiled and are recorded.

        That skips the slow half of compiling, which generates code.
        """
        return nullcontext(RecordedGraphs())

    def explain_error(self, error: BaseException) -> str:
        """Return what an error of the compiler means and what helps, in a sentence or two; "" for any other error."""
        return ""
