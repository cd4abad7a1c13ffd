"""Calls of an answer that are counted or measured, as functions with a name.

Each returns the result and plain facts about the call. A function with a name can also run in another process, next to an
answer that cannot be counted from outside.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from course_utils import frameworks
from course_utils.core.errors import USER_CODE_ERRORS
from course_utils.counting import Counts, counting
from course_utils.counting.graphs import GraphReport, count_graphs
from course_utils.counting.tally import Tally
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.compiler_interface import TimedWork
from course_utils.frameworks.framework_interface import Framework
from course_utils.frameworks.runtime_interface import MemoryUse
from course_utils.sandbox.output import silence_stderr
from course_utils.sandbox.time_limits import TimeLimitReached

MOST_OPS = 5_000
"""A counted call is stopped after this many operations, since a counted operation takes many times as long as another one.
A number of operations, unlike a time, gives the same verdict on every machine."""


class _EnoughCounted(BaseException):
    """Stops a counted call; no ``except Exception`` of an answer catches it."""


class _BoundedTally(Tally):
    """A tally that stops the call after ``MOST_OPS`` operations, or after ``most_without_views`` that are no views."""

    most_without_views: ClassVar[int] = MOST_OPS

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name == "ops" and (value >= MOST_OPS or value - self.view_ops >= self.most_without_views):
            raise _EnoughCounted


@dataclass(frozen=True)
class Beginning:
    """The counts of a call that may have been stopped early: ``is_complete`` shows whether it ended by itself."""

    counts: Counts
    is_complete: bool


def count_call(function: Callable[..., Any], *inputs: Any) -> tuple[Any, Counts]:
    """Return the result, and the counts of the whole call; no result if the call is stopped after ``MOST_OPS``
    operations.
    """
    tally, result = _BoundedTally(), None
    try:
        with suppress(_EnoughCounted), counting(tally) as count_unseen:
            result = function(*inputs)
            count_unseen((inputs, ()), result)
    except USER_CODE_ERRORS:  # TorchScript's interpreter replaces _EnoughCounted by an error of its own
        if tally.ops < MOST_OPS:
            raise
    return result, Counts.of(tally)


def _count_up_to(most: int) -> Callable[..., tuple[None, Beginning]]:
    """Return a measured call that counts up to this many operations without views, up to ``MOST_OPS``, or up to an
    error."""

    class ShortTally(_BoundedTally):
        most_without_views = most

    def count_beginning(function: Callable[..., Any], *inputs: Any) -> tuple[None, Beginning]:
        tally = ShortTally()
        try:
            with counting(tally):
                function(*inputs)
        except (_EnoughCounted, TimeLimitReached, *USER_CODE_ERRORS):  # the exceeded limit matters more than an error
            return None, Beginning(Counts.of(tally), False)
        return None, Beginning(Counts.of(tally), True)

    count_beginning.__name__ = f"count_{most}_operations"
    return count_beginning


COUNT_BEGINNING = {most: _count_up_to(most) for most in (150, 400, 1_000, MOST_OPS)}
"""Operations without views → a measured call that stops after so many; each has a name of its own, by which another process
knows it."""


def trace_graphs(function: Callable[..., Any], *inputs: Any) -> tuple[Any, GraphReport]:
    """Return the result, and the graphs that a compiler makes of the call."""
    return count_graphs(function, inputs)


def measure_memory(function: Callable[..., Any], *inputs: Any) -> tuple[Any, MemoryUse | None]:
    """Return the result, and what the call allocates as it runs, inside operations as well; None if that is not
    measured.
    """
    use = _framework_of(inputs).measure_memory()
    if use is None:
        return function(*inputs), None
    with silence_stderr(), use as memory:  # the profiler writes to stderr
        result = function(*inputs)
    return result, memory


def profile_work(function: Callable[..., Any], *inputs: Any) -> tuple[Any, tuple[TimedWork, ...]]:
    """Return the result, and the work inside compiled code."""
    with silence_stderr(), _framework_of(inputs).compiler.profile() as works:
        result = function(*inputs)
    return result, tuple(works)


def reverse_writes(function: Callable[..., Any], *inputs: Any) -> tuple[Any, int]:
    """Return the result with TensorFlow's writes in the reverse order, and how many operations write so."""
    from course_utils.judging.tensorflow_reversed_writes import reverse_order_of_writes

    with reverse_order_of_writes() as written:
        result = function(*inputs)
    return result, len(written)


def find_writes(function: Callable[..., Any], *inputs: Any) -> tuple[Any, tuple[int, ...]]:
    """Return the result, and the positions of the arguments into which the call wrote, whatever they hold afterward."""
    before = [_write_counts(value) for value in inputs]
    result = function(*inputs)
    return result, tuple(index for index, value in enumerate(inputs) if _write_counts(value) != before[index])


def _write_counts(value: Any) -> list[int]:
    return [frameworks.of(tensor).write_count(tensor) for tensor in tensor_trees.tensors(value)]


def _framework_of(inputs: tuple) -> Framework:
    of_inputs = (frameworks.of(tensor) for tensor in tensor_trees.tensors(inputs))
    return next(iter((*of_inputs, *frameworks.loaded(), frameworks.NO_FRAMEWORK)))


FACTS: dict[Callable[..., Any], Any] = {
    count_call: Counts,
    **dict.fromkeys(COUNT_BEGINNING.values(), Beginning),
    trace_graphs: GraphReport,
    measure_memory: MemoryUse | None,
    profile_work: tuple[TimedWork, ...],
    reverse_writes: int,
    find_writes: tuple[int, ...],
}
"""A measured call → the class of its facts."""

BY_NAME = {function.__name__: function for function in FACTS}
