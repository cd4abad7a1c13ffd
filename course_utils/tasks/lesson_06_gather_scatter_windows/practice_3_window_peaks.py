"""The largest value of each window: the same view of overlapping windows as for a mean, another reduction."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64
from course_utils.tasks.torch_inputs import normal


def window_peaks_slow(x, width):
    """The largest value of each width neighbours in x."""
    count = len(x) - width + 1
    result = torch.empty(count, dtype=x.dtype, device=x.device)
    for i in range(count):
        result[i] = x[i : i + width].max()
    return result


TASK = Task(
    id="window_peaks",
    title="The peak of each window",
    points=0,
    level=1,
    slow=window_peaks_slow,
    inputs=lambda size, generator: (normal(generator, size + 3), size // 4 + 2),
    edge_cases=(
        fixed_case("values below 0", [-3.0, -1.0, -2.0, -5.0], rest=(2,)),
        fixed_case("windows of one value", [3.0, -1.0, 2.0], rest=(1,)),
        Case("one window that holds all", lambda generator: (normal(generator, 4), 4)),
        float64((5,), rest=(3,)),
    ),
    limits=(at_most(8, "ops"),),
    mistakes=(
        Mistake(
            "The windows do not overlap: each begins where the one before ends; let them move on by 1.",
            lambda x, width: x.unfold(0, width, width).amax(1),
        ),
        Mistake(
            "This is the largest value at each place of a window, over all windows; wanted is that of each window.",
            lambda x, width: x.unfold(0, width, 1).amax(0),
        ),
        Mistake("These are the sums of the windows.", lambda x, width: x.unfold(0, width, 1).sum(1)),
    ),
)
