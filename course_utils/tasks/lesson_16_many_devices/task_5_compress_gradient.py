"""A gradient in one bit per value, with the error kept for the next step: 1/32 of the bytes to send."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal


def compress_gradient_slow(gradient, residual, packed):
    """Write the signs into packed, and the error of each value into residual; return the one magnitude."""
    values = (gradient + residual).tolist()
    scale = sum(map(abs, values)) / len(values)
    bits, errors = [0] * len(packed), []
    for i, value in enumerate(values):
        if value >= 0:
            bits[i // 8] |= 1 << (i % 8)
            errors.append(value - scale)
        else:
            errors.append(value + scale)
    residual.copy_(torch.tensor(errors, dtype=torch.float64))
    packed.copy_(torch.tensor(bits, dtype=torch.uint8))
    return torch.tensor(scale, dtype=gradient.dtype, device=gradient.device)


def _in_passes(gradient, residual, packed):
    residual += gradient
    scale = residual.abs().mean()
    positive = residual >= 0
    weights = 1 << torch.arange(8, device=packed.device, dtype=torch.uint8)
    packed.copy_((positive.view(-1, 8) * weights).sum(1))
    residual -= torch.where(positive, scale, -scale)
    return scale


def _without_memory(gradient, residual, packed):
    _in_passes(gradient, residual.zero_(), packed)
    return gradient.abs().mean()


def _other_bit_order(gradient, residual, packed):
    scale = _in_passes(gradient, residual, packed)
    bits = (packed.unsqueeze(1) >> torch.arange(8, device=packed.device, dtype=torch.uint8)) & 1
    packed.copy_((bits.flip(1) << torch.arange(8, device=packed.device, dtype=torch.uint8)).sum(1))
    return scale


def _sum_of_magnitudes(gradient, residual, packed):
    return _in_passes(gradient, residual, packed) * len(residual)


def _residual_added_twice(gradient, residual, packed):
    before = residual.clone()
    scale = _in_passes(gradient, residual, packed)
    residual += before
    return scale


def _inputs(generator, size, scale=0.1):
    values = 8 * size
    return (
        normal(generator, values),
        normal(generator, values, scale=scale),
        torch.full((size,), 85, dtype=torch.uint8),
    )


def _fixed(gradient, residual):
    return torch.tensor(gradient), torch.tensor(residual), torch.zeros(len(gradient) // 8, dtype=torch.uint8)


RACE_SIZE = 4096

TASK = Task(
    id="compress_gradient",
    title="A gradient in one bit per value",
    points=4,
    level=3,
    slow=compress_gradient_slow,
    inputs=lambda size, generator: _inputs(generator, size),
    writes=("residual", "packed"),
    returns=True,
    sizes=(1, 2, 5, 17),
    edge_cases=(
        Case("positive values only, of about 1e30", lambda _: _fixed([1e30] * 8, [5e29] * 8)),
        Case("negative values only, of about 1e-30", lambda _: _fixed([-1e-30, -2e-30] * 4, [5e-31] * 8)),
        Case(
            "values of 0 and −0 among others", lambda _: _fixed([0.0, -0.0, -1.0, 2.0] * 2, [0.0, -0.0, 1.0, -1.0] * 2)
        ),
        Case("values close to 0", lambda _: _fixed([1e-9, -1e-9, 1e-30, -1e-30] * 2, [0.0] * 8)),
        Case("72,000 values", lambda generator: _inputs(generator, 9000)),
        Case("a residual that turns signs", lambda generator: _inputs(generator, 3, scale=10.0)),
    ),
    # A float32 sum of 72,000 magnitudes, one after the other, is off by up to about 1e-5, and so is each residual.
    tolerance=1e-5,
    worst=(Case("one large value among small ones", lambda _: _fixed([1e6, *[1e-3] * 15], [0.0, *[-2e-3] * 15])),),
    count_sizes=(8, 64),
    race_size=RACE_SIZE,
    story=prose(
        """
        The link between the workers is slow, so a worker sends one bit per value of the gradient: its sign. All values
        share one magnitude. The rounding error of a step isn't lost: the worker keeps the error of each value,
        the `residual`, and adds it to the next gradient ([Seide and others,
        2014](https://www.microsoft.com/en-us/research/publication/1-bit-stochastic-gradient-descent-and-application-to-data-parallel-distributed-training-of-speech-dnns/)).
        Compression must take less time than it saves. Write `compress_gradient(gradient, residual, packed)`, as close
        to your machine's limit as you can.
        """
    ),
    rules=prose(
        """
        - The values are `gradient + residual`. The result is their mean magnitude, `scale`: a float32 tensor without
          dimensions.
        - Bit `i % 8` of `packed[i // 8]` is 1 if value `i` is 0 or positive. The lowest bit is bit 0.
        - `residual[i]` becomes the value minus the value that the receiver will read: `scale` for a bit of 1, `-scale`
          for 0.
        - `gradient` and `residual` are float32 vectors of 8 n values, n ≥ 1, whose magnitudes add up to less than 1e38, and
          `packed` is a uint8 vector of n values. You may use `residual` and `packed` for intermediate values; `gradient`
          isn't modified.
        """
    ),
    limits=(at_most(32, "ops"), at_most(0, "syncs")),
    target=10.0,
    cost=lambda size: Cost(reads=2 * 4 * 8 * size, writes=4 * 8 * size + size),
    ways={"passes in place": _in_passes},
    hints=items(
        """
        - Count the passes over memory. Which of them can work in place, and which can be one operation?
        - Add the gradient to `residual` in place. Viewed as rows of eight, the comparison with 0 becomes a byte if
          you multiply it by 1, 2, 4, …, 128 and add up the row.
        - `torch.compile` can fuse what remains, but not into one pass: the mean needs all values before any error is known.
        """
    ),
    mistakes=(
        Mistake("The residual of earlier steps is missing: add it to the gradient first.", _without_memory),
        Mistake("The bits of a byte are in the opposite order: value 0 belongs to the lowest bit.", _other_bit_order),
        Mistake("The magnitude is the sum of all magnitudes: return their mean.", _sum_of_magnitudes),
        Mistake(
            "The old residual was added again at the end: leave it out, because it is already part of the values.",
            _residual_added_twice,
        ),
    ),
)
