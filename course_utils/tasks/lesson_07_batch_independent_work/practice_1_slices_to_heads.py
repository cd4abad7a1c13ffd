"""Practice: each head has a slice of the features for itself, and einsum names every axis."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import random_case
from course_utils.tasks.torch_inputs import normal


def slices_to_heads_slow(x, weights):
    """Each head projects its own slice of every sample."""
    pieces = []
    for head in range(len(weights)):
        pieces.append(x[:, head] @ weights[head])
    return torch.stack(pieces, dim=1)


TASK = Task(
    id="slices_to_heads",
    title="A slice for each head",
    points=0,
    level=1,
    slow=slices_to_heads_slow,
    # As many samples as heads: what stands in the wrong place raises nothing then, and its mistake has a name.
    inputs=lambda size, generator: (normal(generator, size, size, 3), normal(generator, size, 3, 2)),
    edge_cases=(
        random_case("more samples than heads", (5, 2, 3), (2, 3, 4)),
        random_case("all sizes alike", (3, 3, 3), (3, 3, 3)),
    ),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The heads stand first: wanted is (batch, heads, out).",
            lambda x, weights: slices_to_heads_slow(x, weights).transpose(0, 1),
        ),
        Mistake(
            "Sample i went to head i: `@` takes the axes before the last two as they stand, so the heads must stand first "
            "on both sides.",
            lambda x, weights: x @ weights,
        ),
        Mistake(
            "Every head got every slice, and they were added up: let h stand in both arguments and in the result.",
            lambda x, weights: torch.einsum("bgf,hfo->bho", x, weights),
        ),
    ),
)
