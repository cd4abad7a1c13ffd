"""``at_most(20, "ops")``: a limit on what one call may do. A ``Task`` holds some of them.

Each kind of limit reads its number from the counts and words the card's rule, the verdict's line and the failure's
message.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from course_utils.core.wording import count_times, enumerate_words
from course_utils.counting import Counts
from course_utils.counting.tally import FILLED_BY_TENSOR, MASKED_READ, MEMORY_ACCESS, PRINTED, REBUILT
from course_utils.tasks.at_most_bytes import MostBytes, MostPeakBytes, Number
from course_utils.tasks.at_most_graphs import MostGraphs, MostTraces
from course_utils.tasks.at_most_ops import MostLaunches, MostOps
from course_utils.tasks.call_limit import CallLimit, Kind, PartialCounts, at_least, at_most_words, capitalized
from course_utils.tasks.loading_errors import TaskInvalid


@dataclass(frozen=True)
class MostSyncs(CallLimit):
    """The most synchronizations of one call, in which Python waits for a value: ``.item()``, ``.tolist()``,
    ``if tensor:``.

    Whole tensors may come to Python only if the result is not a tensor.
    """

    number: int
    kind = "syncs"

    def rule(self, framework: str) -> str:
        """Return the rule with the common causes of a synchronization."""
        reads = "`.item()`, `.tolist()`, `print`" if framework == "torch" else "`.numpy()`, `float()`, `print`"
        branch = (
            ", `if` on a tensor, or inside an operation such as a boolean mask"
            if framework == "torch"
            else " or `if` on a tensor"
        )
        never = "never " if self.number == 0 else ""
        whole = " Whole tensors never go to Python if the result is a tensor." if self.number else ""
        return f"{capitalized(self.phrase)}: Python {never}waits for a value, by {reads}{branch}.{whole}"

    @property
    def phrase(self) -> str:
        return (
            at_most_words(self.number, "synchronization", "synchronizations") if self.number else "no synchronization"
        )

    @property
    def only_if_alone(self) -> bool:
        return True

    def after_call(self, counts: Counts, holds_tensors: bool) -> str | None:
        """Return a message if whole tensors came to Python although the result holds tensors, or if no counted
        operation made the result."""
        if counts.unseen_results and self.number == 0 and not counts.syncs:
            return (
                "No counted operation made the result: code in another thread, or outside of the framework's operations, "
                "cannot be counted. Keep the work in tensor operations."
            )
        if not (counts.whole_tensor_reads and holds_tensors):
            return None
        reads = counts.whole_tensor_reads
        if set(reads) <= set(MEMORY_ACCESS):
            return (
                f"{enumerate_words(list(reads))} {'opens' if len(reads) == 1 else 'open'} a tensor's memory to code that cannot "
                "be counted; keep the work in tensor operations."
            )
        verb = "hands" if len(reads) == 1 else "hand"
        return f"{enumerate_words(list(reads))} {verb} a tensor's values to Python; keep the work in tensor operations."

    def after_all(self, task_id: str, counted: Mapping[int, Counts]) -> str | None:
        """Return a message if there are too many at either size, with a remedy that fits the way in which Python got
        the values."""
        most = max(counts.syncs for counts in counted.values())
        if most <= self.number:
            return None
        # A call that was stopped before it waited as often shows nothing.
        counted = {
            size: counts
            for size, counts in counted.items()
            if counts.syncs == most or not isinstance(counts, PartialCounts)
        }
        last = list(counted.values())[-1]
        causes = (*last.sync_causes, *last.inner_syncs)
        times = " and ".join(
            f"{at_least(counts)}{count_times(counts.syncs)} at size {size}" for size, counts in counted.items()
        )
        named = f" ({', '.join(causes)})" if causes else ""
        verb = "is" if self.number == 1 else "are"
        allowed = f"at most {self.number:,} {verb} allowed" if self.number else "none is allowed"
        return f"Python waits for values {times}{named}; {allowed}. {_without_waiting(last)}"


@dataclass(frozen=True)
class MostTransfers(CallLimit):
    """The most requests of one call for a tensor on a device, ``.to(device)``, even if the tensor is there already."""

    number: int
    kind = "transfers"

    def rule(self, framework: str) -> str:
        """Return the rule, by which a request counts even if nothing moves."""
        requests = "`.to(device)`, `.cpu()`, `torch.tensor(…, device=device)`"
        return f"{capitalized(self.phrase)}: {requests}, even for a tensor that is already there."

    @property
    def phrase(self) -> str:
        return at_most_words(self.number, "transfer", "transfers")

    def after_all(self, task_id: str, counted: Mapping[int, Counts]) -> str | None:
        """Return a message if there are too many at the size with the most."""
        most = max(counted.values(), key=lambda counts: counts.transfers)
        if most.transfers <= self.number:
            return None
        return (
            f"{task_id} requests {at_least(most)}{most.transfers:,} transfers; at most {self.number:,} "
            f"{'is' if self.number == 1 else 'are'} allowed. Before the loop, transfer each tensor that doesn't "
            "change; after it, transfer all results together."
        )


_Any = MostOps | MostLaunches | MostBytes | MostPeakBytes | MostSyncs | MostTransfers | MostTraces | MostGraphs
_EACH = (MostOps, MostLaunches, MostBytes, MostPeakBytes, MostSyncs, MostTransfers, MostTraces, MostGraphs)
_KINDS: Mapping[str, type[_Any]] = {each.kind: each for each in _EACH}
_OF_INPUTS = (MostBytes, MostPeakBytes)


def at_most(number: Number, kind: Kind, words: str = "") -> CallLimit:
    """Return the limit of that kind.

    Args:
        number: the most that is allowed, 0 or more; for bytes and peak bytes also a function of the inputs.
        kind: what is counted.
        words: a function's number in words, for the card: ``"twice the bytes of `x`"``.

    Raises:
        TaskInvalid: if there is no such kind, the number cannot be a limit, or a function has no words.

    >>> at_most(20, "ops").phrase
    'at most 20 tensor operations'
    """
    if kind not in _KINDS:
        raise TaskInvalid(
            f"at_most({number!r}, {kind!r}) limits nothing that is counted; choose a kind: {', '.join(_KINDS)}."
        )
    if callable(number):
        for each in _OF_INPUTS:
            if each.kind == kind:
                if not words:
                    raise TaskInvalid(f"at_most(…, {kind!r}) has no words; say what its function gives: 'twice `x`'.")
                return each(number, words)
        raise TaskInvalid(f"at_most(…, {kind!r}) has a function of the inputs; only bytes may: write an integer.")
    if type(number) is not int or number < 0:
        raise TaskInvalid(f"at_most({number!r}, {kind!r}) is not a limit; write an integer, 0 or more.")
    return _KINDS[kind](number)


def _without_waiting(counts: Counts) -> str:
    """Return a remedy that fits the way in which Python got the values."""
    inner = counts.inner_syncs
    if counts.sync_causes == (REBUILT,):
        return "torch.stack and torch.cat join tensors without waiting."
    if counts.sync_causes == (PRINTED,):
        return "Printing a tensor waits for it; remove the print when you have seen enough."
    if counts.sync_causes or not inner:
        return "Keep the work in tensor operations."
    if inner == (MASKED_READ,):
        return (
            "x[mask] waits for the number of values that the mask picks; torch.where, which keeps the shape, does not."
        )
    if inner == (FILLED_BY_TENSOR,):
        return "On a GPU, masked_fill reads the value of a tensor in Python; torch.where takes the tensor as it is."
    names = enumerate_words(list(inner))
    return (
        f"{names if names.startswith(('torch.', 'x[')) else capitalized(names)} {'waits' if len(inner) == 1 else 'wait'} "
        "inside, because the result, or its shape, depends on values that Python needs first."
    )
