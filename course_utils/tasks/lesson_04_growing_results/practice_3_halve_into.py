"""Practice: compute each state at its position in a buffer, from the state before it."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import buffer, nan_buffer
from course_utils.tasks.torch_inputs import normal


def halve_into_slow(x, out):
    """Write the values of x, halved k + 1 times, to out[k]."""
    for k in range(len(out)):
        for i in range(len(x)):
            out[k, i] = x[i] / 2 ** (k + 1)


TASK = Task(
    id="halve_into",
    title="Halved, in a buffer",
    points=0,
    level=1,
    slow=halve_into_slow,
    inputs=lambda size, generator: (normal(generator, size), buffer(generator, 5, size)),
    writes=("out",),
    edge_cases=(
        Case("a buffer for one state", lambda g: (normal(g, 3), buffer(g, 1, 3))),
        Case("a buffer for 60 states", lambda g: (normal(g, 3), buffer(g, 60, 3))),
        Case("5,000 values", lambda g: (normal(g, 5000), buffer(g, 2, 5000))),
        Case("no values", lambda g: (normal(g, 0), buffer(g, 2, 0))),
        Case("float64 values", lambda g: (normal(g, 3, dtype=torch.float64), buffer(g, 4, 3, dtype=torch.float64))),
        Case("infinity and NaN", lambda g: (torch.tensor([inf, -inf, nan, 1.0]), buffer(g, 5, 4))),
        nan_buffer(lambda g: (normal(g, 3),), 5, 3),
    ),
    worst="Halving is exact above the smallest normal number, so the steps of the cases lose no digits.",
    tolerance=1e-6,
    of_each_value=True,  # The last states are far smaller than the first ones.
    limits=(at_most(30, "ops"), at_most(0, "bytes")),
    mistakes=(
        Mistake("Off by one: `out[0]` is `x / 2`, not `x`.", lambda x, out: halve_into_slow(2 * x, out)),
        Mistake(
            "Every state is `x / 2`: halve the state before it.",
            lambda x, out: out.copy_((x / 2).expand_as(out)),
        ),
    ),
    sources=("S0.3",),
)
