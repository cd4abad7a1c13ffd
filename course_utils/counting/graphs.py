"""Into how many graphs a compiler cuts a function, and where it has to. Nothing is compiled for it, and no clock is read."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from course_utils import frameworks
from course_utils.core.wording import pluralize
from course_utils.frameworks.compiling import Graph, Graphs


class GraphsFound:
    """What a compiler made of one or several calls; as the last line of a cell it tells itself.

    Attributes:
        traced: how many graphs were made: none where nothing is compiled, or all were made in earlier calls.
        ran: how many graphs ran, each as often as it did; 1 for one call of a function that is compiled as a whole.
        breaks: for each place at which a graph had to end, the line and the compiler's own words.
    """

    def __init__(self, found: Graphs) -> None:
        self.traced, self.ran = len(found.traced), len(found.ran)
        self.breaks = tuple(dict.fromkeys(_told(each) for each in found.ran if each.broken_by))

    def __repr__(self) -> str:
        lines = [f"{pluralize(self.traced, 'graph')} traced, {pluralize(self.ran, 'run')} of a graph"]
        return "\n".join([*lines, *(f"- a graph ends at {each}" for each in self.breaks)])


def count_graphs(function: Callable[..., Any], /, *calls: tuple) -> tuple[Any, GraphsFound]:
    """Call ``function`` once for each of ``calls``, its arguments; returns the last result and what a compiler made of it."""
    result = None
    with ExitStack() as stack:
        found = [stack.enter_context(each.compiler.graphs_told()) for each in frameworks.loaded()]
        for arguments in calls:
            result = function(*arguments)
    whole = Graphs()
    for each in found:
        whole.traced += each.traced
        whole.ran += each.ran
    return result, GraphsFound(whole)


def graphs(function: Callable[..., Any], /, *calls: tuple) -> GraphsFound:
    """Tell into how many graphs a compiler cuts ``function``, over one or several calls.

    What it traced in earlier calls of ``graphs`` it need not trace again.

    >>> import torch
    >>> graphs(torch.compile(lambda x: x + 1), (torch.ones(3),)).ran
    1
    """
    return count_graphs(function, *calls)[1]


def _told(graph: Graph) -> str:
    source = linecache.getline(graph.file, graph.line).strip()
    return f"line {graph.line}, `{source}`: {graph.broken_by}" if source else graph.broken_by
