"""Practice: all differences between two vectors, by one broadcast between a column and a row."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import integers, normal


def token_distances_slow(queries, keys):
    """Return the matrix whose entry (i, j) is queries[i] - keys[j]."""
    distances = torch.empty(len(queries), len(keys), dtype=queries.dtype, device=queries.device)
    for i in range(len(queries)):
        for j in range(len(keys)):
            distances[i, j] = queries[i] - keys[j]
    return distances


def _int64(queries, keys):
    return Case("int64 values", lambda generator: tuple(integers(generator, -9, 10, size) for size in (queries, keys)))


TASK = Task(
    id="token_distances",
    title="The distance of each query from each key",
    points=0,
    level=1,
    slow=token_distances_slow,
    inputs=lambda size, generator: (normal(generator, size), normal(generator, size + 1)),
    edge_cases=(
        _int64(3, 5),
        _int64(4, 4),
        random_case("5,000 queries", (5000,), (1,)),
        random_case("5,000 keys", (1,), (5000,)),
        Case("int32 values", lambda g: tuple(integers(g, -9, 10, size, dtype=torch.int32) for size in (3, 2))),
        Case("queries that are the keys", lambda g: (normal(g, 3),) * 2),
        random_case("no queries", (0,), (3,)),
        random_case("no keys", (3,), (0,)),
        fixed_case("positions that float32 rounds", [2**24 + 1, 5], [0, 2**24 + 3, 1]),
        fixed_case("positions that float64 rounds", [2**53 + 1, 5], [0, 2**53 + 3, 1]),
        float64((3,), (4,)),
    ),
    worst="Each value of the result depends on one value of each input, whatever the size.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "Each row belongs to a key: rows belong to queries, columns to keys.",
            lambda queries, keys: queries - keys[:, None],
        ),
        Mistake(
            "This is key minus query: subtract the key from the query.", lambda queries, keys: keys - queries[:, None]
        ),
    ),
    sources=("S1.3",),
)
