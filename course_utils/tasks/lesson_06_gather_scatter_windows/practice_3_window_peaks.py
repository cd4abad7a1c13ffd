"""Practice: the position of each window's largest value, by a view of overlapping windows and a sum of positions."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import normal


def window_peaks_slow(x, width):
    """Return the position in x of the largest value of each window, the first of equal ones."""
    positions = []
    for i in range(len(x) - width + 1):
        best = i
        for j in range(i + 1, i + width):
            if x[j] > x[best]:
                best = j
        positions.append(best)
    return torch.tensor(positions, device=x.device)


def _by_unfold(x, width):
    windows = x.unfold(0, width, 1)
    return windows.argmax(1) + torch.arange(len(windows), device=x.device)


# Each sequence of three high or low values begins at each position of a block of three: answers split windows at blocks.
_HIGH_AND_LOW = (4 * [-0.0, 0.0, -0.0, 3.0, 0.0, 3.0, 3.0, 3.0])[:26]


def _nearly_equal(generator):
    """Return float64 values that float32 can't tell apart."""
    return 1 + 1e-12 * normal(generator, 9, dtype=torch.float64), 3


TASK = Task(
    id="window_peaks",
    title="The position of each peak",
    points=0,
    level=1,
    slow=window_peaks_slow,
    inputs=lambda size, generator: (normal(generator, size + 3), size // 2 + 2),
    edge_cases=(
        fixed_case("values below 0", [-3.0, -1.0, -2.0, -5.0], rest=(2,)),
        fixed_case("equal values", _HIGH_AND_LOW, rest=(3,)),
        fixed_case("windows of one value", [3.0, -1.0, 2.0], rest=(1,)),
        Case("one window with all values", lambda generator: (normal(generator, 4), 4)),
        Case("33,000 values, more than int16 can count", lambda generator: (normal(generator, 33_000), 2)),
        Case("windows of 4,099 rising values", lambda _: (torch.arange(4101.0), 4099)),
        Case("float64 values that differ in their last digits", _nearly_equal),
    ),
    worst="Comparisons are exact, so no width of the windows loses digits; equal values are an edge case.",
    # A loop over blocks of 16 windows exceeds the limit at the larger size; doubling the windows' width does not.
    count_sizes=(8, 1024),
    reference=_by_unfold,
    limits=(at_most(48, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "These are positions within each window: add the position at which the window begins.",
            lambda x, width: x.unfold(0, width, 1).argmax(1),
        ),
        Mistake(
            "These are the largest values: return their positions in `x`.",
            lambda x, width: x.unfold(0, width, 1).amax(1),
        ),
        Mistake(
            "Of equal values, the last one is chosen here: choose the first one.",
            lambda x, width: width - 1 - x.unfold(0, width, 1).flip(1).argmax(1) + torch.arange(len(x) - width + 1),
        ),
    ),
)
