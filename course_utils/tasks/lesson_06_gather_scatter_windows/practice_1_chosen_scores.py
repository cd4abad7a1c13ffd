"""Practice: one score per row, from a column of its own, as in the loss of every classifier."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import infinity_and_nan
from course_utils.tasks.torch_inputs import integers, normal


def chosen_scores_slow(scores, chosen):
    """Return the score of each row in the column that chosen names."""
    result = torch.empty(len(scores), dtype=scores.dtype, device=scores.device)
    for i in range(len(scores)):
        result[i] = scores[i, chosen[i]]
    return result


def _masked(generator):
    scores, chosen = _inputs(generator, 3, 5, torch.float64)
    return scores.where(scores < 0.5, -torch.inf), chosen


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
        Case("70,000 columns", lambda g: (normal(g, 2, 70_000), torch.tensor([69_999, 300]))),
        Case("4,099 rows", lambda generator: _inputs(generator, 4099, 3)),
        Case("one column", lambda generator: _inputs(generator, 3, 1)),
        Case("no rows", lambda generator: _inputs(generator, 0, 4)),
        Case("float64 scores, some of them minus infinity", _masked),
        infinity_and_nan([[-inf, 1.0], [nan, 2.0], [3.0, inf], [4.0, nan]], rest=(torch.tensor([0, 0, 1, 0]),)),
    ),
    worst="Each value of the result is a copy of one score, whatever the number of rows.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "Whole columns are picked, for all rows: index with a row number and a column number for each row.",
            lambda scores, chosen: scores[:, chosen],
        ),
        Mistake(
            "The result has shape (n, 1): return shape (n,).",
            lambda scores, chosen: scores.gather(1, chosen[:, None]),
        ),
    ),
)
