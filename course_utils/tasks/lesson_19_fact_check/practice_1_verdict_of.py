"""Practice: the verdicts of all intervals of ratios at once."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, random_case
from course_utils.tasks.torch_inputs import normal


def verdict_of_slow(low, high):
    """Return 1 for each interval above 1, -1 for each interval below 1, and 0 for all others."""
    verdicts = []
    for i in range(len(low)):
        if low[i] > 1:
            verdicts.append(1)
        elif high[i] < 1:
            verdicts.append(-1)
        else:
            verdicts.append(0)
    return torch.tensor(verdicts, dtype=torch.int64, device=low.device)


def _intervals(generator, size, dtype=torch.float32):
    low = 1 + 0.2 * normal(generator, size, dtype=dtype)
    return low, low + 0.2 * normal(generator, size, dtype=dtype).abs()


TASK = Task(
    id="verdict_of",
    title="Faster, slower, or undecided",
    points=0,
    level=1,
    slow=verdict_of_slow,
    inputs=lambda size, generator: _intervals(generator, size),
    bounded=("low", "high"),  # NaN at one end alone would be undefined.
    edge_cases=(
        fixed_case("intervals that end or begin at 1", [0.5, 1.0, 1.0], [1.0, 1.0, 2.0]),
        fixed_case("no measurement, and infinite ends", [nan, 2.0, 0.5, inf], [nan, inf, inf, inf]),
        random_case("no intervals", (0,), (0,)),
        Case("4,099 intervals", lambda g: _intervals(g, 4099)),
        Case("float64 ends that nearly equal 1", lambda g: _nearly_one(g)),
    ),
    worst="Each verdict depends on two numbers, and float64 ends next to 1 are an edge case.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The mean of the two ends is compared with 1: an interval that contains 1 decides nothing, so compare "
            "each end.",
            lambda low, high: ((low + high) / 2 - 1).sign().nan_to_num().long(),
        ),
        Mistake("The signs are swapped: 1 means faster.", lambda low, high: (high < 1).long() - (low > 1).long()),
    ),
)


def _nearly_one(generator):
    low = 1 + 1e-12 * normal(generator, 6, dtype=torch.float64)
    return low, low + 1e-13
