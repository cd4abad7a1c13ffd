"""The dot product of each pair of vectors, each pair once: the upper triangle of a table without its diagonal."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import infinity_and_nan, long_case, random_case
from course_utils.tasks.torch_inputs import normal


def upper_pairs_slow(x):
    """Return the dot products of all pairs i < j of vectors in each sample of x, shape (b, n, d)."""
    samples, count, _ = x.shape
    result = torch.empty(samples, count * (count - 1) // 2, dtype=x.dtype, device=x.device)
    for k in range(samples):
        position = 0
        for i in range(count):
            for j in range(i + 1, count):
                result[k, position] = x[k, i] @ x[k, j]
                position += 1
    return result


_FEATURES = 32  # More than the limit on operations: a loop over the features exceeds it.


def _inputs(size, generator):
    # At the larger count size, a loop over the samples or over the vectors exceeds it, too.
    samples = 26 if 6 < size < 20 else size
    return (normal(generator, samples, samples + 1, _FEATURES),)


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
    return size * (size + 1) // 2  # The number of pairs of size + 1 vectors.


def _enough(x):
    """Return bytes that suffice for the table of all products and the picked values, but not for two vectors per pair."""
    return 4096 + 5 * x.element_size() * len(x) * x.shape[1] ** 2


TASK = Task(
    id="upper_pairs",
    title="Each pair once",
    points=2,
    level=2,
    slow=upper_pairs_slow,
    inputs=_inputs,
    sizes=(1, 2, 3, 6),
    dtypes={"x": FLOATING},
    edge_cases=(
        random_case("no visits", (0, 3, 4)),
        random_case("one vector, which has no pair", (2, 1, 4)),
        random_case("equal sizes along all axes", (3, 3, 3)),
        random_case("vectors of one value", (2, 4, 1)),
        random_case("4,099 visits", (4099, 2, 3)),
        long_case("200 vectors of each visit", (1, 200, 2)),
        random_case("vectors of 4,099 values", (2, 3, 4099)),
        infinity_and_nan([[[inf, 1.0], [1.0, 2.0], [3.0, 1.0], [nan, 1.0]]]),
    ),
    worst="Each value of the result depends on one pair of vectors, whatever the number of vectors.",
    count_sizes=(4, 12),
    race_size=20,
    story=prose(
        """
        A shop's recommender has one vector for each property of a visit: the visitor, the hour, the page and the article. The
        dot product of two vectors shows how well two properties match, and the next layer reads the dot products of all pairs.
        Write `upper_pairs(x)`, which returns these dot products for a batch of visits.
        """
    ),
    rules=prose(
        """
        - `x` has a floating dtype and shape (b, n, d): b visits with n vectors each. The result has shape
        (b, n·(n − 1) / 2) and the dtype of `x`. There can be 0 visits.
        - The result holds each pair i < j once, in the order of the loop: (0, 1), (0, 2), …, (1, 2), … No vector is paired with
        itself.
        - All n × n products fit the memory limit; two vectors for each pair don't.
        """
    ),
    limits=(
        at_most(24, "ops"),
        at_most(0, "syncs"),
        at_most(_enough, "bytes", "five times the bytes of all n × n products, plus 4,096 bytes"),
    ),
    target=20.0,
    cost=lambda size: Cost(
        reads=4 * size * (size + 1) * _FEATURES,
        writes=4 * size * _pairs(size),
        flops=2 * size * _pairs(size) * _FEATURES,
    ),
    ways={"two gathers": _both_sides},
    hints=items(
        """
        - Which operation returns the dot products of all vectors of a visit with all others? It also works on a batch.
        - `x @ x.mT` has shape (b, n, n). The lesson computed the indices of all pairs i < j. Index the last two axes with them.
        - `products = x @ x.mT` and `i, j = torch.triu_indices(n, n, 1, device=x.device)`, then `products[:, i, j]`.
        """
    ),
    mistakes=(
        Mistake(
            "The products of each vector with itself are in the result: leave the diagonal out.",
            lambda x: _picked(x, 0),
        ),
        Mistake(
            "The pairs are in the order (0, 1), (0, 2), (1, 2), (0, 3), …, which is the lower triangle row by row: use the upper "
            "triangle.",
            _by_columns,
        ),
        Mistake("These are all n × n products: return each pair once, and no vector with itself.", lambda x: x @ x.mT),
        Mistake(
            "These are squared distances: return dot products.",
            lambda x: (
                (x[:, :, None] - x[:, None])
                .square()
                .sum(3)[(slice(None), *torch.triu_indices(x.shape[1], x.shape[1], 1))]
            ),
        ),
    ),
)
