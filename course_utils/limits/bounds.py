"""``bound``: the least time that work of a given ``Cost`` takes on the machine with the given ``Peaks``.

The definition, here and in the lessons:

    on a CPU           calls + max(memory, arithmetic, dependent steps)
    on an accelerator  max(calls, memory, arithmetic, dependent steps)

    calls            operator calls × the launch cost of one call
    memory           bytes / the bandwidth at this working set and for this mix of reads and writes
    arithmetic       floating-point operations / the peak of matrix products in this dtype
    dependent steps  steps of the longest chain × the latency of one arithmetic step

The maximum is the roofline model (Williams, Waterman, Patterson 2009): memory and arithmetic units work concurrently. A
CPU begins an operation only after its call has been prepared, so calls are added. An accelerator works while the next
call is prepared, so calls are one more term of the maximum. No term falls as the work grows, so the bound does not fall
either.
"""

from __future__ import annotations

from dataclasses import dataclass

from course_utils.limits.cost import Cost
from course_utils.limits.peaks import Peaks

LAUNCHES, MEMORY, MATMUL, STEPS = "launch cost", "memory bandwidth", "matmul peak", "dependent steps"

UNCERTAIN = "This limit is uncertain, because no second measurement agrees with it: press Measure again in lesson 00's `machine()`."


@dataclass(frozen=True)
class Bound:
    """The least time that some work takes, the peak that causes it, and whether the measurement of that peak is
    uncertain.
    """

    seconds: float
    binding: str
    uncertain: bool = False

    @property
    def approx(self) -> str:
        """Return a prefix for each figure that is derived from this bound: "≈ " if it is uncertain, else ""."""
        return "≈\N{NO-BREAK SPACE}" if self.uncertain else ""

    @property
    def uncertainty_note(self) -> str:
        """Return a sentence that explains ``approx`` and names the remedy; "" if the bound is certain."""
        return f"≈ {UNCERTAIN}" if self.uncertain else ""


def bound(cost: Cost, peaks: Peaks, framework: str | None = None) -> Bound:
    """Return the least time that work of this cost takes on the machine with these peaks.

    Args:
        cost: the work.
        peaks: the machine.
        framework: the framework that calls the operators, None for the one with the lowest launch cost.

    Returns:
        ``binding`` is the largest term: ``"launch cost"``, ``"memory bandwidth"``, ``"matmul peak"`` or
        ``"dependent steps"``. A peak that was not measured on this machine, such as an unsupported dtype's, never
        binds.
    """
    calls_s = cost.launches * peaks.launch_s(cost, framework)
    work_s = {
        MEMORY: peaks.memory_s(cost),
        MATMUL: cost.flops / peaks.matmul[cost.dtype] if cost.dtype in peaks.matmul else 0.0,
        STEPS: cost.chain * peaks.step_s,
    }
    terms = {**work_s, LAUNCHES: calls_s}
    binding = max(terms, key=terms.__getitem__)
    figures = {
        MEMORY: peaks.memory_figures(cost),
        MATMUL: {f"matmul {cost.dtype}"},
        STEPS: {"steps"},
        LAUNCHES: {peaks.launch_figure(cost, framework)},
    }
    seconds = calls_s + max(work_s.values()) if peaks.device == "cpu" else terms[binding]
    return Bound(seconds, binding, not figures[binding].isdisjoint(peaks.uncertain))
