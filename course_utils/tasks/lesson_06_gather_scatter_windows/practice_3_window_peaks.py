"""Practice: the largest value of each window, by a view of overlapping windows and a reduction."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64
from course_utils.tasks.torch_inputs import normal


def window_peaks_slow(x, width):
    """The largest of each width neighboring values of x."""
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
        Case("one window with all values", lambda generator: (normal(generator, 4), 4)),
        float64((5,), rest=(3,)),
    ),
    worst="Each value of the result is a copy of one value, however wide the windows are.",
    limits=(at_most(8, "ops"),),
    mistakes=(
        Mistake(
            "The windows don't overlap: advance them by 1.",
            lambda x, width: x.unfold(0, width, width).amax(1),
        ),
        Mistake(
            "This is the largest value at each position within the windows: reduce each window.",
            lambda x, width: x.unfold(0, width, 1).amax(0),
        ),
        Mistake(
            "These are the sums of the windows: take the largest values.", lambda x, width: x.unfold(0, width, 1).sum(1)
        ),
    ),
)
