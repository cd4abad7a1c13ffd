"""A product and a sum into a buffer that is kept: the first step of every chain of operations without fresh memory."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal


def brighten_into_slow(pixels, gain, offset, out):
    """Into out each pixel times gain, plus offset."""
    for i in range(len(pixels)):
        out[i] = pixels[i] * gain + offset


TASK = Task(
    id="brighten_into",
    title="Brighter, into a kept buffer",
    points=0,
    level=1,
    slow=brighten_into_slow,
    inputs=lambda size, generator: (normal(generator, size), 1.5, -0.25, normal(generator, size)),
    writes=("out",),
    edge_cases=(
        Case("a buffer full of NaN", lambda g: (normal(g, 4), 2.0, 0.5, torch.full((4,), torch.nan))),
        Case("whole-number gain and offset", lambda g: (normal(g, 4), 3, -1, normal(g, 4))),
    ),
    limits=(at_most(4, "ops"), at_most(0, "bytes")),
    mistakes=(
        Mistake("The offset is missing.", lambda pixels, gain, offset, out: out.copy_(pixels * gain)),
        Mistake(
            "The offset is multiplied, too.", lambda pixels, gain, offset, out: out.copy_((pixels + offset) * gain)
        ),
    ),
    sources=("S0.2",),
)
