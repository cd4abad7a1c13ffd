"""From the sums of k neighbours to those of 2k: one round of doubling, where windows must meet and not overlap."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import float64
from course_utils.tasks.torch_inputs import normal


def twice_as_wide_slow(sums, k):
    """Of the sums of each k neighbours the sums of each 2k neighbours."""
    count = len(sums) - k
    result = torch.empty(count, dtype=sums.dtype, device=sums.device)
    for i in range(count):
        result[i] = sums[i] + sums[i + k]
    return result


TASK = Task(
    id="twice_as_wide",
    title="Windows twice as wide",
    points=0,
    level=1,
    slow=twice_as_wide_slow,
    inputs=lambda size, generator: (normal(generator, 2 * size + 3), size // 2 + 1),
    edge_cases=(
        Case("k = 1, where the sums are the values themselves", lambda generator: (normal(generator, 5), 1)),
        float64((7,), rest=(2,)),
    ),
    limits=(at_most(6, "ops"),),
    mistakes=(
        Mistake(
            "The two windows overlap in all values but one: the second begins k places after the first.",
            lambda sums, k: sums[:-1] + sums[1:],
        ),
        Mistake(
            "Each sum is doubled: the other half of the window has sums of its own, k places further on.",
            lambda sums, k: 2 * sums[:-k],
        ),
    ),
)
