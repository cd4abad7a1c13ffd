"""All dot products of two sets of rows by one matrix product, without an intermediate larger than the result."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, long_case, random_case
from course_utils.tasks.torch_inputs import normal


def pair_scores_slow(queries, keys):
    """Return the dot product of each row of queries and each row of keys."""
    scores = queries.new_empty(*queries.shape[:-1], keys.shape[-2])
    for i in range(queries.shape[-2]):
        for j in range(keys.shape[-2]):
            scores[..., i, j] = (queries[..., i, :] * keys[..., j, :]).sum(-1)
    return scores


def _shapes(size):
    # Small inputs are printed, and large ones are raced. There, a loop over the batch exceeds the limit on operations.
    many, wide = (24, 32) if size >= 32 else (2, 3)
    return (many, size, wide), (many, size + 1, wide)


def _cost(size):
    (many, rows, wide), (_, columns, _) = _shapes(size)
    return Cost(
        reads=4 * many * (rows + columns) * wide,
        writes=4 * many * rows * columns,
        flops=2 * many * rows * columns * wide,
        launches=1,
    )


def _of_matching_rows(queries, keys):
    return (queries * keys[..., : queries.shape[-2], :]).sum(-1)


def _allowed(queries, keys):
    result = queries[..., 0].numel() * keys.shape[-2]
    return queries.element_size() * (2 * result + queries.numel() + keys.numel())


TASK = Task(
    id="pair_scores",
    title="Each query with each key",
    points=1,
    level=1,
    slow=pair_scores_slow,
    inputs=lambda size, generator: tuple(normal(generator, *shape) for shape in _shapes(size)),
    dtypes={"queries, keys": FLOATING},
    edge_cases=(
        random_case("two matrices, no batch", (3, 4), (2, 4)),
        random_case("no queries", (2, 0, 3), (2, 4, 3)),
        random_case("no keys", (2, 4, 3), (2, 0, 3)),
        random_case("rows without features", (2, 0), (3, 0)),
        random_case("no queries and no keys", (2, 0, 3), (2, 0, 3)),
        random_case("one user", (1, 3, 4), (1, 2, 4)),
        random_case("two batch axes", (2, 3, 4, 5), (2, 3, 2, 5)),
        random_case("three batch axes", (2, 1, 2, 3, 4), (2, 1, 2, 2, 4)),
        random_case("4,099 users", (4099, 1, 3), (4099, 2, 3)),
        long_case("4,099 queries", (4099, 3), (1, 3)),
        long_case("4,099 keys", (1, 3), (4099, 3)),
        random_case("4,099 features", (2, 4099), (3, 4099)),
        random_case("equal sizes along all axes", (3, 3, 3), (3, 3, 3)),
        fixed_case("infinity and NaN", [[inf, 1.0], [nan, 2.0]], [[1.0, 1.0], [0.5, 2.0]]),
        Case(
            "transposed keys",
            lambda g: (normal(g, 2, 3, 4), normal(g, 2, 4, 5).mT),
        ),
    ),
    worst="Each value of the result is one dot product, whatever the number of rows.",
    race_size=64,
    story=prose(
        """
        A search engine stores a vector for each page, its **key**. Each question becomes a vector, too, its **query**. The dot
        product of query and key is the score of the page for that question. Many users ask at once, each with their own
        questions and pages. Write `pair_scores(queries, keys)`, which returns the score of each query with each key.
        """
    ),
    rules=prose(
        """
        - `queries` has shape (…, q, d) and `keys` has shape (…, k, d). The batch axes (…) are the same in both: none, one or more.
        The result has shape (…, q, k).
        - q, k and d can be 0. Both inputs have one floating dtype, which the result has, too. Gradients reach both inputs.
        """
    ),
    limits=(
        at_most(16, "ops"),
        at_most(0, "syncs"),
        at_most(_allowed, "bytes", "the bytes of two results, of `queries` and of `keys`"),
    ),
    gradients=True,
    target=20.0,
    cost=_cost,
    ways={
        "matmul": lambda queries, keys: queries @ keys.mT,
        "einsum": lambda queries, keys: torch.einsum("...qd,...kd->...qk", queries, keys),
    },
    hints=items(
        """
        - Entry (i, j) of a matrix product is a dot product. Which row of the left matrix and which column of the right one
          does it use?
        - The keys are rows but must be columns. `.T` reverses all axes. Which attribute transposes the last two only?
        - `queries @ keys.mT` works with any batch axes.
        """
    ),
    mistakes=(
        Mistake(
            "The result is transposed: entry (i, j) belongs to query i and key j.",
            lambda queries, keys: pair_scores_slow(keys, queries),
        ),
        Mistake("This pairs query i with key i only: pair each query with each key.", _of_matching_rows),
        Mistake(
            "The scores are divided by √d, as in attention: return the plain dot products.",
            lambda queries, keys: pair_scores_slow(queries, keys) / queries.shape[-1] ** 0.5,
        ),
        Mistake(
            "The scores of the batch are summed: keep the batch axes.",
            lambda queries, keys: pair_scores_slow(queries, keys).flatten(0, -3).sum(0),
        ),
    ),
    sources=("S1.7",),
)
