"""Practice: one dot product per row; a matrix product computes all pairs and needs only the diagonal."""

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import normal


def own_scores_slow(users, items):
    """Return the dot product of row i of users and row i of items, for each i."""
    scores = users.new_empty(len(users))
    for i in range(len(users)):
        scores[i] = users[i] @ items[i]
    return scores


def _inputs(size, generator):
    features = 3 + min(size // 3, 24)
    return normal(generator, size, features), normal(generator, size, features)


TASK = Task(
    id="own_scores",
    title="One item per user",
    points=0,
    level=1,
    slow=own_scores_slow,
    inputs=_inputs,
    edge_cases=(
        random_case("no users", (0, 3), (0, 3)),
        random_case("as many users as features", (3, 3), (3, 3)),
        random_case("no features", (2, 0), (2, 0)),
        random_case("one feature", (3, 1), (3, 1)),
        random_case("4,099 features", (2, 4099), (2, 4099)),
        random_case("4,099 users", (4099, 2), (4099, 2)),
        float64((4, 3), (4, 3)),
        fixed_case("infinity and NaN", [[inf, 1.0], [nan, 2.0], [1.0, 2.0]], [[1.0, 1.0], [0.5, 2.0], [3.0, 4.0]]),
        Case("long users and short items", lambda g: (normal(g, 4, 3, scale=1e4), normal(g, 4, 3, scale=1e-4))),
    ),
    count_sizes=(8, 512),  # The diagonals of a few blocks of pairs exceed the memory.
    worst="Each value of the result depends on one row of each input, whatever the number of rows.",
    limits=(
        at_most(20, "ops"),
        at_most(0, "syncs"),
        at_most(
            lambda users, items: users.element_size() * (2 * users.numel() + 3 * len(users)),
            "bytes",
            "twice the bytes of `users`, and three values per user",
        ),
    ),
    mistakes=(
        Mistake(
            "These are all pairs of users and items: user i needs item i only.", lambda users, items: users @ items.T
        ),
        Mistake(
            "The wrong axis is summed: return one value per user.",
            lambda users, items: torch.einsum("nd,nd->d", users, items),
        ),
        Mistake("The products are not summed: sum over the last axis.", torch.mul),
        Mistake(
            "All users are summed into one value: sum over the last axis only.",
            lambda users, items: (users * items).sum(),
        ),
    ),
)
