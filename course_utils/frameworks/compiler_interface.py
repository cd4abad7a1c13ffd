"""What the course asks of a framework's compiler, and the graphs that a compiler makes of a function.

A compiler runs at a function's first call; torch's takes seconds, TensorFlow's tracer milliseconds.
"""

from __future__ import annotations

import math
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

LAYOUT_COPIES = "copies of inputs into another layout"
"""The name of a kernel that the compiler inserted because an operation reads another layout than its inputs have."""


@dataclass(frozen=True)
class Graph:
    """One graph that a compiler traced.

    Attributes:
        break_reason: the compiler's first line about the code that ended the graph; "" if the function ended.
        file, line: the position of that code; "" and 0 if unknown.
        resumes_at: the line of ``file`` that Python itself ran just before this graph, if the graph continues a
            function; else 0.
    """

    break_reason: str = ""
    file: str = ""
    line: int = 0
    resumes_at: int = 0


@dataclass
class RecordedGraphs:
    """The graphs that were traced during some calls, and the graphs that ran, one entry per run."""

    traced: list[Graph] = field(default_factory=list)
    ran: list[Graph] = field(default_factory=list)


@dataclass(frozen=True)
class TimedWork:
    """One piece of work inside compiled code.

    Attributes:
        name: the operation, such as ``"mm"``, or the operations that a generated kernel fuses.
        kind: ``"guards"`` for the check whether the compiled code fits the inputs, ``"operation"``, ``"kernel"``, or
            ``"call"`` for a moment in which a graph was called, and whose own time is not known.
        start_s, end_s: its time, as ``perf_counter`` shows it.
        reads, writes: the bytes of a kernel's inputs and results; 0 if they are not known.
        functions: what a kernel computes: elementary functions such as ``"exp"``, random numbers, masks.
        core_s: the seconds in which the thread of a kernel had a processor core; infinity if they are not known.
        is_outside: whether it is an operation with work of its own that Python called outside of compiled code.
    """

    name: str
    kind: str
    start_s: float
    end_s: float
    reads: int = 0
    writes: int = 0
    functions: tuple[str, ...] = ()
    is_outside: bool = False
    core_s: float = math.inf

    @property
    def seconds(self) -> float:
        """Return its seconds without what other programs took, as far as that is known."""
        return min(self.end_s - self.start_s, self.core_s)


class Compiler:
    """A framework's compiler. This base class suits a framework without one, or whose functions are traced in
    milliseconds."""

    def is_loaded(self) -> bool:
        """Return whether a call in this process may compile for seconds."""
        return False

    def compilation_count(self, with_traces: bool = False) -> int:
        """Return how many functions and graphs this process has compiled so far, recompiled ones included.

        Args:
            with_traces: whether a framework that only traces counts its traces, which take milliseconds.
        """
        return 0

    def run_uncompiled(self) -> AbstractContextManager[object]:
        """Return a context in which compiled functions run with as little compilation as the framework allows: in
        PyTorch one operation at a time, in TensorFlow as graphs that stay as they were traced.
        """
        return nullcontext()

    def run_compiled(self) -> AbstractContextManager[object]:
        """Return a context in which PyTorch's compiled functions run compiled, also inside ``run_uncompiled``."""
        return nullcontext()

    def record_graphs(self) -> AbstractContextManager[RecordedGraphs]:
        """Return a context in which functions are split into graphs as usual; the graphs run uncompiled and are
        recorded.

        That skips the slow half of compiling, which generates code.
        """
        return nullcontext(RecordedGraphs())

    def generated_folder(self) -> str | None:
        """Return the folder of the source that the compiler generated; None if there is none."""
        return None

    def profile(self) -> AbstractContextManager[list[TimedWork]]:
        """Return a context that lists the work inside compiled code; the list is complete when the context ends."""
        return nullcontext([])

    def missing_program(self) -> str:
        """Return which program the compiler needs and this system lacks, with the remedy; "" if none is missing."""
        return ""

    def explain_error(self, error: BaseException) -> str:
        """Return what an error of the compiler means and what helps, in a sentence or two; "" for any other error."""
        return ""
