"""``bound``: the least time that a ``Cost`` can take on the machine with these ``Peaks``.

This is the roofline model (Williams, Waterman, Patterson 2009): memory and arithmetic work at the same time, so the slower
of the two says how long the work must take. Two things are added. The bandwidth depends on how much memory is touched, and
on how much of that is written: a write into a cache reads the line first. And starting an operation has a price. On a CPU
an operation starts to work when its call does, and the next call waits for it: that price is paid on top. An accelerator
works while the next operation is being started: there it is one more peak beside the two.
"""

from __future__ import annotations

from dataclasses import dataclass

from course_utils.limits.cost import Cost
from course_utils.limits.peaks import Peaks

_UNSETTLED = "≈ This limit did not settle when it was measured, since the machine was busy; in machine(), Measure again tries anew."


@dataclass(frozen=True)
class Bound:
    """The least time that some work can take, which peak says so, and whether that peak was not reached twice."""

    seconds: float
    binding: str
    uncertain: bool = False

    @property
    def approx(self) -> str:
        """What stands before each figure that rests on this limit: a "≈" where it did not settle, '' else."""
        return "≈\N{NO-BREAK SPACE}" if self.uncertain else ""

    @property
    def uncertainty_note(self) -> str:
        """What ``approx`` means, and the remedy, in a sentence; '' where there is none."""
        return _UNSETTLED if self.uncertain else ""


def bound(cost: Cost, peaks: Peaks, framework: str | None = None) -> Bound:
    """The least seconds that work of this cost can take on the machine with these peaks.

    Args:
        framework: the one that starts the operations, None for the quickest.

    Returns:
        ``binding`` is the longest of the three: ``"memory bandwidth"``, ``"matmul peak"`` or ``"launch cost"``. A dtype
        whose product does not run on the machine does not bind.
    """
    times = {
        "memory bandwidth": peaks.memory_s(cost),
        "matmul peak": cost.flops / peaks.matmul[cost.dtype] if cost.dtype in peaks.matmul else 0.0,
        "launch cost": cost.launches * peaks.start_s(cost, framework),
    }
    binding = max(times, key=times.__getitem__)
    figures = {
        "memory bandwidth": peaks.memory_figures(cost),
        "matmul peak": {f"matmul {cost.dtype}"},
        "launch cost": peaks.start_figures(cost, framework),
    }
    uncertain = not figures[binding].isdisjoint(peaks.uncertain)
    if peaks.device != "cpu":
        return Bound(times[binding], binding, uncertain)
    seconds = times["launch cost"] + max(times["memory bandwidth"], times["matmul peak"])
    return Bound(seconds, binding, uncertain)
