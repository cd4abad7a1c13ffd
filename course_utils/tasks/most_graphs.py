"""A limit on what a compiler makes of an answer: so many graphs in one call, traced once for all values of a shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.core.wording import count_times, pluralize
from course_utils.tasks.budget import Budget, Call


@dataclass(frozen=True)
class MostGraphs(Budget):
    """Compiled graphs that one call may run, and no fewer than one; what is traced for one call must do for later ones.

    One trace more is allowed, with which torch learns that a Python number may change.
    """

    number: int
    kind = "graphs"
    calls = 4

    @property
    def phrase(self) -> str:
        return f"compiled, {'in' if self.number == 1 else 'at most'} {pluralize(self.number, 'graph')}"

    def after_size(self, size: int, calls: Sequence[Call]) -> str | None:
        """Not compiled, cut into too many graphs, or traced again and again."""
        found = calls[-1].graphs
        assert found is not None, "an answer to a task with this limit is called so that graphs are told"
        most = max(each.graphs.ran for each in calls if each.graphs is not None)
        if most == 0:
            return (
                "It is right, but nothing of it is compiled: each operation still runs on its own. Write @torch.compile in the "
                "line above def. If it stands there, the compiler gave up: where a graph would break inside a Python loop, it "
                "compiles nothing at all."
            )
        breaks = dict.fromkeys(place for each in calls if each.graphs is not None for place in each.graphs.breaks)
        if most > self.number or len(breaks) >= self.number:
            into = (
                f"cuts it into {pluralize(most, 'graph')}, and between two of them"
                if most > 1
                else "takes only a part of it, and behind that"
            )
            told = (
                f"The compiler {into} Python runs; at most {pluralize(self.number, 'graph')} for the whole "
                f"{'is' if self.number == 1 else 'are'} allowed. torch.where chooses without asking for a value; what prints, or "
                "hands values to Python, has its place outside."
            )
            return "\n".join([told, *(f"  a graph ends at {place}" for place in breaks)])
        traced = sum(each.graphs.traced for each in calls if each.graphs is not None)
        if traced > self.number + 1:
            return (
                f"Four calls with new values of one shape were traced {count_times(traced)}; one trace is enough, and a second one "
                "where a Python number changes. A Python value that chooses what is done is compiled in; a tensor is not."
            )
        return None
