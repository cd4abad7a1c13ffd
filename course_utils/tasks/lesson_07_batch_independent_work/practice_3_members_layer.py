"""Practice: one linear layer of all members of an ensemble, with weights stored as `Linear` stores them."""

from math import nan

import torch
from torch.nn import functional

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import normal


def members_layer_slow(x, weights, biases):
    """Return the output of each member's linear layer for the same batch."""
    outputs = []
    for weight, bias in zip(weights, biases):
        outputs.append(functional.linear(x, weight, bias))  # x @ weight.T + bias
    return torch.stack(outputs)


def _inputs(size, generator):
    # With as many samples as members and as many outputs as inputs, swapped axes raise no error.
    features = 3 + size // 2
    return (
        normal(generator, size, features),
        normal(generator, size, features, features),
        normal(generator, size, features),
    )


TASK = Task(
    id="members_layer",
    title="One layer of all members",
    points=0,
    level=1,
    slow=members_layer_slow,
    inputs=_inputs,
    edge_cases=(
        random_case("more samples than members", (5, 3), (2, 4, 3), (2, 4)),
        random_case("equal sizes on all axes", (3, 3), (3, 3, 3), (3, 3)),
        random_case("4,099 samples", (4099, 2), (1, 3, 2), (1, 3)),
        random_case("4,099 members", (2, 2), (4099, 1, 2), (4099, 1)),
        random_case("4,099 inputs", (2, 4099), (1, 2, 4099), (1, 2)),
        random_case("4,099 outputs", (2, 3), (1, 4099, 3), (1, 4099)),
        float64((4, 3), (2, 5, 3), (2, 5)),
        fixed_case("a member whose bias is NaN", [[1.0, 2.0]], [[[1.0, 1.0]], [[2.0, 1.0]]], [[nan], [1.0]]),
    ),
    worst="Each value is one dot product plus a bias, whatever the other members and samples are.",
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The weights were not transposed: `Linear` stores them as (out, in), and `.mT` swaps the last two axes.",
            lambda x, weights, biases: x @ weights + biases[:, None],
        ),
        Mistake(
            "The biases were added along the batch axis: give (members, out) a batch axis with `biases[:, None]`.",
            lambda x, weights, biases: x @ weights.mT + biases,
        ),
        Mistake(
            "Sample i was processed only by member i: every member processes the whole batch. With `vmap`, pass `None` for `x` in "
            "`in_dims`.",
            lambda x, weights, biases: (x[:, None] @ weights.mT)[:, 0] + biases,
        ),
        Mistake("The biases are missing: add them.", lambda x, weights, biases: x @ weights.mT),
    ),
)
