"""Practice: a comparison is a tensor already, and its mean needs no `if`."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, infinity_and_nan, noncontiguous_case
from course_utils.tasks.torch_inputs import uniform


def hot_share_slow(readings, limit):
    """Return the share of readings above limit, as a scalar tensor."""
    hot = torch.zeros((), dtype=readings.dtype, device=readings.device)
    for reading in readings:
        if reading > limit:
            hot += 1
    return hot / len(readings)


def _float64_readings():
    """Return three readings, of which one is above 30.1 by less than float32 resolves; all are below float32(30.1)."""
    return torch.tensor([30.1 + 1e-9, 30.1, 30.1 - 1e-9], dtype=torch.float64)


TASK = Task(
    id="hot_share",
    title="The share of hot readings",
    points=0,
    level=1,
    slow=hot_share_slow,
    inputs=lambda size, generator: (uniform(generator, 0, 100, size), 30.0),
    edge_cases=(
        fixed_case("no hot reading", [1.0, 2.0], rest=(30.0,)),
        fixed_case("a reading exactly at the limit", [30.0, 31.0, 2.0], rest=(30.0,)),
        fixed_case("a limit between two integers", [30.25, 30.502, 30.75, 31.0], rest=(30.503,)),
        Case("float64 readings around the limit", lambda _: (_float64_readings(), 30.1)),
        infinity_and_nan([nan, inf, -inf, 31.0, nan], rest=(30.0,)),
        fixed_case("a limit below 0", [-6.0, -5.0, -4.0, 1.0], rest=(-5,)),
        fixed_case("a limit of 80,000", [81000.0, 79000.0, 60000.0], rest=(80000.0,)),
        noncontiguous_case("every second reading of a longer vector", (9,), rest=(0.0,)),
    ),
    worst=(fixed_case("33,000 hot readings and a cold one", [31.0] * 33_000 + [29.0], rest=(30.0,)),),
    story=prose(
        "Write `hot_share(readings, limit)`: the share of `readings` above `limit`, without a synchronization."
    ),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    hints=(
        "`readings > limit` is a tensor of True and False; converted to the dtype of `readings`, its mean is the share.",
    ),
    mistakes=(
        Mistake(
            "This is the number of hot readings: divide it by the number of readings.",
            lambda readings, limit: (readings > limit).to(readings.dtype).sum(),
        ),
    ),
)
