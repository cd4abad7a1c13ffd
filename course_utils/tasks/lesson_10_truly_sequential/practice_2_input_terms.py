"""Practice of hoisting: the part of a recurrent step that is independent of the previous step, for all steps."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import float64, random_case
from course_utils.tasks.torch_inputs import normal


def input_terms_slow(x, weight, bias):
    """Return weight @ [input, state] + bias for each step of each series, with a state of zeros."""
    state = x.new_zeros(weight.shape[1] - x.shape[2])
    terms = [[weight @ torch.cat([x[t, k], state]) + bias for k in range(x.shape[1])] for t in range(len(x))]
    return torch.stack([torch.stack(row) for row in terms])


TASK = Task(
    id="input_terms",
    title="Input terms of all steps",
    points=0,
    level=1,
    slow=input_terms_slow,
    inputs=lambda size, generator: (
        normal(generator, size, 1 + size, 2 + size),
        normal(generator, 3 + size, 5 + 2 * size),
        normal(generator, 3 + size),
    ),
    edge_cases=(
        random_case("fewer states than inputs", (4, 2, 3), (2, 5), (2,)),
        random_case("one series, one input and one state", (3, 1, 1), (1, 2), (1,)),
        random_case("200 steps, 150 inputs and 160 states", (200, 2, 150), (160, 310), (160,)),
        float64((3, 2, 3), (5, 8), (5,)),
    ),
    worst="Each value is one dot product plus a bias, whatever the other steps are.",
    story=prose(
        """
        A recurrent step multiplies `weight`, of shape (states, inputs + states), by the vector [input, state]. Write
        `input_terms(x, weight, bias)` for `x` of shape (steps, series, inputs): the part of the step that doesn't depend on
        the state, plus the bias, of shape (steps, series, states). Use no loop.
        """
    ),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    hints=(
        "Which columns of `weight` multiply the input? A matrix product accepts any number of leading axes.",
        "`x @ weight[:, : x.shape[2]].T + bias`",
    ),
    mistakes=(
        Mistake("The bias is missing: add it.", lambda x, weight, bias: x @ weight[:, : x.shape[2]].T),
        Mistake(
            "These columns of the weight multiply the state: the input's columns come first.",
            lambda x, weight, bias: x @ weight[:, -x.shape[2] :].T + bias,
        ),
    ),
)
