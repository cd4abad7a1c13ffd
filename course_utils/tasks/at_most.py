"""What one call may do at most: ``at_most(20, "ops")`` is a small value, and a ``Task`` holds some of them.

Each kind knows what it reads from the counts, how a verdict's line names it, and what somebody is told who goes past
it. Nothing here counts, and nothing here runs an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from course_utils.core.wording import count_times
from course_utils.counting import Counts
from course_utils.counting.tally import PRINTED, REBUILT
from course_utils.frameworks import tensor_trees
from course_utils.tasks.at_most_bytes import MostBytes, MostPeakBytes, Number
from course_utils.tasks.budget import Budget, Call, Kind, at_most_words
from course_utils.tasks.errors import TaskInvalid
from course_utils.tasks.most_graphs import MostGraphs


@dataclass(frozen=True)
class MostOps(Budget):
    """Tensor operations that one call may run; for TensorFlow also those in a graph and in its loops."""

    number: int
    kind = "ops"

    @property
    def phrase(self) -> str:
        return at_most_words(self.number, "tensor operation", "tensor operations")

    def after_all(self, task_id: str, counted: Mapping[int, Counts]) -> str | None:
        """Too many at either size; where they grow with the size, a loop is left."""
        (small, few), (large, many) = counted.items()
        if max(few.ops, many.ops) <= self.number:
            return None
        told = f"Size {small} takes {few.ops} tensor operations, size {large} takes {many.ops}"
        if many.ops > few.ops:
            return (
                f"{told}: the number grows with the input, so a loop still runs over it. "
                f"At most {self.number} are allowed, at every size."
            )
        return f"{told}; at most {self.number} are allowed. Which of them are not needed?"


@dataclass(frozen=True)
class MostLaunches(Budget):
    """Tensor operations, or whole graphs, that one call may start from Python."""

    number: int
    kind = "launches"

    @property
    def phrase(self) -> str:
        return at_most_words(self.number, "operation started from Python", "operations started from Python")

    def after_all(self, task_id: str, counted: Mapping[int, Counts]) -> str | None:
        """Too many at the size at which there are most."""
        size, counts = max(counted.items(), key=lambda item: item[1].launches)
        if counts.launches <= self.number:
            return None
        return (
            f"Python starts {counts.launches} operations in one call at size {size}; at most {self.number} are "
            "allowed. A graph is started once, with all the operations in it: make one of the steps."
        )


@dataclass(frozen=True)
class MostSyncs(Budget):
    """Times that one call may wait for a value to come to Python: ``.item()``, ``.tolist()``, ``if tensor:``.

    Whole tensors may come to Python only where the result is no tensor.
    """

    number: int
    kind = "syncs"

    @property
    def phrase(self) -> str:
        return at_most_words(self.number, "wait for a value", "waits for a value")

    @property
    def only_if_alone(self) -> bool:
        return True

    def after_call(self, counts: Counts, holds_tensors: bool) -> str | None:
        """Whole tensors that came to Python, and a tensor that was made of what came of them."""
        if not (counts.whole_tensor_reads and holds_tensors):
            return None
        verb = "takes" if len(counts.whole_tensor_reads) == 1 else "take"
        return (
            f"{' and '.join(counts.whole_tensor_reads)} {verb} the values out of a tensor, to work on them in Python; "
            "keep the work in tensor operations."
        )

    def after_all(self, task_id: str, counted: Mapping[int, Counts]) -> str | None:
        """Too many at either size, with a remedy that fits the way in which the values came."""
        (small, few), (large, many) = counted.items()
        if max(few.syncs, many.syncs) <= self.number:
            return None
        ways = f" ({', '.join(many.sync_causes)})" if many.sync_causes else ""
        allowed = "none is allowed" if self.number == 0 else f"at most {self.number} is allowed"
        return (
            f"Python waits for values {count_times(few.syncs)} at size {small} and {count_times(many.syncs)} at size "
            f"{large}{ways}; {allowed}. {_without_waiting(many.sync_causes)}"
        )


@dataclass(frozen=True)
class MostTransfers(Budget):
    """Times that one call may ask for a tensor on a device: ``.to(device)``, also for one that is there already."""

    number: int
    kind = "transfers"

    @property
    def phrase(self) -> str:
        return at_most_words(self.number, "transfer", "transfers")

    def after_all(self, task_id: str, counted: Mapping[int, Counts]) -> str | None:
        """Too many at the size at which there are most."""
        most = max(counts.transfers for counts in counted.values())
        if most <= self.number:
            return None
        return (
            f"{task_id} asks for {most} transfers; at most {self.number} "
            f"{'is' if self.number == 1 else 'are'} allowed. Which tensor is sent again although it has not changed? "
            "Send it once, before the loop."
        )


@dataclass(frozen=True)
class MostTraces(Budget):
    """Times that ``tf.function`` or a compiler may trace over four calls with fresh inputs.

    Inputs of one shape, unless the task draws their shapes, too: then what is traced for each shape is too much as well.
    """

    number: int
    kind = "traces"
    calls = 4

    @property
    def phrase(self) -> str:
        return at_most_words(self.number, "trace", "traces")

    def after_size(self, size: int, calls: Sequence[Call]) -> str | None:
        """Too many over the calls of a size."""
        traces = sum(call.counts.traces for call in calls)
        if traces <= self.number:
            return None
        told = f"{{}} were traced {count_times(traces)}; at most {self.number} is allowed. {{}}"
        if len({_shapes(call.inputs) for call in calls}) > 1:
            return told.format(
                "Four calls with new shapes and values",
                "A new shape makes a new trace unless the tf.function is told that any will do: "
                "input_signature=[tf.TensorSpec([None], dtype)]. So does a new Python number, or a new function.",
            )
        return told.format(
            "Four calls with new values of one shape",
            "A new Python number or a new function makes a new trace, a tensor does not; tf.vectorized_map traces in "
            "each call unless it stands in a tf.function.",
        )


_Any = MostOps | MostLaunches | MostBytes | MostPeakBytes | MostSyncs | MostTransfers | MostTraces | MostGraphs
_EACH = (MostOps, MostLaunches, MostBytes, MostPeakBytes, MostSyncs, MostTransfers, MostTraces, MostGraphs)
_KINDS: Mapping[str, type[_Any]] = {each.kind: each for each in _EACH}
_OF_INPUTS = (MostBytes, MostPeakBytes)


def at_most(number: Number, kind: Kind) -> Budget:
    """The limit of that kind.

    Args:
        number: how many there may be, 0 or more; of bytes and peak bytes also a function of the inputs.
        kind: what is counted.

    Raises:
        TaskInvalid: when there is no such kind, or the number is none that can be held.

    >>> at_most(20, "ops").phrase
    'at most 20 tensor operations'
    """
    if kind not in _KINDS:
        raise TaskInvalid(
            f"at_most({number!r}, {kind!r}) limits nothing that is counted; the kinds are {', '.join(_KINDS)}."
        )
    if callable(number):
        for each in _OF_INPUTS:
            if each.kind == kind:
                return each(number)
        raise TaskInvalid(f"at_most(…, {kind!r}) has a function of the inputs; only bytes may: write a whole number.")
    if type(number) is not int or number < 0:
        raise TaskInvalid(f"at_most({number!r}, {kind!r}) is no limit; write a whole number, 0 or more.")
    return _KINDS[kind](number)


def _shapes(inputs: tuple) -> tuple:
    return tuple(tuple(tensor.shape) for tensor in tensor_trees.tensors(inputs))


def _without_waiting(sync_causes: tuple[str, ...]) -> str:
    if not sync_causes:
        return "What picks by a mask waits to learn how many values there are; torch.where, value by value, does not."
    if sync_causes == (REBUILT,):
        return "torch.stack and torch.cat join tensors without a wait."
    if sync_causes == (PRINTED,):
        return "To print a tensor is to wait for it; take the print out when you have seen enough."
    return "Keep the work in tensor operations."
