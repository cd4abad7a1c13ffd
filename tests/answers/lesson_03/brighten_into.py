"""Answers to brighten_into."""

import numpy as np
import torch

from answers import AnswersTo

answers = AnswersTo("brighten_into")


@answers.right()
def the_product_into_the_buffer(pixels, gain, offset, out):
    return torch.mul(pixels, gain, out=out).add_(offset)


@answers.right()
def copied_first(pixels, gain, offset, out):
    out.copy_(pixels).mul_(gain).add_(offset)


@answers.wrong("returns a new tensor", "correct", says="Nothing was written into out")
def returned(pixels, gain, offset, out):
    return pixels * gain + offset


@answers.wrong("a newly allocated product", "unlooped", says="none are allowed")
def added_into_the_buffer(pixels, gain, offset, out):
    torch.add(pixels * gain, offset, out=out)


@answers.wrong(line="correct", says="write into out only")
def through_the_pixels(pixels, gain, offset, out):
    out.copy_(pixels.mul_(gain).add_(offset))


@answers.right()
def by_assignments(pixels, gain, offset, out):
    out[...] = pixels
    out[...] *= gain
    out[...] += offset


@answers.wrong("contiguous pixels only", "correct", says="transposed")
def on_flat_views(pixels, gain, offset, out):
    torch.mul(pixels.view(-1), gain, out=out.view(-1)).add_(offset)


@answers.wrong("the offset divided by the gain", "correct", says="a gain of 0")
def by_a_quotient(pixels, gain, offset, out):
    torch.add(pixels, offset / gain, out=out).mul_(gain)


@answers.wrong("the absolute value of the gain", "correct", says="a negative integer gain")
def by_an_absolute_gain(pixels, gain, offset, out):
    torch.mul(pixels, abs(gain), out=out).add_(offset)


@answers.wrong("a flat copy of the buffer if it is transposed", "correct", says="transposed buffer")
def flat_copy(pixels, gain, offset, out):
    flat = out.reshape(-1)
    torch.mul(pixels.reshape(-1), gain, out=flat).add_(offset)


@answers.wrong("a float32 gain", "correct", says="float64 values")
def float32_gain(pixels, gain, offset, out):
    torch.mul(pixels, float(np.float32(gain)), out=out).add_(offset)


@answers.wrong("a copy if the offset is 0", "correct", says="an offset of 0")
def copied_without_an_offset(pixels, gain, offset, out):
    out.copy_(pixels) if offset == 0 else torch.mul(pixels, gain, out=out).add_(offset)
