"""All heads at once: one product of a batch with a stack of matrices.

Most mistakes here are a reshape where axes should have been moved, so each of them has a name.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import float64, integer_case, noncontiguous_case, random_case
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def project_heads_slow(x, weights):
    """What each head makes of x, one after the other, stacked in the order of the heads."""
    projections = []
    for head in range(len(weights)):
        projections.append(x @ weights[head])
    return torch.stack(projections)


def _head_inputs(size, generator):
    return normal(generator, 8, 16), normal(generator, size, 16, 8)


def _by_einsum(x, weights):
    return torch.einsum("bf,hfo->hbo", x, weights)


TASK = Task(
    id="project_heads",
    title="All heads at once",
    points=1,
    level=1,
    slow=project_heads_slow,
    inputs=_head_inputs,
    edge_cases=(
        random_case("a single head", (3, 4), (1, 4, 2)),
        random_case("a batch without rows", (0, 4), (3, 4, 2)),
        random_case("no features at all", (3, 0), (2, 0, 4)),
        random_case("heads that give a single number", (3, 4), (2, 4, 1)),
        random_case("all sizes alike", (3, 3), (3, 3, 3)),
        Case("a batch turned on its side", lambda g: (normal(g, 4, 3).T, normal(g, 2, 4, 5))),
        Case("weights turned on their side", lambda g: (normal(g, 3, 4), normal(g, 2, 5, 4).mT)),
        Case("heads in the last place in memory", lambda g: (normal(g, 3, 4), normal(g, 4, 5, 2).permute(2, 0, 1))),
        noncontiguous_case("every second value", (3, 4), (2, 4, 5)),
        float64((3, 4), (2, 4, 5)),
        integer_case((3, 4), (2, 4, 5)),
        Case("a row with infinity and NaN", lambda g: (torch.tensor([[1.0, 2.0], [inf, nan]]), normal(g, 3, 2, 2))),
    ),
    race_size=256,
    story=prose(
        """
        A layer looks at the same batch in several ways. Each way is called a head and has weights of its own; what it
        makes of the batch is its projection. The layer was written as it is told: head by head, and then the projections
        are stacked. Write `project_heads(x, weights)`, which computes all of them together.
        """
    ),
    rules=prose(
        """
        - `x` has the shape (batch, features), `weights` the shape (heads, features, out), with at least one head. The
        result has the shape (heads, batch, out): head 0 first, then head 1, and so on.
        - The result has the dtype of `x`; `x` and `weights` stay as they were, and gradients reach both.
        - A few tensor operations, however many heads there are.
        """
    ),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    gradients=True,
    target=1.6,
    cost=lambda heads: Cost(reads=4 * 16 * 8 * (1 + heads), writes=4 * 8 * 8 * heads, flops=2 * 8 * 16 * 8 * heads),
    ways={"one product": torch.matmul, "einsum": _by_einsum, "vmap": torch.vmap(torch.matmul, in_dims=(None, 0))},
    hints=items(
        """
        - A matrix product does not have to be two-dimensional: what does torch make of `@` between (batch, features)
          and a stack of matrices?
        - `@` takes the last two axes as a matrix and broadcasts all axes before them. `torch.einsum` can say the same with a
          letter for each axis.
        - x @ weights, or torch.einsum("bf,hfo->hbo", x, weights): h stands in the result first, f is summed over.
        """
    ),
    mistakes=(
        Mistake(
            "The batch stands first: wanted is (heads, batch, out).",
            lambda x, weights: project_heads_slow(x, weights).transpose(0, 1),
        ),
        Mistake(
            "The heads stand side by side in one row: each needs a matrix of its own, (heads, batch, out).",
            lambda x, weights: project_heads_slow(x, weights).transpose(0, 1).flatten(1),
        ),
        Mistake("The heads are added up: each is wanted by itself.", lambda x, weights: (x @ weights).sum(0)),
        Mistake("The heads are in reverse order.", lambda x, weights: (x @ weights).flip(0)),
        Mistake(
            "The weights were reshaped where their axes should have been moved: a reshape keeps the order in memory, and "
            "so it mixes the heads.",
            lambda x, weights: (x @ weights.reshape(x.shape[1], -1)).unflatten(1, (len(weights), -1)).transpose(0, 1),
        ),
        Mistake(
            "The product was reshaped where its axes should have been moved: a reshape keeps the order in memory, and "
            "so it mixes rows and heads.",
            lambda x, weights: (x @ weights.transpose(0, 1).flatten(1)).reshape(len(weights), len(x), -1),
        ),
        Mistake(
            "Weights and product were reshaped where their axes should have been moved: a reshape keeps the order in "
            "memory, and so it mixes the heads.",
            lambda x, weights: (x @ weights.reshape(x.shape[1], -1)).reshape(len(weights), len(x), -1),
        ),
        Mistake("The product is the wrong way round: x stands on the left.", lambda x, weights: weights @ x),
    ),
    sources=("S4.1",),
)
