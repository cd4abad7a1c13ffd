"""Practice: a product and a sum in a preallocated buffer, without new memory."""

from __future__ import annotations

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_buffers import into_buffer, nan_buffer, transposed_buffer, with_buffer
from course_utils.tasks.torch_cases import float64, random_case, transposed_case
from course_utils.tasks.torch_inputs import normal


def brighten_into_slow(pixels, gain, offset, out):
    """Write each pixel times gain, plus offset, to out."""
    for i in range(len(pixels)):
        out[i] = pixels[i] * gain + offset


TASK = Task(
    id="brighten_into",
    title="Brighter, in a preallocated buffer",
    points=0,
    level=1,
    slow=brighten_into_slow,
    inputs=lambda size, generator: with_buffer(generator, normal(generator, size), 1.5, -0.25),
    writes=("out",),
    edge_cases=(
        nan_buffer(lambda generator: (normal(generator, 4), 2.0, 0.5), 4),
        *into_buffer(
            random_case("a negative integer gain and offset", (4,), rest=(-3, -1)),
            random_case("a gain of 1", (4,), rest=(1.0, -0.5)),
            random_case("an offset of 0", (4,), rest=(-2.5, 0.0)),
            random_case("a large gain and a large negative offset", (4,), rest=(3e10, -2e10)),
            random_case("three dimensions, a tiny gain and a tiny offset", (2, 3, 2), rest=(2e-20, -3e-20)),
            random_case("no pixels", (0,), rest=(1.5, -0.25)),
            random_case("5,000 pixels", (5000,), rest=(1.5, -0.25)),
            random_case("a gain of 0", (4,), rest=(0.0, 0.5)),
            transposed_case(3, 4, rest=(1.5, -0.25)),
            float64((5,), rest=(0.1, 0.7)),
        ),
        transposed_buffer(lambda generator: (normal(generator, 3, 4), 1.5, -0.25), 3, 4),
    ),
    worst="Each value of the result depends on one value of each input, whatever the size.",
    limits=(at_most(16, "ops"), at_most(0, "bytes")),
    mistakes=(
        Mistake(
            "The offset is missing: add it after the product.",
            lambda pixels, gain, offset, out: out.copy_(pixels * gain),
        ),
        Mistake(
            "The gain also multiplies the offset: multiply first, then add the offset.",
            lambda pixels, gain, offset, out: out.copy_((pixels + offset) * gain),
        ),
    ),
    sources=("S0.2",),
)
