"""Answers to quantize_rows."""

import torch

from answers import AnswersTo

answers = AnswersTo("quantize_rows")
answers.exception("nothing returned", "correct", says="expected a tuple")


def _nonzero(scales):
    return torch.where(scales > 0, scales, 1)[:, None]


@answers.right("divided by the scale")
def divided(x):
    scales = x.abs().amax(1) / 127
    return (x / _nonzero(scales)).round().to(torch.int8), scales


@answers.right("multiplied by the inverse, and clamped")
def multiplied(x):
    largest = torch.maximum(x.amax(1), -x.amin(1))
    inverse = 127 / _nonzero(largest)
    return (x * inverse).round().clamp(-127, 127).to(torch.int8), largest / 127


@answers.right("the largest magnitude as a norm")
def by_norm(x):
    scales = torch.linalg.vector_norm(x, torch.inf, dim=1) / 127
    return torch.round(x / _nonzero(scales)).char(), scales


@answers.right("NaN replaced by 0")
def without_nan(x):
    scales = x.abs().amax(1) / 127
    return (x / scales[:, None]).nan_to_num(0.0).round().to(torch.int8), scales


@answers.wrong("uint8 with an offset", "correct", says="dtype uint8")
def with_an_offset(x):
    values, scales = divided(x)
    return (values.short() + 128).to(torch.uint8), scales


@answers.wrong("scales as a column", "correct", says="shape")
def scales_as_a_column(x):
    values, scales = divided(x)
    return values, scales[:, None]


@answers.wrong("rounded down", "correct")
def rounded_down(x):
    scales = x.abs().amax(1) / 127
    return (x / _nonzero(scales)).floor().to(torch.int8), scales


@answers.wrong("a scale per column", "correct")
def of_columns(x):
    values, scales = divided(x.T) if len(x) else divided(x)
    return (values.T if len(x) else values), scales


@answers.wrong("a scale clamped to 1e-30", "correct", says="a row of zeros")
def never_zero(x):
    scales = (x.abs().amax(1) / 127).clamp(min=1e-30)
    return (x / scales[:, None]).round().to(torch.int8), scales


@answers.wrong("scales below 1e-37 replaced by 0", "correct", says="very small")
def without_small_scales(x):
    values, scales = divided(x)
    return values, torch.where(scales < 1e-37, 0, scales)


@answers.wrong("values without scales", "correct")
def values_alone(x):
    return divided(x)[0]


@answers.wrong("a loop over the rows", "unlooped", says="a loop still runs over it")
def row_by_row(x):
    if not len(x):
        return divided(x)
    values, scales = zip(*(divided(row[None]) for row in x))
    return torch.cat(values), torch.cat(scales)


@answers.wrong("boolean indexing of nonzero rows", "unlooped", says="waits for values")
def by_boolean_indexing(x):
    values, scales = torch.zeros(x.shape, dtype=torch.int8, device=x.device), x.abs().amax(1) / 127
    filled = scales > 0
    values[filled] = (x[filled] / scales[filled, None]).round().to(torch.int8)
    return values, scales


@answers.wrong("products with 127, which can be infinite", "correct", says="beyond float32")
def multiplied_first(x):
    largest = x.abs().amax(1)
    return (x.double() * 127 / _nonzero(largest)).round().to(torch.int8), largest / 127
