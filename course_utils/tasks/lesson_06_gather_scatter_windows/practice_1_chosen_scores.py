"""One score a row, at a column of the row's own: the gather in every loss of a classifier."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal


def chosen_scores_slow(scores, chosen):
    """Of each row of scores the one in the column that chosen names."""
    result = torch.empty(len(scores), dtype=scores.dtype, device=scores.device)
    for i in range(len(scores)):
        result[i] = scores[i, chosen[i]]
    return result


def _inputs(generator, rows, columns, dtype=torch.float32):
    return normal(generator, rows, columns, dtype=dtype), integers(generator, 0, columns, rows)


TASK = Task(
    id="chosen_scores",
    title="The score of the right word",
    points=0,
    level=1,
    slow=chosen_scores_slow,
    inputs=lambda size, generator: _inputs(generator, size, size + 2),
    edge_cases=(
        Case("no rows", lambda generator: _inputs(generator, 0, 4)),
        Case("float64 scores", lambda generator: _inputs(generator, 3, 5, torch.float64)),
    ),
    limits=(at_most(8, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "Whole columns are picked, for every row those of all rows: each row needs its own number beside its column's.",
            lambda scores, chosen: scores[:, chosen],
        ),
        Mistake(
            "The result stands in a column of its own, of shape (n, 1); wanted is (n,).",
            lambda scores, chosen: scores.gather(1, chosen[:, None]),
        ),
    ),
)
