"""An elementwise chain at the speed of a copy: into a given buffer, with room for a part of the picture only.

The steps need a second tensor in between. As large as the picture it may not be, so the work goes block by block: the
blocks are what stays in a cache.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import into_buffer, nan_buffer, with_buffer
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import noncontiguous, uniform
from course_utils.tasks.unwrap import items, prose

COLUMNS = 512
SPARE = 256 * 1024


def fill_the_bus_slow(x, out):
    """Into out a soft mask of x: 0 up to 0, 1 from 1 on, and a smooth step in between."""
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
            Case("a picture without rows", lambda g: (uniform(g, 0, 1, 0, 4),)),
            Case("one row", lambda g: (uniform(g, -1, 2, 1, 6),)),
            Case("one long column", lambda g: (uniform(g, -1, 2, 300, 1),)),
            Case("a picture turned on its side", lambda g: (uniform(g, -1, 2, 3, 5).T,)),
            Case("every second column of a wider picture", lambda g: (noncontiguous(uniform(g, -1, 2, 3, 4)),)),
            Case("float64 values", lambda g: (uniform(g, -1, 2, 3, 4, dtype=torch.float64),)),
            fixed_case("values at both ends, and far outside", [[0.0, 1.0, 0.5], [-1e30, 1e30, 1e-4]]),
        ),
        nan_buffer(lambda _: (torch.tensor([[0.25, 0.75]]),), 1, 2),
    ),
    count_sizes=(8, 700),
    race_size=2048,
    story=prose(
        """
        A camera knows how far away each pixel is, and blurs the background. Its mask is 0 for what is near (`x` up to 0), 1
        for what is far (`x` from 1 on), and a smooth step t²·(3 − 2t) in between. The buffer for the mask is kept from
        picture to picture, and there is no room for a second picture beside it. Write `fill_the_bus(x, out)`.
        """
    ),
    rules=prose(
        """
        - What counts is what stands in `out` afterwards: the memory that was given. `x` stays as it was.
        - `x` and `out` have one shape, (rows, columns), and one floating-point dtype. `out` holds anything before.
        - At most 256 KB of new memory in a call. A picture of 700 × 512, at which this is counted, has 1.4 MB.
        - At most 400 tensor operations for these 700 rows: a few large blocks of rows are fine, single rows are not.
        - A copy of `x` to `out` reads each number once and writes it once, and so must this. The card shows how near to
        that limit you come. There is no end to this one.
        """
    ),
    tolerance=1e-5,
    limits=(at_most(400, "ops"), at_most(SPARE, "bytes"), at_most(0, "syncs")),
    target=2.0,
    cost=lambda size: Cost(reads=4 * size * _columns(size), writes=4 * size * _columns(size)),
    ways={"whole tensors": _whole_tensors},
    hints=items(
        """
        - Whole tensors make several passes, and each fetches everything from far away. Where would the numbers of a
          small part still be when the next step asks for them? Look at your ladder for how small it must be.
        - Go through `x.split(rows)` and `out.split(rows)` together. `out`'s block takes one intermediate value, and one
          spare block, made once before the loop, takes the other. Every step needs `out=` or an underscore.
        - Per block, with t = spare[: len(part)]: torch.clamp(part, 0, 1, out=t); torch.mul(t, -2, out=place).add_(3).mul_(t).mul_(t).
          Make the spare with x.new_empty(rows, x.shape[1]). Then try other numbers of rows, and look for a form with
          fewer steps: `sub_` with an `alpha` multiplies and subtracts in one.
        """
    ),
    mistakes=(
        Mistake(
            "Outside of 0 to 1 the step bends back: clamp x, before the step.",
            lambda x, out: out.copy_(x * x * (3 - 2 * x)),
        ),
        Mistake("This is x clamped; the smooth step is still to come.", lambda x, out: out.copy_(x.clamp(0, 1))),
        Mistake("This is t·(3 − 2t): one t is missing.", lambda x, out: out.copy_((t := x.clamp(0, 1)) * (3 - 2 * t))),
    ),
)
