"""The total of each distinct key: a group-by whose labels are arbitrary integers."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal


def totals_by_key_slow(values, keys):
    """Return the distinct keys in ascending order, and the sum of the values of each."""
    totals: dict[int, torch.Tensor] = {}
    for value, key in zip(values, keys.tolist()):
        totals[key] = totals.get(key, 0) + value
    distinct = sorted(totals)
    sums = torch.stack([totals[key] for key in distinct]) if distinct else values.new_zeros(0)
    return torch.tensor(distinct, dtype=keys.dtype), sums


def _inputs(size, generator):
    return normal(generator, 3 * size), 10 * integers(generator, -size, size, 3 * size)


def _many_keys(generator):
    """Return large keys in random order, half of which are 1 more than the others: a table of remainders mixes some of them."""
    keys = integers(generator, -(2**62), 2**62, 2050)
    return torch.cat([keys, keys + 1])


TASK = Task(
    id="totals_by_key",
    title="Totals by customer number",
    points=0,
    level=1,
    slow=totals_by_key_slow,
    inputs=_inputs,
    edge_cases=(
        Case(
            "no values, in float64", lambda _: (torch.zeros(0, dtype=torch.float64), torch.zeros(0, dtype=torch.int64))
        ),
        Case("one key whose values add up to 0", lambda _: (torch.tensor([3.0, -1, -2]), torch.full((3,), 2**63 - 1))),
        Case("float64 values", lambda g: (normal(g, 6, dtype=torch.float64), 10 * integers(g, 0, 3, 6))),
        Case(
            "large keys that differ by 1",
            lambda _: (torch.tensor([1.0, 2.0, 4.0]), torch.tensor([-(2**62) - 1, -(2**62), -(2**62) - 1])),
        ),
        Case(
            "the key 7 and keys that are larger by powers of 2",
            lambda g: (normal(g, 5), 7 + torch.tensor([0, 2**12, 2**20, 2**32, 2**50])),
        ),
        Case(
            "an infinite total before finite ones",
            lambda _: (torch.tensor([0.5, torch.inf, 0.25]), torch.tensor([20, 10, 30])),
        ),
        Case("4,100 keys of up to 19 digits", lambda g: (normal(g, 4100), _many_keys(g))),
    ),
    worst="Each total is a sum of its own values, whatever the other keys are.",
    count_sizes=(8, 512),
    limits=(at_most(20, "ops"), at_most(2, "syncs")),
    mistakes=(
        Mistake(
            "Each total contains one value only: if several values are written to one position, one of them remains. Use `index_add`.",
            lambda values, keys: (
                (found := torch.unique(keys, return_inverse=True))[0],
                torch.zeros(len(found[0]), dtype=values.dtype).index_put((found[1],), values),
            ),
        ),
    ),
)
