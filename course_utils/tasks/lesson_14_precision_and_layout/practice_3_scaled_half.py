"""Practice: loss scaling, so that small gradients survive in float16."""

from __future__ import annotations

import torch

from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform


def scaled_half_slow(gradients, scale):
    """Return the float32 gradients after they were multiplied by scale, stored in float16 and divided by scale."""
    result = torch.empty_like(gradients)
    for i in range(len(gradients)):
        stored = (gradients[i] * scale).to(torch.float16)
        result[i] = stored.to(gradients.dtype) / scale
    return result


def _small(generator, size, exponent=-8):
    return uniform(generator, 1, 9, size) * 10.0**exponent, 65536.0


TASK = Task(
    id="scaled_half",
    title="Gradients that survive in float16",
    points=0,
    level=1,
    slow=scaled_half_slow,
    inputs=lambda size, generator: _small(generator, size),
    tolerance=1e-6,
    of_each_value=True,
    edge_cases=(
        Case("gradients of 0", lambda _: (torch.zeros(3), 1024.0)),
        Case("larger gradients", lambda g: _small(g, 5, exponent=-3)),
        Case("a scale of 1,000, which is no power of two", lambda g: (_small(g, 5, exponent=-3)[0], 1000.0)),
        Case("negative gradients", lambda g: (-_small(g, 5)[0], 4096.0)),
        Case("a scale that is too large", lambda g: _small(g, 4, exponent=2)),
    ),
    worst="Each gradient is stored on its own; a scale that overflows is an edge case.",
    story=prose("Write `scaled_half(gradients, scale)`: the gradients after they were stored, scaled, in float16."),
    mistakes=(
        Mistake(
            "float16 rounds small gradients to 0 or to a multiple of 6·10⁻⁸: multiply by `scale` before you convert to "
            "float16, and divide after you convert back to float32.",
            lambda gradients, scale: gradients.to(torch.float16).to(gradients.dtype),
        ),
        Mistake(
            "The gradients are still scaled: divide by `scale` at the end.",
            lambda gradients, scale: (gradients * scale).to(torch.float16).to(gradients.dtype),
        ),
    ),
)
