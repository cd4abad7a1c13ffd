"""Answers to lost_gradients."""

import torch

from answers import AnswersTo

answers = AnswersTo("lost_gradients")


@answers.right("compared with the two limits of float16")
def by_limits(gradients, scale):
    size = (gradients * scale).abs()
    return ((gradients != 0) & ((size <= 2**-25) | (size >= 65520))).sum()


@answers.right("the nonzero gradients minus the kept ones")
def by_difference(gradients, scale):
    stored = (gradients * scale).half()
    return gradients.count_nonzero() - ((stored != 0) & ~stored.isinf()).sum()


@answers.wrong("the smallest normal number as the limit", "correct")
def by_the_smallest_normal(gradients, scale):
    size = (gradients * scale).abs()
    return ((gradients != 0) & ((size < torch.finfo(torch.float16).tiny) | (size > 65504))).sum()


@answers.wrong("the largest number as the limit", "correct", says="around the largest float16 number")
def by_the_largest(gradients, scale):
    stored = (gradients * scale).half()
    return ((gradients != 0) & ((stored == 0) | ((gradients * scale).abs() > 65504))).sum()


@answers.wrong("scaled in float16", "correct")
def scaled_after_the_conversion(gradients, scale):
    stored = gradients.half() * scale
    return ((gradients != 0) & ((stored == 0) | stored.isinf())).sum()


@answers.wrong("a loop", "unlooped")
def one_by_one(gradients, scale):
    stored = (gradients * scale).half()
    return sum(((g != 0) & ((s == 0) | s.isinf()) for g, s in zip(gradients, stored, strict=True)), torch.tensor(0))


@answers.wrong("an int16 count", "correct", says="33,000 gradients")
def counted_in_int16(gradients, scale):
    stored = (gradients * scale).half()
    return ((gradients != 0) & ((stored == 0) | stored.isinf())).sum(dtype=torch.int16).long()


answers.wrong("a scale of at least 1", "correct", says="a scale below 1")(
    lambda gradients, scale: by_limits(gradients, max(scale, 1.0))
)
