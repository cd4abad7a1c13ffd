"""Limits on the memory of one call: bytes of new tensors in total, or alive at one time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from course_utils.tasks.call_limit import Call, CallLimit, at_most_words

Number = int | Callable[..., int]


@dataclass(frozen=True)
class MostBytes(CallLimit):
    """The most bytes that one call may allocate: a number, or a function of the inputs with its ``words``."""

    number: Number
    words: str = ""
    kind = "bytes"

    def rule(self, framework: str) -> str:
        """Return the rule, by which all allocations add up."""
        if self.number == 0:
            small = "not even for a mask or for an assigned number, as in `out[0] = 0`"
            return f"No new memory for tensors, {small}.{_compiled_note(framework)}"
        total = "All allocations add up, including those that are freed again."
        return f"New memory: at most {_words(self)}. {total}{_compiled_note(framework)}"

    @property
    def phrase(self) -> str:
        if self.number == 0:
            return "no new memory"
        return "memory within its limit" if callable(self.number) else at_most_words(self.number, "byte", "bytes")

    @property
    def only_if_alone(self) -> bool:
        return callable(self.number)

    def after_size(self, size: int, calls: Sequence[Call]) -> str | None:
        """Return a message if the last call at a size allocates too many bytes."""
        last = calls[-1]
        allowed = _allowed_bytes(self.number, last.inputs)
        if last.counts.bytes <= allowed or (last.memory is not None and last.memory.total <= allowed):
            return None
        allocated = last.counts.bytes if last.memory is None else last.memory.total
        fact = f"At size {size}, one call allocates {allocated:,} bytes;"
        if allowed == 0:
            return (
                f"{fact} none are allowed. Each operation, even a comparison, allocates a new tensor unless it has "
                "out=… or its name ends in an underscore. An assigned number, as in out[0] = 0, allocates one, too; "
                "out[0].fill_(0) doesn't."
            )
        return (
            f"{fact} at most {allowed:,} are allowed{_in_words(self)}, and memory that is freed again counts. "
            "Which intermediate tensors can you avoid, or make smaller?"
        )


@dataclass(frozen=True)
class MostPeakBytes(CallLimit):
    """The most bytes of new tensors alive at one time: a number, or a function of the inputs with its ``words``."""

    number: Number
    words: str = ""
    kind = "peak bytes"

    def rule(self, framework: str) -> str:
        """Return the rule with what counts as alive."""
        return (
            "New tensors that are alive at one time, the result included: at most "
            f"{_words(self)}.{_compiled_note(framework)}"
        )

    @property
    def phrase(self) -> str:
        return (
            "peak memory within its limit"
            if callable(self.number)
            else f"a peak of {at_most_words(self.number, 'byte', 'bytes')}"
        )

    def after_size(self, size: int, calls: Sequence[Call]) -> str | None:
        """Return a message if too many bytes are alive at one time in the last call at a size."""
        last = calls[-1]
        allowed = _allowed_bytes(self.number, last.inputs)
        if last.memory is not None and last.memory.peak <= allowed:
            return None
        if last.counts.peak <= allowed:
            if last.memory is None:
                return None
            fact = (
                f"At size {size}, {last.memory.peak:,} bytes are allocated at one time; at most {allowed:,} are "
                f"allowed{_in_words(self)}. The tensors that you see take only {last.counts.peak:,} of them"
            )
            if 2 * last.memory.temporary >= last.memory.peak - last.counts.peak:
                return (
                    f"{fact}: torch.{last.memory.operation} allocates {last.memory.temporary:,} bytes for itself while it "
                    "runs. Give the operation a smaller part at a time."
                )
            return (
                f"{fact}, and no operation frees the rest when it ends: the function keeps a tensor from one call to the "
                "next, a checkpoint saves the random state, or compiled code allocates the rest. Keep less, and compute "
                "smaller parts."
            )
        return (
            f"At size {size}, {last.counts.peak:,} bytes of new tensors are alive at one time; at most {allowed:,} are "
            f"allowed{_in_words(self)}. Compute smaller parts, and release each part before you compute the next: a "
            "name, a list or a gradient's graph keeps a tensor alive."
        )


def _in_words(limit: MostBytes | MostPeakBytes) -> str:
    return f" ({limit.words})" if limit.words else ""


def _compiled_note(framework: str) -> str:
    return " The memory that compiled code allocates at run time counts, too." if framework == "torch" else ""


def _words(limit: MostBytes | MostPeakBytes) -> str:
    return limit.words or f"{limit.number:,} bytes"


def _allowed_bytes(number: Number, inputs: tuple[Any, ...]) -> int:
    return number(*inputs) if callable(number) else number
