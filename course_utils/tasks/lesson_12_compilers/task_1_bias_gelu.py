"""A bias and GELU: the chain of cheap operations after every linear layer of a transformer, in one graph."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import (
    every_second_column,
    fixed_case,
    float64,
    random_case,
    transposed_case,
    without_rows,
)
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose

SLOPE = math.sqrt(2 / math.pi)


def bias_gelu_slow(x, bias):
    """GELU of x + bias, by tanh: 0.5 v (1 + tanh(sqrt(2/pi) (v + 0.044715 v**3))) for each value v."""
    rows = []
    for row in x.tolist():
        new = []
        for value, offset in zip(row, bias.tolist()):
            v = value + offset
            new.append(0.5 * v * (1 + math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v * v * v))))
        rows.append(new)
    return torch.tensor(rows, dtype=x.dtype).reshape(x.shape)


def _in_steps(x, bias):
    v = x + bias
    return 0.5 * v * (1 + torch.tanh(SLOPE * (v + 0.044715 * v * v * v)))


TASK = Task(
    id="bias_gelu",
    title="Bias and GELU",
    points=2,
    level=1,
    slow=bias_gelu_slow,
    inputs=lambda size, generator: (normal(generator, size, size + 1), normal(generator, size + 1)),
    edge_cases=(
        without_rows(4, (4,)),
        random_case("one row", (1, 5), (5,)),
        transposed_case(4, 3, (3,)),
        every_second_column(3, 4, rest=(torch.tensor([0.0, 1.0, -1.0, 2.0]),)),
        float64((3, 4), (4,)),
        fixed_case("large values", [[100.0, -100.0, 0.0]], [0.0, 0.0, 0.0]),
    ),
    race_size=256,
    story=prose(
        """
        After every linear layer of a transformer comes a bias, and then GELU, a smooth bend. As it is written below, that is
        about ten operations, and each passes over all activations. Write `bias_gelu(x, bias)` with tensor operations and let
        torch.compile make one pass of them.
        """
    ),
    rules=prose(
        """
        - `x` has shape (rows, columns), `bias` one number a column; both have one floating dtype, which the result has, too.
        - The compiler takes the whole function into **one graph**, which serves for new values, too: no graph break.
        - No more than 20 tensor operations as it is written.
        """
    ),
    limits=(at_most(1, "graphs"), at_most(20, "ops"), at_most(0, "syncs")),
    target=20.0,
    timeout_s=8.0,
    cost=lambda size: Cost(reads=4 * (size + 1) * (size + 1), writes=4 * size * (size + 1)),
    ways={"about ten operations": _in_steps, "gelu of torch": lambda x, bias: F.gelu(x + bias, approximate="tanh")},
    hints=items(
        """
        - First without a compiler: `v = x + bias` broadcasts, and the formula holds for a whole tensor as it stands.
        - `torch.tanh` in the place of `math.tanh`; the square root of 2/π is a Python number and may stay one.
        - Write `@torch.compile` in the line above `def`. `graphs(bias_gelu, (x, bias))` tells how many graphs there are.
        """
    ),
    mistakes=(
        Mistake("The bias is added after GELU: it comes before.", lambda x, bias: _in_steps(x, torch.zeros_like(bias)) + bias),
        Mistake("This is GELU by the error function; the one wanted here goes by tanh.", lambda x, bias: F.gelu(x + bias)),
        Mistake("This is ReLU: negative values do not all become 0.", lambda x, bias: F.relu(x + bias)),
        Mistake("The bias is left out.", lambda x, bias: _in_steps(x, torch.zeros_like(bias))),
    ),
)  # fmt: skip
