"""An elementwise chain at the speed of a copy, into a preallocated buffer and with little new memory.

The chain needs an intermediate tensor. It must be smaller than the image, so the work goes block by block, and blocks
stay in a cache.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import into_buffer, nan_buffer, noncontiguous_buffer, with_buffer
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import noncontiguous, uniform

COLUMNS = 512
SPARE = 256 * 1024


def fill_the_bus_slow(x, out):
    """Write a soft mask of x to out: 0 up to x = 0, 1 from x = 1 on, and a smooth step in between."""
    for i in range(len(x)):
        t = x[i].clamp(0, 1)
        out[i] = t * t * (3 - 2 * t)


def _picture(size, generator):
    return with_buffer(generator, uniform(generator, -0.5, 1.5, size, _columns(size)))


def _columns(size):
    return min(size + 1, COLUMNS)


def _whole_tensors(x, out):
    t = x.clamp(0, 1)
    out.copy_(t * t * (3 - 2 * t))


TASK = Task(
    id="fill_the_bus",
    title="As fast as a copy",
    points=4,
    level=3,
    slow=fill_the_bus_slow,
    inputs=_picture,
    writes=("out",),
    edge_cases=(
        *into_buffer(
            Case("an image without rows", lambda g: (uniform(g, 0, 1, 0, 4),)),
            Case("one row", lambda g: (uniform(g, -1, 2, 1, 6),)),
            Case("one column of 5,000 rows", lambda g: (uniform(g, -1, 2, 5000, 1),)),
            Case("a transposed image", lambda g: (uniform(g, -1, 2, 3, 5).T,)),
            Case("every second column of a wider image", lambda g: (noncontiguous(uniform(g, -1, 2, 3, 4)),)),
            Case("float64 values", lambda g: (uniform(g, -1, 2, 4, 4, dtype=torch.float64),)),
            fixed_case("values at both ends, in between and far outside", [[0.0, 1.0, 0.5], [-1e30, 1e30, 1e-4]]),
            fixed_case("infinity at both ends, and NaN", [[inf, -inf, nan, 0.5]]),
        ),
        nan_buffer(lambda _: (torch.tensor([[0.25, 0.75]]),), 1, 2),
        noncontiguous_buffer(lambda g: (uniform(g, -1, 2, 3, 4),), 3, 4),
    ),
    worst=into_buffer(
        Case("257 rows of values just above 0", lambda g: (uniform(g, 0, 1e-3, 257, 3),)),
        Case("2 rows of 70,000 columns", lambda g: (uniform(g, -1, 2, 2, 70_000),)),
    ),
    count_sizes=(8, 700),
    race_size=2048,
    story=prose(
        """
        A camera measures the distance of each pixel and blurs the background. Its mask is 0 for near pixels (`x` up to 0), 1 for
        far pixels (`x` from 1 on), and a smooth step in between: t²·(3 − 2t), with t equal to `x` clamped to 0…1. All images
        use one buffer for the mask, and there is no memory for another image. Write `fill_the_bus(x, out)`, which writes the
        mask to `out`.
        """
    ),
    rules=prose(
        """
        - The result is the content of `out` afterward; the return value doesn't count. `x` doesn't change.
        - `x` and `out` have shape (rows, columns), with at least one column, and one dtype, float32 or float64. `out` can
        hold any values before the call, even NaN. NaN in `x` stays NaN.
        - The larger image on which the limits are counted has 700 × 512 values, which is 1.4 MB.
        - The limit is a copy of `x` to `out`, which reads each value once and writes it once. The card shows your share of
        that limit.
        """
    ),
    limits=(at_most(400, "ops"), at_most(SPARE, "bytes"), at_most(0, "syncs")),
    target=2.0,
    cost=lambda size: Cost(reads=4 * size * _columns(size), writes=4 * size * _columns(size)),
    ways={"whole tensors": _whole_tensors},
    hints=items(
        """
        - Operations on whole tensors make several passes, and each pass loads all values again. Where are the values of
          a small block when the next operation needs them? Your ladder shows how small the block must be.
        - Loop over `x.split(rows)` and `out.split(rows)` together. `out`'s block holds one intermediate, and one spare block,
          allocated once before the loop, holds the other. Every operation needs `out=` or a trailing underscore.
        - With `rows = 64`, loop with `for part, block in zip(x.split(rows), out.split(rows))`. With `t = spare[:
          len(part)]`, call `torch.clamp(part, 0, 1, out=t)`, then `torch.mul(t, -2,
          out=block).add_(3).mul_(t).mul_(t)`. Allocate the spare block with `x.new_empty(rows, x.shape[1])`. Then try
          other numbers of rows, and look for fewer operations: `torch.sub` with `alpha` multiplies and subtracts in
          one call.
        """
    ),
    mistakes=(
        Mistake(
            "Values outside 0 to 1 go through the step: clamp `x` before it.",
            lambda x, out: out.copy_(x * x * (3 - 2 * x)),
        ),
        Mistake("This is `x`, clamped: apply the smooth step to it.", lambda x, out: out.copy_(x.clamp(0, 1))),
        Mistake(
            "This is t·(3 − 2t): multiply by t once more.", lambda x, out: out.copy_((t := x.clamp(0, 1)) * (3 - 2 * t))
        ),
    ),
)
