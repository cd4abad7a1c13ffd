"""A product and a sum into a buffer that is kept: the first step of every chain of operations without fresh memory."""

from __future__ import annotations

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_buffers import into_buffer, nan_buffer, with_buffer
from course_utils.tasks.torch_cases import random_case
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
    inputs=lambda size, generator: with_buffer(generator, normal(generator, size), 1.5, -0.25),
    writes=("out",),
    edge_cases=(
        nan_buffer(lambda generator: (normal(generator, 4), 2.0, 0.5), 4),
        *into_buffer(random_case("whole-number gain and offset", (4,), rest=(3, -1))),
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
