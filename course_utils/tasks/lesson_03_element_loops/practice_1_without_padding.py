"""Practice: set the scores of padding to 0 by a choice, because a product with a mask turns -inf into NaN."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, random_case
from course_utils.tasks.torch_inputs import normal


def without_padding_slow(scores, padding):
    """Return the scores, with 0 for each one whose padding is True."""
    result = torch.empty_like(scores)
    for i in range(len(scores)):
        if padding[i]:
            result[i] = 0
        else:
            result[i] = scores[i]
    return result


TASK = Task(
    id="without_padding",
    title="Scores without padding",
    points=0,
    level=1,
    slow=without_padding_slow,
    inputs=lambda size, generator: (normal(generator, size), normal(generator, size) > 0),
    edge_cases=(
        fixed_case("minus infinity among the scores", [-inf, -0.5, -inf, -2.0], [True, False, False, True]),
        fixed_case("very low scores and one just below 0", [-300.0, -1e-9, -150.0, -1e30], [False, False, True, False]),
        fixed_case("infinity and NaN", [inf, nan, inf, nan], [False, False, True, True]),
        Case("5,000 scores", lambda g: (normal(g, 5000), normal(g, 5000) > 0)),
        fixed_case("a single padded score", [-2.0], [True]),
        random_case("no scores", (0,), rest=(torch.zeros(0, dtype=torch.bool),)),
        Case(
            "float64 scores",
            lambda g: (normal(g, 4, dtype=torch.float64), torch.tensor([False, True, False, False])),
        ),
    ),
    worst="Each value of the result depends on one value of each input, whatever the size.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The padding keeps its scores, and all other scores are 0: invert the mask.",
            lambda scores, padding: scores.masked_fill(~padding, 0),
        ),
    ),
    sources=("S0.6",),
)
