"""Practice: from the sums of k neighbors to the sums of 2k neighbors, one round of doubling."""

from __future__ import annotations

from math import inf, isqrt, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import float64, infinity_and_nan
from course_utils.tasks.torch_inputs import normal


def twice_as_wide_slow(sums, k):
    """Return the sums of 2k neighbors from the sums of k neighbors."""
    count = len(sums) - k
    result = torch.empty(count, dtype=sums.dtype, device=sums.device)
    for i in range(count):
        result[i] = sums[i] + sums[i + k]
    return result


def _inputs(size, generator):
    # At the larger counted size, a loop over blocks of k sums and a loop over k offsets both exceed the limit on operations.
    count = 2 * size + 3
    return normal(generator, count), isqrt(count)


TASK = Task(
    id="twice_as_wide",
    title="Windows twice as wide",
    points=0,
    level=1,
    slow=twice_as_wide_slow,
    inputs=_inputs,
    edge_cases=(
        Case("k = 1, with the values as their own sums", lambda generator: (normal(generator, 5), 1)),
        float64((7,), rest=(2,)),
        Case("4,099 sums", lambda generator: (normal(generator, 4099), 2)),
        Case("k = 4,099, with a single result", lambda generator: (normal(generator, 4100), 4099)),
        Case("sums of int32", lambda _: (torch.tensor([2**24 + 1, -1, 4, 1, -5, 9], dtype=torch.int32), 2)),
        infinity_and_nan([1.0, inf, 2.0, 3.0, 4.0, nan, 5.0, 6.0], rest=(2,)),
    ),
    worst="Each value of the result is a sum of two values, whatever the size.",
    limits=(at_most(10, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The two windows overlap: the second one begins k positions after the first.",
            lambda sums, k: sums[:-1] + sums[1:],
        ),
        Mistake(
            "Each sum is doubled: add the sum of the other half, k positions later.",
            lambda sums, k: 2 * sums[:-k],
        ),
    ),
)
