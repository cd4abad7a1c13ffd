"""What one call may hold in memory at most: bytes of new tensors in all, or alive at one time. The other limits: ``at_most``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from course_utils.tasks.budget import Budget, Call, at_most_words

Number = int | Callable[..., int]


@dataclass(frozen=True)
class MostBytes(Budget):
    """Bytes that one call may allocate: a number, or a function of the inputs that gives one."""

    number: Number
    kind = "bytes"

    @property
    def phrase(self) -> str:
        if self.number == 0:
            return "no fresh memory"
        return "memory within its limit" if callable(self.number) else at_most_words(self.number, "byte", "bytes")

    @property
    def only_if_alone(self) -> bool:
        return callable(self.number)

    def after_size(self, size: int, calls: Sequence[Call]) -> str | None:
        """Too many in the last call of a size."""
        last = calls[-1]
        allowed = _allowed(self.number, last.inputs)
        if last.counts.bytes <= allowed:
            return None
        told = f"At size {size} it allocates {last.counts.bytes:,} bytes;"
        if allowed == 0:
            return (
                f"{told} none are allowed. Each operation with neither out=… nor an underscore at its end makes a tensor of "
                "its own, a comparison too. So does a number that is assigned, as in out[0] = 0; out[0].fill_(0) makes none. "
                "Which one is left?"
            )
        return (
            f"{told} at most {allowed:,} are allowed. Which tensor in between is larger than the result? "
            "Which need not be made?"
        )


@dataclass(frozen=True)
class MostPeakBytes(Budget):
    """Bytes of new tensors that may be alive at one time: a number, or a function of the inputs that gives one."""

    number: Number
    kind = "peak bytes"

    @property
    def phrase(self) -> str:
        return (
            "peak memory within its limit"
            if callable(self.number)
            else f"a peak of {at_most_words(self.number, 'byte', 'bytes')}"
        )

    def after_size(self, size: int, calls: Sequence[Call]) -> str | None:
        """Too many in the last call of a size."""
        last = calls[-1]
        allowed = _allowed(self.number, last.inputs)
        if last.counts.peak <= allowed:
            return None
        return (
            f"At size {size} up to {last.counts.peak:,} bytes of new tensors are alive at one time; at most {allowed:,} may be. "
            "Make less at a time, and let go of it before the next is made: a name, a list or a gradient's graph keeps a "
            "tensor alive."
        )


def _allowed(number: Number, inputs: tuple[Any, ...]) -> int:
    return number(*inputs) if callable(number) else number
