"""The number of graphs that ``torch.compile`` splits a function into, and the lines that split it."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from course_utils import frameworks
from course_utils.core.wording import pluralize
from course_utils.frameworks.compiler_interface import Graph, RecordedGraphs


@dataclass(frozen=True, repr=False)
class GraphReport:
    """The graphs that ``torch.compile`` made of one or several calls; as the last line of a cell it shows a summary.

    Attributes:
        traced: how many graphs were traced; 0 if nothing is compiled, or if earlier calls traced all graphs.
        ran: how many graphs ran, each run counted; 1 for one call of a function that is one graph.
        breaks: each line that ended a graph, with the compiler's reason; if no line did, each line that Python itself
            ran before a graph.
    """

    traced: int = 0
    ran: int = 0
    breaks: tuple[str, ...] = ()

    @classmethod
    def of(cls, recorded: RecordedGraphs) -> GraphReport:
        """Return the report on some recorded graphs."""
        ends = {(graph.file, graph.line): graph for graph in recorded.ran if graph.break_reason}
        if not ends:  # A break before the first operation ends no graph.
            places = {(graph.file, graph.resumes_at) for graph in recorded.ran if graph.resumes_at}
            ends = {place: Graph("Python runs this line itself", *place) for place in places}
        breaks = dict.fromkeys(map(_describe_break, ends.values()))
        return cls(len(recorded.traced), len(recorded.ran), tuple(breaks))

    def __repr__(self) -> str:
        counts = f"{pluralize(self.traced, 'graph')} traced, {pluralize(self.ran, 'run')} of a graph"
        return "\n".join([counts, *(f"- a graph ends at {each}" for each in self.breaks)])


def count_graphs(function: Callable[..., Any], /, *calls: tuple) -> tuple[Any, GraphReport]:
    """Return the last result and a report, after one call of ``function`` per tuple of arguments in ``calls``."""
    result = None
    with ExitStack() as stack:
        recorded = [stack.enter_context(each.compiler.record_graphs()) for each in frameworks.loaded()]
        for arguments in calls:
            result = function(*arguments)
    total = RecordedGraphs()
    for each in recorded:
        total.traced += each.traced
        total.ran += each.ran
    return result, GraphReport.of(total)


def graphs(function: Callable[..., Any], /, *calls: tuple) -> GraphReport:
    """Return a report on the graphs that ``torch.compile`` makes of ``function``, over one or several calls.

    Graphs that earlier calls of ``graphs`` traced are not traced again.

    >>> import torch
    >>> graphs(torch.compile(lambda x: x + 1), (torch.ones(3),)).ran
    1
    """
    return count_graphs(function, *calls)[1]


def _describe_break(graph: Graph) -> str:
    source = linecache.getline(graph.file, graph.line).strip()
    return f"line {graph.line}, `{source}`: {graph.break_reason}" if source else graph.break_reason
