"""Practice of doubling: one round."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import normal


def doubling_round_slow(y, k, decay):
    """Return each row plus decay**k times the row k positions before it, if there is one."""
    out = y.clone()
    for t in range(k, len(y)):
        out[t] = y[t] + decay**k * y[t - k]
    return out


def _inputs(size, generator):
    # With k of at most 3, a loop over blocks of k rows exceeds the limit on operations.
    return normal(generator, size + 1, 2 + size // 2), min(size, size % 3 + 1), 0.5


def _row_after_row(y, k, decay):
    out = y.clone()
    for t in range(k, len(y)):
        out[t] += decay**k * out[t - k]
    return out


TASK = Task(
    id="doubling_round",
    title="One round of doubling",
    points=0,
    level=1,
    slow=doubling_round_slow,
    inputs=_inputs,
    edge_cases=(
        float64((5, 2), rest=(2, 0.9)),
        random_case("no row that has an earlier one", (4, 2), rest=(4, 0.9)),
        random_case("fewer rows than k", (4, 2), rest=(5, 0.9)),
        random_case("a decay of 0", (5, 2), rest=(2, 0.0)),
        random_case("a negative decay", (5, 2), rest=(1, -1.5)),
        random_case("a decay of 1 and 300 columns", (5, 300), rest=(1, 1)),
        fixed_case(
            "an infinite value in the first and the last row", [[torch.inf], [2.0], [1.0], [torch.inf]], rest=(1, 0.5)
        ),
    ),
    worst=(Case("the last round of 4,000 rows", lambda g: (normal(g, 4000, 2), 2048, 0.9999)),),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The earlier row is multiplied by `decay`: it is k steps older, so multiply it by `decay**k`.",
            lambda y, k, decay: torch.cat([y[:k], y[k:] + decay * y[:-k]]),
        ),
        Mistake(
            "The first k rows are missing: they have no earlier row to add and stay unchanged.",
            lambda y, k, decay: y[k:] + decay**k * y[:-k],
        ),
        Mistake(
            "`roll` wraps around: the first k rows receive the last k rows, but should stay unchanged.",
            lambda y, k, decay: y + decay**k * y.roll(k, 0),
        ),
        Mistake("Rows that have changed already are added: read the rows k positions before from `y`.", _row_after_row),
    ),
)
