"""Practice: one round of hooking, a scatter with a minimum."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers


def hooked_slow(roots, one, other):
    """Return the parents after each pair hooked its larger root to its smaller one; a root gets its smallest parent."""
    parents = roots.clone()
    for i in range(len(one)):
        low, high = sorted([int(roots[one[i]]), int(roots[other[i]])])
        parents[high] = min(int(parents[high]), low)
    return parents


def _inputs(size, generator):
    """Return elements whose root is an element of a lower number, and random pairs of elements."""
    is_root = torch.from_numpy(generator.random(size) < 0.6)
    is_root[0] = True
    roots = torch.where(is_root, torch.arange(size), 0).cummax(0).values
    return roots, integers(generator, 0, size, size), integers(generator, 0, size, size)


def _of_the_elements(roots, one, other):
    return roots.scatter_reduce(0, torch.maximum(one, other), torch.minimum(one, other), "amin")


def _last_one_counts(roots, one, other):
    parents = roots.clone()
    for i in range(len(one)):
        low, high = sorted([int(roots[one[i]]), int(roots[other[i]])])
        parents[high] = low
    return parents


TASK = Task(
    id="hooked",
    title="One round of hooking",
    points=0,
    level=1,
    slow=hooked_slow,
    inputs=_inputs,
    edge_cases=(
        Case("no pairs", lambda _: (torch.arange(4), *torch.zeros(2, 0, dtype=torch.int64))),
        Case(
            "two pairs with the same larger root",
            lambda _: (torch.arange(5), torch.tensor([4, 2]), torch.tensor([1, 4])),
        ),
        Case(
            "a pair whose elements have the same root",
            lambda _: (torch.tensor([0, 0, 2]), torch.tensor([1]), torch.tensor([0])),
        ),
        Case(
            "pairs with elements that aren't roots",
            lambda _: (torch.tensor([0, 0, 2, 2, 4]), torch.tensor([3, 4]), torch.tensor([1, 3])),
        ),
        Case(
            "the larger element of a pair has the smaller root",
            lambda _: (torch.tensor([0, 1, 0, 1]), torch.tensor([2, 0]), torch.tensor([1, 2])),
        ),
    ),
    worst=(
        Case(
            "60 pairs with the same larger root",
            lambda g: (torch.arange(61), torch.full((60,), 60), integers(g, 0, 60, 60)),
        ),
        Case(
            "5,000 pairs",
            lambda g: (torch.arange(6000), torch.arange(1000, 6000), integers(g, 0, 1000, 5000)),
        ),
        Case(
            "two pairs of 70,000 elements",
            lambda _: (torch.arange(70_000), torch.tensor([69_999, 5]), torch.tensor([69_000, 69_998])),
        ),
    ),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The elements themselves are hooked: hook their roots, `roots[one]` and `roots[other]`.", _of_the_elements
        ),
        Mistake('If several pairs share a larger root, the last pair counts here: use `"amin"`.', _last_one_counts),
    ),
)
