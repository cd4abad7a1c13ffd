"""All pairs of two short rows: one broadcast between a column and a row."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import int64, integer_case
from course_utils.tasks.torch_inputs import normal


def token_distances_slow(queries, keys):
    """Entry (i, j) is queries[i] - keys[j]."""
    distances = torch.empty(len(queries), len(keys), dtype=queries.dtype, device=queries.device)
    for i in range(len(queries)):
        for j in range(len(keys)):
            distances[i, j] = queries[i] - keys[j]
    return distances


TASK = Task(
    id="token_distances",
    title="How far is each query from each key",
    points=0,
    level=1,
    slow=token_distances_slow,
    inputs=lambda size, generator: (normal(generator, size), normal(generator, size + 1)),
    edge_cases=(int64((3,), (5,)), integer_case((4,), (4,)), int64((0,), (3,))),
    limits=(at_most(6, "ops"),),
    mistakes=(
        Mistake(
            "The rows are those of the keys; a row belongs to a query, a column to a key.",
            lambda queries, keys: queries - keys[:, None],
        ),
        Mistake("This is key minus query; wanted is query minus key.", lambda queries, keys: keys - queries[:, None]),
    ),
    sources=("S1.3",),
)
