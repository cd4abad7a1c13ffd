"""Practice of break-even: the total cost of many calls if the first one is expensive."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers


def cost_after_slow(first_s, steady_s, calls):
    """Return the total seconds for each number of calls if the first takes first_s and each later one steady_s."""
    cost = torch.zeros(len(calls), device=calls.device)
    for i, number in enumerate(calls.tolist()):
        cost[i] = first_s + (number - 1) * steady_s
    return cost


def _inputs(size, generator):
    return generator.uniform(0.5, 2.0), generator.uniform(0.001, 0.01), integers(generator, 1, 1000, size)


TASK = Task(
    id="cost_after",
    title="The cost of many calls",
    points=0,
    level=1,
    slow=cost_after_slow,
    inputs=_inputs,
    edge_cases=(
        Case("a single call", lambda _: (1.5, 0.25, torch.tensor([1]))),
        Case(
            "one call, a billion calls and three billion calls",
            lambda _: (1.5, 0.25, torch.tensor([1, 10**9, 3 * 10**9])),
        ),
        Case("a first call that takes no time", lambda _: (0.0, 0.25, torch.tensor([1, 3]))),
        Case("a long first call, and later calls that take no time", lambda _: (7200.0, 0.0, torch.tensor([1, 5]))),
        Case("5,000 numbers", lambda generator: _inputs(5000, generator)),
        Case("an empty tensor of numbers", lambda generator: _inputs(0, generator)),
    ),
    worst="Each value of the result depends on one value of each input, whatever the size.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    hints=(
        "Of n calls, one is the first and n − 1 are later calls: `calls - 1` counts the later ones for all n at once.",
    ),
    mistakes=(
        Mistake(
            "This counts one later call too many: the first call is one of the `calls`.",
            lambda first_s, steady_s, calls: first_s + calls * steady_s,
        ),
        Mistake(
            "Every call costs as much as the first one: later calls take `steady_s`.",
            lambda first_s, steady_s, calls: first_s * calls,
        ),
        Mistake(
            "The cost of the first call is missing: add `first_s`.",
            lambda first_s, steady_s, calls: (calls - 1) * steady_s,
        ),
    ),
)
