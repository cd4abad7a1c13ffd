"""Practice: each head projects its own slice of the features; einsum gives every axis a letter."""

from math import inf

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import normal


def slices_to_heads_slow(x, weights):
    """Return the projection of each head's own slice of every sample."""
    pieces = []
    for head in range(len(weights)):
        pieces.append(x[:, head] @ weights[head])
    return torch.stack(pieces, dim=1)


def _inputs(size, generator):
    # With as many samples as heads, swapped axes raise no error, so a named mistake can explain the result.
    features, outputs = 3 + size // 2, 2 + size // 2
    return normal(generator, size, size, features), normal(generator, size, features, outputs)


TASK = Task(
    id="slices_to_heads",
    title="A slice for each head",
    points=0,
    level=1,
    slow=slices_to_heads_slow,
    inputs=_inputs,
    edge_cases=(
        random_case("more samples than heads", (5, 2, 3), (2, 3, 4)),
        random_case("equal sizes on all axes", (3, 3, 3), (3, 3, 3)),
        random_case("4,099 samples", (4099, 1, 2), (1, 2, 3)),
        random_case("4,099 heads", (2, 4099, 2), (4099, 2, 1)),
        random_case("slices of 4,099 features", (2, 1, 4099), (1, 4099, 2)),
        random_case("4,099 outputs", (2, 1, 3), (1, 3, 4099)),
        float64((4, 2, 3), (2, 3, 4)),
        fixed_case("infinity in one slice", [[[inf, 1.0], [2.0, 1.0]]], [[[1.0], [1.0]], [[2.0], [1.0]]]),
    ),
    worst="Each value is one dot product, whatever the other heads and samples are.",
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The head axis comes first: the result should have shape (batch, heads, out).",
            lambda x, weights: slices_to_heads_slow(x, weights).transpose(0, 1),
        ),
        Mistake(
            "`@` and `vmap` pair the first axes of both arguments, samples with heads: move the head axis of `x` to the front.",
            lambda x, weights: x @ weights,
        ),
        Mistake(
            "Every head projected every slice, and the projections were added up: in `einsum`, use the letter h in both "
            "arguments and in the result.",
            lambda x, weights: torch.einsum("bgf,hfo->bho", x, weights),
        ),
    ),
)
