"""A bias and GELU: the chain of cheap operations after each linear layer of a transformer, in one graph."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import (
    every_second_column,
    fixed_case,
    float64,
    random_case,
    transposed_case,
    without_rows,
)
from course_utils.tasks.torch_inputs import normal

SLOPE = math.sqrt(2 / math.pi)


def bias_gelu_slow(x, bias):
    """Return the GELU of v = x + bias by the tanh formula, computed row by row."""
    rows = []
    for row in x:
        v = row + bias
        rows.append(0.5 * v * (1 + torch.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v * v * v))))
    return torch.stack(rows) if rows else torch.empty_like(x)


def _eager(x, bias):
    v = x + bias
    return 0.5 * v * (1 + torch.tanh(SLOPE * (v + 0.044715 * v * v * v)))


TASK = Task(
    id="bias_gelu",
    title="Bias and GELU",
    points=2,
    level=1,
    slow=bias_gelu_slow,
    reference=_eager,
    inputs=lambda size, generator: (normal(generator, size, size + 1), normal(generator, size + 1)),
    edge_cases=(
        without_rows(4, (4,)),
        random_case("one row", (1, 5), (5,)),
        random_case("5,000 columns", (1, 5000), (5000,)),
        random_case("5,000 rows", (5000, 2), (2,)),
        transposed_case(4, 4, (4,)),
        every_second_column(3, 4, rest=(torch.tensor([0.0, 1.0, -1.0, 2.0]),)),
        float64((3, 4), (4,)),
        Case(
            "float64 values of −5.5, −5 and 1",
            lambda _: (torch.tensor([[-5.5, -5.0, 1.0]], dtype=torch.float64), torch.zeros(3, dtype=torch.float64)),
        ),
        fixed_case("NaN and infinity", [[math.nan, math.inf, 1.0, 1.0]], [0.0, 1.0, -1.0, math.nan]),
        fixed_case("large values and 0", [[100.0, -100.0, 0.0]], [0.0, 0.0, 0.0]),
    ),
    worst="Each value depends on one value of `x` and one of `bias`; large values are an edge case.",
    race_size=1024,
    story=prose(
        """
        In a transformer, a linear layer is often followed by a bias and GELU, a smooth activation. Its formula has
        about ten operations. The loop below runs them on one row at a time; on the whole matrix, each of them passes
        over all values. Write `bias_gelu(x, bias)` with tensor operations, and let `torch.compile` fuse them into
        one pass.
        """
    ),
    rules=prose(
        """
        - `x` has shape (rows, columns), and `bias` has one value per column. Both inputs have one dtype, float32 or
          float64. The result has this dtype, too. The inputs are not modified.
        """
    ),
    limits=(at_most(1, "graphs"), at_most(20, "ops"), at_most(0, "syncs")),
    target=2.0,
    cost=lambda size: Cost(reads=4 * (size + 1) * (size + 1), writes=4 * size * (size + 1)),
    ways={"eager": _eager, "F.gelu": lambda x, bias: F.gelu(x + bias, approximate="tanh")},
    hints=items(
        """
        - First write the function without a compiler: `v = x + bias` broadcasts, and the formula works on the whole
          matrix unchanged.
        - Then compile the function: the compiler fuses the operations of a graph. What could break a graph here?
        - Write `@torch.compile` in the line above `def`. Then `graphs(bias_gelu, (torch.randn(4, 3), torch.randn(3)))` shows
          into how many graphs the compiler splits it.
        """
    ),
    mistakes=(
        Mistake(
            "The bias is added after GELU: add it before.", lambda x, bias: _eager(x, torch.zeros_like(bias)) + bias
        ),
        Mistake("This is GELU with the error function: use the tanh formula.", lambda x, bias: F.gelu(x + bias)),
        Mistake(
            "This approximates GELU with one sigmoid: use the tanh formula.",
            lambda x, bias: (v := x + bias) * torch.sigmoid(1.702 * v),
        ),
        Mistake("This is ReLU: use the tanh formula.", lambda x, bias: F.relu(x + bias)),
        Mistake("The bias is missing: add it before GELU.", lambda x, bias: _eager(x, torch.zeros_like(bias))),
    ),
)
