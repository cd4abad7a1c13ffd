"""Practice: one linear layer of all members of an ensemble, with the weights as `Linear` keeps them."""

import torch
from torch.nn import functional

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import random_case
from course_utils.tasks.torch_inputs import normal


def members_layer_slow(x, weights, biases):
    """What each member's layer makes of the batch."""
    answers = []
    for weight, bias in zip(weights, biases):
        answers.append(functional.linear(x, weight, bias))  # x @ weight.T + bias
    return torch.stack(answers)


TASK = Task(
    id="members_layer",
    title="One layer of all members",
    points=0,
    level=1,
    slow=members_layer_slow,
    # As many samples as members, and numbers out as in: what stands in the wrong place raises nothing then.
    inputs=lambda size, generator: (
        normal(generator, size, 3),
        normal(generator, size, 3, 3),
        normal(generator, size, 3),
    ),
    edge_cases=(
        random_case("more samples than members", (5, 3), (2, 4, 3), (2, 4)),
        random_case("all sizes alike", (3, 3), (3, 3, 3), (3, 3)),
    ),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The weights are not turned: `Linear` keeps them as (out, in), and `.mT` turns the last two axes.",
            lambda x, weights, biases: x @ weights + biases[:, None],
        ),
        Mistake(
            "The biases went to the rows of the batch: (members, out) needs an axis for the batch, `biases[:, None]`.",
            lambda x, weights, biases: x @ weights.mT + biases,
        ),
        Mistake(
            "Sample i went to member i: every member gets the whole batch; for `vmap` that is None in `in_dims`.",
            lambda x, weights, biases: (x[:, None] @ weights.mT)[:, 0] + biases,
        ),
        Mistake("The biases are missing.", lambda x, weights, biases: x @ weights.mT),
    ),
)
