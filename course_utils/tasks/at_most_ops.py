"""Limits on the operations of one call: all tensor operations, or those that Python starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from course_utils.counting import Counts
from course_utils.tasks.call_limit import CallLimit, PartialCounts, at_least, at_most_words, capitalized

GROWS = "the number grows with the input"
"""What a message says if a loop remains."""

# At the larger size, a loop over the input runs at least this many times as many operations. A loop whose length depends on
# the drawn values, such as on the slowest of them, runs about as many as before.
_LOOP = 1.4
_VIEWS_TAKE_TIME = "A view costs no memory, but creating each one takes time."
_PIECES_TAKE_TIME = "`tf.unstack` and `tf.split` count as one operation each, but creating each piece takes time."


@dataclass(frozen=True)
class MostOps(CallLimit):
    """The most tensor operations of one call; in TensorFlow, operations in graphs and in their loops count too."""

    number: int
    kind = "ops"

    def rule(self, framework: str) -> str:
        """Return what counts as an operation."""
        if framework == "torch":
            return (
                f"{capitalized(self.phrase)}. Views, such as slices and transposes, are free, unless their "
                "number grows with the input. Operations of compiled code count as you wrote them."
            )
        return (
            f"{capitalized(self.phrase)}, including operations inside a `tf.function`. Pieces that `tf.unstack` or "
            "`tf.split` returns are free, unless their number grows with the input."
        )

    @property
    def phrase(self) -> str:
        return at_most_words(self.number, "tensor operation", "tensor operations")

    def after_all(self, task_id: str, counted: Mapping[int, Counts]) -> str | None:
        """Return a message if there are too many at either size; if they grow with the size, a loop remains."""
        numbers = [counts.ops_without_views for counts in counted.values()]
        if max(numbers) <= self.number:
            return self._loop_over_views(counted)
        small, *large = [
            f"size {size:,} takes "
            f"{'more than ' if isinstance(counts, PartialCounts) else ''}{counts.ops_without_views:,}"
            for size, counts in counted.items()
        ]
        fact = ", ".join([f"{capitalized(small)} tensor operations", *large])
        allowed = f"at most {self.number:,} {'is' if self.number == 1 else 'are'} allowed"
        last_size, last = list(counted.items())[-1]
        if numbers[-1] > _LOOP * numbers[0]:
            loop = "it"
            if isinstance(last, PartialCounts):
                if numbers[0] > self.number:  # Expensive rounds may add as many operations as a loop over all values.
                    loop = "its values, in blocks or in rounds"
            elif numbers[-1] - numbers[0] < last_size - min(counted):
                # A loop over all values adds at least one operation for each.
                loop = "it, such as a loop over blocks or a round for each doubling"
            return f"{fact}: {GROWS}, so a loop still runs over {loop}. {capitalized(allowed)} at every size."
        if isinstance(last, PartialCounts):
            return (
                f"{capitalized(small)} tensor operations; {allowed}. Counting at size {last_size:,} ended before it showed "
                "whether the number grows with the input: does a loop over the values remain?"
            )
        return (
            f"{fact}; {allowed}. Each operation counts, also in a loop whose length does not follow the size and inside a "
            "function that you call."
        )

    def _loop_over_views(self, counted: Mapping[int, Counts]) -> str | None:
        """Return a message if views, or pieces in TensorFlow, grow with the size beyond the limit: a loop over the input
        makes or uses them.
        """
        views = [counts.views for counts in counted.values()]
        if views[-1] <= max(views[0], self.number):
            return None
        small, large = min(counted), max(counted)
        fewest, most = (max(2, (size - 1).bit_length()) for size in (small, large))
        if views[-1] * fewest <= views[0] * most and views[-1] - views[0] < large - small:
            return None  # They grow as rounds of doubling do; a loop over all values adds at least one view for each.
        are_views = any(counts.view_ops for counts in counted.values())
        noun, why = ("views", _VIEWS_TAKE_TIME) if are_views else ("pieces", _PIECES_TAKE_TIME)
        fact = ", ".join(
            f"size {size:,} makes {at_least(each)}{number:,} {noun}"
            for (size, each), number in zip(counted.items(), views)
        )
        return (
            f"{capitalized(fact)}: {GROWS}, so a loop still runs over it, in your code or "
            f"inside a function that you call. {why}"
        )


@dataclass(frozen=True)
class MostLaunches(CallLimit):
    """The most tensor operations, or whole graphs, that one call may start from Python."""

    number: int
    kind = "launches"

    def rule(self, framework: str) -> str:
        """Return the rule, by which a call of a graph counts as one."""
        return f"{capitalized(self.phrase)}; a call of a graph counts as one, whatever is in it."

    @property
    def phrase(self) -> str:
        return at_most_words(self.number, "operation started from Python", "operations started from Python")

    def after_all(self, task_id: str, counted: Mapping[int, Counts]) -> str | None:
        """Return a message if there are too many at the size with the most."""
        size, counts = max(counted.items(), key=lambda item: item[1].launches)
        if counts.launches <= self.number:
            return None
        return (
            f"At size {size}, Python starts {at_least(counts)}{counts.launches:,} operations in one call; at most {self.number:,} "
            f"{'is' if self.number == 1 else 'are'} allowed. A call of a graph counts as one, whatever is in it: "
            "put the steps into one graph."
        )
