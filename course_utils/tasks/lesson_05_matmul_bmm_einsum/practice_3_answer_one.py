"""Practice: attention for a single query, by products of matrices and vectors."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import float64, random_case
from course_utils.tasks.torch_inputs import normal


def answer_one_slow(query, keys, values):
    """Return the mean of the rows of values, weighted by the softmax of query · key / √d."""
    scores = [query @ key / len(query) ** 0.5 for key in keys]
    weights = torch.softmax(torch.stack(scores), 0)
    answer = torch.zeros_like(values[0])
    for weight, value in zip(weights, values):
        answer = answer + weight * value
    return answer


def _inputs(size, generator):
    features, outputs = 3 + size // 3, 2 + size // 2
    return normal(generator, features), normal(generator, size, features), normal(generator, size, outputs)


def _weighted(scores, values):
    return scores.softmax(0) @ values


def _with_infinities(values):
    values[1, 0], values[2, 1] = torch.inf, torch.nan
    return values


def _far_apart(generator):
    keys = torch.tensor([[40.0, 1.0, 2.0], [30.0, 2.0, 1.0], [25.0, 0.0, 1.0]])
    return torch.tensor([30.0, 0.5, -0.5]), keys, normal(generator, 3, 2)


TASK = Task(
    id="answer_one",
    title="The answer to one query",
    points=0,
    level=1,
    slow=answer_one_slow,
    tolerance=1e-4,  # exp(score - logsumexp(scores)) is right too, and loses digits if the scores are large.
    inputs=_inputs,
    edge_cases=(
        Case("as many keys as features", lambda g: (normal(g, 3), normal(g, 3, 3), normal(g, 3, 3))),
        random_case("vectors of one value", (1,), (4, 1), (4, 1)),
        random_case("4,099 keys", (3,), (4099, 3), (4099, 2)),
        random_case("vectors of 4,099 elements", (4099,), (3, 4099), (3, 4099)),
        float64((3,), (4, 3), (4, 2)),
        Case(
            "values with infinity and NaN", lambda g: (normal(g, 3), normal(g, 4, 3), _with_infinities(normal(g, 4, 3)))
        ),
    ),
    worst=(
        Case("large scores", lambda g: (normal(g, 3, scale=30), normal(g, 4, 3, scale=30), normal(g, 4, 2))),
        Case("scores of 400 to 700", _far_apart),
        Case("scores below -400,000", lambda g: (-1e3 * (inputs := _far_apart(g))[0], *inputs[1:])),
        Case("equal scores", lambda g: (normal(g, 3), normal(g, 1, 3).repeat(5, 1), normal(g, 5, 2))),
    ),
    limits=(at_most(24, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The scores are not divided by √d: divide them by `len(query) ** 0.5`.",
            lambda query, keys, values: _weighted(keys @ query, values),
        ),
        Mistake(
            "The scores are used as weights: apply softmax first.",
            lambda query, keys, values: (keys @ query / len(query) ** 0.5) @ values,
        ),
        Mistake(
            "The scores are divided by the root of the number of keys: d is the length of the query.",
            lambda query, keys, values: _weighted(keys @ query / len(keys) ** 0.5, values),
        ),
    ),
)
