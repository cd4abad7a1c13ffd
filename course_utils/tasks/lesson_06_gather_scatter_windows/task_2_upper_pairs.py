"""The product of each pair of vectors, each pair once: the upper half of a table, without its diagonal, in a row."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import float64, noncontiguous_case, random_case
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def upper_pairs_slow(x):
    """The dot products of the vectors i < j of each sample of x, shape (b, n, d), in this order."""
    samples, count, _ = x.shape
    result = torch.empty(samples, count * (count - 1) // 2, dtype=x.dtype, device=x.device)
    for k in range(samples):
        place = 0
        for i in range(count):
            for j in range(i + 1, count):
                result[k, place] = x[k, i] @ x[k, j]
                place += 1
    return result


_FEATURES = 16


def _picked(x, offset=1):
    products = x @ x.mT
    i, j = torch.triu_indices(x.shape[1], x.shape[1], offset)
    return products[:, i, j]


def _both_sides(x):
    i, j = torch.triu_indices(x.shape[1], x.shape[1], 1)
    return (x[:, i] * x[:, j]).sum(2)


def _by_columns(x):
    products = x @ x.mT
    i, j = torch.tril_indices(x.shape[1], x.shape[1], -1)
    return products[:, i, j]


def _pairs(size):
    return size * (size + 1) // 2  # of size + 1 vectors


def _enough(x):
    """Room for the table of all products and what is picked from it, not for the vectors of every pair."""
    return 4096 + 5 * x.element_size() * len(x) * x.shape[1] ** 2


TASK = Task(
    id="upper_pairs",
    title="Each pair once",
    points=2,
    level=2,
    slow=upper_pairs_slow,
    inputs=lambda size, generator: (normal(generator, size, size + 1, _FEATURES),),
    sizes=(1, 2, 3, 6),
    edge_cases=(
        random_case("no samples", (0, 3, 4)),
        random_case("one vector, which has no other", (2, 1, 4)),
        random_case("as many samples as vectors and numbers in each", (3, 3, 3)),
        random_case("vectors of one number", (2, 4, 1)),
        noncontiguous_case("every second number of longer vectors", (2, 4, 3)),
        float64((2, 4, 3)),
    ),
    count_sizes=(4, 12),
    race_size=20,
    story=prose(
        """
        A shop's recommender has a vector for each thing that it knows of a visit: the visitor, the hour, the page, the article.
        What tells most is how well they go together, and its next layer reads the dot product of each pair. Write
        `upper_pairs(x)`, which gives them for a batch of visits.
        """
    ),
    rules=prose(
        """
        - `x` has the shape (b, n, d): b visits of n vectors each. The result has the shape (b, n·(n - 1) / 2) and the dtype of `x`.
        - Each pair i < j stands there once, in the order of the loop: (0, 1), (0, 2), …, (1, 2), …; no vector is paired with itself.
        - A few tensor operations, however large the batch is. Python waits for no value.
        - Memory for all n × n products is fine. Memory for two vectors for every pair is too much.
        """
    ),
    limits=(
        at_most(24, "ops"),
        at_most(0, "syncs"),
        at_most(_enough, "bytes", "five times the bytes of all n × n products, and 4,096 bytes"),
    ),
    target=20.0,
    cost=lambda size: Cost(
        reads=4 * size * (size + 1) * _FEATURES,
        writes=4 * size * _pairs(size),
        flops=2 * size * _pairs(size) * _FEATURES,
    ),
    ways={"both sides picked": _both_sides},
    hints=items(
        """
        - Which single operation gives the dot products of *all* vectors of a visit with all others? It works on a batch, too.
        - `x @ x.mT` has the shape (b, n, n). The lesson made the numbers of all pairs i < j. Index the last two axes with them.
        - `i, j = torch.triu_indices(n, n, 1)`, with `device=x.device`, and then `products[:, i, j]`.
        """
    ),
    mistakes=(
        Mistake(
            "The products of each vector with itself are there, too: leave the diagonal out.", lambda x: _picked(x, 0)
        ),
        Mistake(
            "The pairs are the right ones in another order, (0, 1), (0, 2), (1, 2), (0, 3), …: this is the lower half of the table, "
            "row by row; wanted is the upper one.",
            _by_columns,
        ),
        Mistake(
            "These are all n × n products: each pair is there twice, and each vector with itself.", lambda x: x @ x.mT
        ),
        Mistake(
            "The squared distances are given; the dot products are wanted.",
            lambda x: (
                (x[:, :, None] - x[:, None])
                .square()
                .sum(3)[(slice(None), *torch.triu_indices(x.shape[1], x.shape[1], 1))]
            ),
        ),
    ),
)
