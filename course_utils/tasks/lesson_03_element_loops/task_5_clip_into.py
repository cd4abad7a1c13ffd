"""Clip and scale once more, into a buffer that is kept: no fresh memory, and as near to the limit as you can.

The slow loop is quick for one in Python, so that the race can be about a picture that is no longer small.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import (
    into_buffer,
    matrices_into_buffer,
    nan_buffer,
    noncontiguous_buffer,
    transposed_buffer,
    with_buffer,
)
from course_utils.tasks.torch_cases import fixed_case, infinity_and_nan, without_columns
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def clip_into_slow(x, low, high, out):
    """Into out how far each value of x lies on the way from low to high: 0 below, 1 above."""
    for i in range(x.shape[0]):
        row = []
        for value in x[i].tolist():
            if value < low:
                row.append(0.0)
            elif value > high:
                row.append(1.0)
            else:
                row.append((value - low) / (high - low))
        out[i] = torch.tensor(row, dtype=x.dtype)


_LIMITS = (-0.5, 0.75)


def _matrix(generator):
    return normal(generator, 3, 4), *_LIMITS


def _fresh(x, low, high, out):
    out.copy_(((x - low) / (high - low)).clamp(0, 1))


def _by_where(x, low, high, out):
    scaled = (x - low) / (high - low)
    out.copy_(torch.where(x < low, 0.0, torch.where(x > high, 1.0, scaled)))


TASK = Task(
    id="clip_into",
    title="Clip and scale, into a kept buffer",
    points=4,
    level=3,
    slow=clip_into_slow,
    inputs=lambda size, generator: with_buffer(generator, normal(generator, size, size + 1), *_LIMITS),
    writes=("out",),
    sizes=(3, 5, 17),  # with two values only, all may be clipped to 0: what is added to the buffer then shows nowhere
    edge_cases=(
        *matrices_into_buffer(*_LIMITS),
        *into_buffer(
            without_columns(4, rest=_LIMITS),
            fixed_case("values exactly at low and at high", [[2.0, 3.0, 6.0]], rest=(2.0, 6.0)),
            fixed_case("values that all lie between 0 and 1 already", [[0.0, 0.25, 1.0]], rest=(0.0, 1.0)),
            Case("limits far from zero", lambda generator: (20 * normal(generator, 3, 4) + 120, 100.0, 140.0)),
            infinity_and_nan([[inf, -inf, nan, 0.5]], rest=(0.0, 1.0)),
        ),
        nan_buffer(_matrix, 3, 4),
        transposed_buffer(_matrix, 3, 4),
        noncontiguous_buffer(_matrix, 3, 4),
    ),
    count_sizes=(8, 160),
    race_size=512,
    story=prose(
        """
        A camera delivers picture after picture, all of one size, and each is to be clipped and scaled as in the first
        exercise. The program keeps one buffer for the results. Write `clip_into(x, low, high, out)`, which puts them
        there and makes no other tensor. Then see how near to the limit of your machine you can come.
        """
    ),
    rules=prose(
        """
        - What counts is what stands in `out` afterwards: the memory that was given, not a tensor in its place. What the
        function returns does not matter. `x` stays as it was.
        - `x` is a floating-point matrix, `out` has its shape and dtype and holds anything before, NaN as well. `low` and
        `high` are numbers with `low < high`. NaN in `x` stays NaN.
        - No fresh memory at all, not for a mask either, and no more than 100 tensor operations, at every size.
        - The card shows the share of the limit that you reach. There is no end to this one.
        """
    ),
    limits=(at_most(100, "ops"), at_most(0, "syncs"), at_most(0, "bytes")),
    target=5.0,
    cost=lambda size: Cost(reads=4 * size * (size + 1), writes=4 * size * (size + 1)),
    ways={"where": _by_where, "fresh memory in between": _fresh},
    hints=items(
        """
        - Begin with the formula of `clip_and_scale`: a difference, a quotient, and a clamp. Which of the three needs a
          tensor of its own for its result?
        - `torch.sub(x, low, out=out)` writes the difference into the buffer. From there on work in place: `div_`,
          `clamp_`.
        - `torch.sub(x, low, out=out).div_(high - low).clamp_(0, 1)` is right. Now try: a product in the place of the
          quotient; a few blocks of rows, one after the other, each still in the cache when it is passed again (for pictures
          larger than your cache); and, for those who want two passes instead of three,
          `torch.add(offset, x, alpha=slope, out=…)`, which multiplies and adds in one. Its `offset` must be a tensor. Which memory do you have to put one number?
        """
    ),
    mistakes=(
        Mistake(
            "The values between low and high are not scaled: 0 stands at low and 1 at high.",
            lambda x, low, high, out: out.copy_(x.clamp(low, high)),
        ),
        Mistake(
            "Nothing is clipped: values outside low and high go on.",
            lambda x, low, high, out: out.copy_((x - low) / (high - low)),
        ),
        Mistake(
            "The values are clipped to 0 and 1 before they are scaled: clip to low and high, or scale first.",
            lambda x, low, high, out: out.copy_((x.clamp(0, 1) - low) / (high - low)),
        ),
        Mistake(
            "The result is added to what stood in out before: out may hold anything, and is to be overwritten.",
            lambda x, low, high, out: out.add_(((x - low) / (high - low)).clamp(0, 1)),
        ),
    ),
    sources=("S0.2",),
)
