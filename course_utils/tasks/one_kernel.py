"""A limit on the work of a Triton kernel: one launch, and a number of bytes loaded and stored, perhaps in blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from course_utils.core.wording import count_times
from course_utils.tasks.call_limit import Call, CallLimit


@dataclass(frozen=True)
class OneKernel(CallLimit):
    """One kernel, launched once, does the work.

    Attributes:
        loads, stores: functions of the inputs that return the most bytes that all programs may load and store.
        loads_words, stores_words: these limits in words, to follow "load" and "store" on the card.
        values: for a kernel that loads and stores blocks, a function of the inputs that returns how many values it loads.
    """

    loads: Callable[..., int]
    loads_words: str
    stores: Callable[..., int]
    stores_words: str
    values: Callable[..., int] | None = None
    kind = "kernel bytes"

    def rule(self, framework: str) -> str:
        """Return the rule with both numbers of bytes."""
        return (
            f"One kernel, launched once, does all computations. Its programs together load {self.loads_words}, and "
            f"they store {self.stores_words}. The masked part of a block costs nothing; without `other`, the check fills it with NaN."
            + (" On average, a load or a store covers four values or more." if self.values else "")
        )

    @property
    def phrase(self) -> str:
        return "one kernel, and its bytes within the limit"

    def after_size(self, size: int, calls: Sequence[Call]) -> str | None:
        """Return a message if the last call at a size launches another number of kernels, or moves more bytes than
        allowed."""
        counts, inputs = calls[-1].counts, calls[-1].inputs
        if counts.kernels == 0:
            return (
                "The results are right, but no kernel ran. Launch a kernel that loads the inputs and stores the result."
            )
        if counts.kernels > 1:
            return (
                f"At size {size}, kernels were launched {count_times(counts.kernels)}; one launch is allowed. A second "
                "kernel loads the results of the first one again."
            )
        loads, stores = self.loads(*inputs), self.stores(*inputs)
        if counts.loaded > loads:
            return (
                f"At size {size}, the programs load {counts.loaded:,} bytes together; at most {loads:,} are allowed "
                f"({self.loads_words}). Which values does a program load twice, and which do several programs load?"
            )
        if counts.stored > stores:
            return (
                f"At size {size}, the programs store {counts.stored:,} bytes together; {stores:,} are enough "
                f"({self.stores_words}). Keep intermediate values in the program instead of memory."
            )
        if counts.stored < stores:
            return (
                f"At size {size}, the programs store only {counts.stored:,} of {stores:,} bytes ({self.stores_words}): the "
                "kernel itself must compute and store the result."
            )
        if self.values and 2 * counts.accesses > self.values(*inputs):
            return (
                f"At size {size}, the programs run {counts.accesses:,} loads and stores, which cover fewer than four values on "
                "average. Load and store a block at a time, at offsets such as start + tl.arange(0, BLOCK)."
            )
        if counts.computations:
            return (
                f"At size {size}, torch.{counts.computations[0]} computes outside of the kernel; around the kernel, only "
                "allocate memory and copy values."
            )
        return None
