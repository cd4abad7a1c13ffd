"""Practice: pointer jumping, which halves the distance to the root in each round."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers


def roots_of_slow(parents):
    """Return the root of each element: its own number, or the root of its parent, which comes earlier."""
    roots: list[int] = []
    for number, parent in enumerate(parents.tolist()):
        roots.append(number if parent == number else roots[parent])
    return torch.tensor(roots, dtype=parents.dtype, device=parents.device)


def _parents(size, generator):
    """Return parents: the first half is a chain; each other element has itself or an earlier element as its parent."""
    chain, number = (torch.arange(size) - 1).clamp(min=0), torch.arange(size)
    return torch.where(number <= size // 2, chain, torch.minimum(integers(generator, 0, size, size), number))


def roots_by_doubling(parents):
    roots = parents.clone()
    while not torch.equal(roots[roots], roots):
        roots = roots[roots]
    return roots


TASK = Task(
    id="roots_of",
    title="Follow the parents",
    points=0,
    level=1,
    slow=roots_of_slow,
    inputs=lambda size, generator: (_parents(size, generator),),
    edge_cases=(
        Case("no elements", lambda _: (torch.zeros(0, dtype=torch.int64),)),
        Case("elements that are all roots", lambda _: (torch.arange(5),)),
        Case("a chain of five", lambda _: (torch.tensor([0, 0, 1, 2, 3]),)),
        Case("two trees", lambda _: (torch.tensor([0, 1, 0, 1, 2, 3]),)),
    ),
    worst=(
        Case("a chain of 300", lambda _: ((torch.arange(300) - 1).clamp(min=0),)),
        Case("70,000 elements, every second one a root", lambda _: (torch.arange(70_000) // 2 * 2,)),
        Case("two chains of 66,000", lambda _: (torch.cat([torch.arange(2), torch.arange(131_998)]),)),
    ),
    reference=roots_by_doubling,
    limits=(at_most(40, "ops"), at_most(20, "syncs")),
    mistakes=(
        Mistake("These are the grandparents: jump again until nothing changes.", lambda parents: parents[parents]),
        Mistake("These are still the parents: follow them up to the root.", lambda parents: parents.clone()),
    ),
)
