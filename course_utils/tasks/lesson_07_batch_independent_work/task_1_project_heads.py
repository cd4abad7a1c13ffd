"""All heads at once: one product of a batch with a stack of matrices.

Most mistakes here reshape instead of moving axes, so each of these mistakes has a message.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import random_case
from course_utils.tasks.torch_inputs import normal


def project_heads_slow(x, weights):
    """Return each head's projection of x, computed head by head and stacked in the order of the heads."""
    projections = []
    for head in range(len(weights)):
        projections.append(x @ weights[head])
    return torch.stack(projections)


# A loop over so many rows, or over so many features, exceeds the limit on operations.
_ROWS, _FEATURES, _OUT = 24, 24, 8
_MANY_OUT = 28  # So does a loop over so many outputs, which are counted but not raced.


def _head_inputs(heads, generator):
    out = _MANY_OUT if 32 < heads <= 64 else _OUT
    return normal(generator, _ROWS, _FEATURES), normal(generator, heads, _FEATURES, out)


def _cost(heads):
    return Cost(
        reads=4 * _FEATURES * (_ROWS + heads * _OUT),
        writes=4 * heads * _ROWS * _OUT,
        flops=2 * heads * _ROWS * _FEATURES * _OUT,
    )


def _by_einsum(x, weights):
    return torch.einsum("bf,hfo->hbo", x, weights)


TASK = Task(
    id="project_heads",
    title="All heads at once",
    points=1,
    level=1,
    slow=project_heads_slow,
    inputs=_head_inputs,
    dtypes={"x, weights": ("float64", "int32", "int64")},
    edge_cases=(
        random_case("a single head", (3, 4), (1, 4, 2)),
        random_case("a batch without rows", (0, 4), (3, 4, 2)),
        random_case("no features", (3, 0), (2, 0, 4)),
        random_case("heads with one output", (3, 4), (2, 4, 1)),
        random_case("equal sizes on all axes", (3, 3), (3, 3, 3)),
        random_case("a batch of one row", (1, 4), (3, 4, 2)),
        random_case("4,099 rows", (4099, 2), (2, 2, 3)),
        random_case("4,099 features", (2, 4099), (2, 4099, 3)),
        random_case("4,099 heads", (2, 3), (4099, 3, 1)),
        random_case("4,099 outputs", (2, 3), (2, 3, 4099)),
        Case(
            "weights whose head axis is last in memory",
            lambda g: (normal(g, 3, 4), normal(g, 4, 5, 2).permute(2, 0, 1)),
        ),
        Case("a row with infinity and NaN", lambda g: (torch.tensor([[1.0, 2.0], [inf, nan]]), normal(g, 3, 2, 2))),
    ),
    worst="Each value is one dot product, whatever the other heads and rows are.",
    race_size=256,
    story=prose(
        """
        A layer projects the same batch several times. Each head computes one projection, with its own weights.
        The slow version runs one product per head and stacks the projections. Write `project_heads(x, weights)`, which
        computes all projections together.
        """
    ),
    rules=prose(
        """
        - `x` has shape (batch, features), and `weights` has shape (heads, features, out) with at least one head. The
          result has shape (heads, batch, out), with the heads in the order of `weights`. There can be 0 rows and 0 features.
        - Both inputs have one dtype: float32, float64, int32 or int64. The result has this dtype, too. Gradients reach `x` and `weights`, and neither is modified.
        """
    ),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    gradients=True,
    target=1.6,
    cost=_cost,
    ways={"one product": torch.matmul, "einsum": _by_einsum, "vmap": torch.vmap(torch.matmul, in_dims=(None, 0))},
    hints=items(
        """
        - A matrix product isn't limited to two dimensions. What does PyTorch compute for `@` between
          (batch, features) and a stack of matrices?
        - `@` treats the last two axes as matrices and broadcasts all axes before them. `torch.einsum` expresses the
          same product with one letter per axis.
        - `x @ weights`, or `torch.einsum("bf,hfo->hbo", x, weights)`: `h` comes first in the result, and `f` is summed
          over.
        """
    ),
    mistakes=(
        Mistake(
            "The batch axis comes first: the result should have shape (heads, batch, out).",
            lambda x, weights: project_heads_slow(x, weights).transpose(0, 1),
        ),
        Mistake(
            "The heads are side by side in each row: each head needs its own matrix, (heads, batch, out).",
            lambda x, weights: project_heads_slow(x, weights).transpose(0, 1).flatten(1),
        ),
        Mistake("The heads are added up: return each head's product.", lambda x, weights: (x @ weights).sum(0)),
        Mistake(
            "The heads are in reverse order: keep the order of `weights`.", lambda x, weights: (x @ weights).flip(0)
        ),
        Mistake(
            "The weights were reshaped, which keeps the order in memory and mixes the heads: apply "
            "`transpose(0, 1)` first.",
            lambda x, weights: (x @ weights.reshape(x.shape[1], -1)).unflatten(1, (len(weights), -1)).transpose(0, 1),
        ),
        Mistake(
            "The product was reshaped, which keeps the order in memory and mixes rows and heads: split its "
            "last axis into heads and outputs, then apply `transpose(0, 1)`.",
            lambda x, weights: (x @ weights.transpose(0, 1).flatten(1)).reshape(len(weights), len(x), -1),
        ),
        Mistake(
            "The weights and the product were reshaped, which keeps the order in memory and mixes the heads: move "
            "the axes of both with `transpose(0, 1)`.",
            lambda x, weights: (x @ weights.reshape(x.shape[1], -1)).reshape(len(weights), len(x), -1),
        ),
    ),
    sources=("S4.1",),
)
