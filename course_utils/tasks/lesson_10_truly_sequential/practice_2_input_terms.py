"""Practice of hoisting: the part of a recurrent step that is independent of the previous step, for all steps."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import float64, random_case
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import prose


def input_terms_slow(x, weight, bias):
    """For each step of each series, weight @ input + bias."""
    terms = [[weight @ x[t, k] + bias for k in range(x.shape[1])] for t in range(len(x))]
    return torch.stack([torch.stack(row) for row in terms])


TASK = Task(
    id="input_terms",
    title="Input terms of all steps",
    points=0,
    level=1,
    slow=input_terms_slow,
    inputs=lambda size, generator: (
        normal(generator, size, 2, 3),
        normal(generator, 3, 3),
        normal(generator, 3),
    ),
    edge_cases=(
        random_case("more states than inputs", (4, 2, 3), (5, 3), (5,)),
        float64((3, 2, 3), (4, 3), (4,)),
    ),
    worst="Each value is one dot product plus a bias, whatever the other steps are.",
    story=prose(
        """
        Write `input_terms(x, weight, bias)` for `x` of shape (steps, series, inputs): the result has shape (steps,
        series, states). Use no loop.
        """
    ),
    limits=(at_most(20, "ops"),),
    hints=("A matrix product accepts any number of leading dimensions: `x @ weight.T + bias`.",),
    mistakes=(
        Mistake("The bias is missing.", lambda x, weight, bias: x @ weight.T),
        Mistake(
            "The weight isn't transposed: its rows are states, its columns are inputs.",
            lambda x, weight, bias: x @ weight + bias,
        ),
    ),
)
