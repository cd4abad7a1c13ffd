"""Answers to half_logsumexp."""

import torch

from answers import AnswersTo

answers = AnswersTo("half_logsumexp")
answers.without("rounded to float32 inside")  # The inputs are no wider.


@answers.right("logsumexp in float32")
def in_float32(x):
    return torch.logsumexp(x.float(), dim=1).to(x.dtype)


@answers.right("logsumexp in float64")
def in_float64(x):
    return x.double().logsumexp(1).to(x.dtype)


@answers.right("shifted by a finite maximum")
def shifted(x):
    wide = x.float()
    largest = wide.amax(1, keepdim=True)
    shift = torch.where(largest.isfinite(), largest, 0)
    return ((wide - shift).exp().sum(1).log() + shift[:, 0]).to(x.dtype)


@answers.right("the last value of a running logsumexp")
def by_running(x):
    return x.double().logcumsumexp(1)[:, -1].to(x.dtype)


@answers.wrong("shifted in float16", "correct")
def shifted_in_half(x):
    largest = x.amax(1, keepdim=True)
    shift = torch.where(largest.isfinite(), largest, 0)
    return (x - shift).exp().sum(1).log() + shift[:, 0]


@answers.wrong("minus infinity replaced by -60000", "correct", says="masked completely")
def lowest_instead(x):
    return torch.logsumexp(x.float().clamp(min=-60000), 1).to(x.dtype)


@answers.wrong("rounded before the maximum is added", "correct", says="near 0")
def rounded_twice(x):
    wide = x.float()
    largest = wide.amax(1, keepdim=True)
    shift = torch.where(largest.isfinite(), largest, 0)
    return (wide - shift).exp().sum(1).log().to(x.dtype) + shift[:, 0].to(x.dtype)


@answers.wrong("differences in float16", "correct", says="2⁻⁸")
def differences_in_half(x):
    largest = x.amax(1, keepdim=True)
    shift = torch.where(largest.isfinite(), largest, 0)
    return ((x - shift).float().exp().sum(1).log() + shift[:, 0]).to(x.dtype)


@answers.wrong("a loop over the rows", "unlooped", says="a loop still runs over it")
def row_by_row_in_each_dtype(x):
    return torch.stack([row.float().logsumexp(0).to(x.dtype) for row in x]) if len(x) else x.new_empty(0)


@answers.wrong("a loop over rows in bfloat16", "unlooped", says="bfloat16")
def row_by_row(x):
    if x.dtype == torch.float16 or not len(x):
        return in_float32(x)
    return torch.stack([row.float().logsumexp(0).to(x.dtype) for row in x])


@answers.wrong("a branch on the maximum", "unlooped", says="waits for values")
def with_a_branch(x):
    wide = x.float()
    if x.numel() and wide.max() > 1e30:
        wide = wide.clone()
    return torch.logsumexp(wide, 1).to(x.dtype)


@answers.wrong("bfloat16 through float16", "correct", says="no float16 can represent")
def through_float16(x):
    return torch.logsumexp(x.half().float(), 1).to(x.dtype)


@answers.wrong("exponentials in half precision", "correct", says="An intermediate result is rounded")
def exponentials_in_half(x):
    largest = x.amax(1, keepdim=True)
    shift = torch.where(largest.isfinite(), largest, 0)
    return ((x - shift).exp().float().sum(1).log() + shift[:, 0].float()).to(x.dtype)


@answers.wrong("the maximum of scores whose exponentials overflow or underflow", "correct", says="64 equal scores")
def maximum_of_extreme_scores(x):
    wide = x.double()
    largest = wide.amax(1)
    return torch.where(largest.abs() < 700, wide.exp().sum(1).log(), largest).to(x.dtype)


def _differences(x):
    wide = x.double()
    largest = wide.amax(1)
    shift = torch.where(largest.isfinite(), largest, 0.0)
    return largest, shift, wide - shift[:, None]


@answers.wrong("differences clamped at -10", "correct", says="3,000 masked ones")
def with_clamped_differences(x):
    largest, shift, differences = _differences(x)
    result = shift + differences.clamp(min=-10).exp().sum(1).log()
    return torch.where(largest.isfinite(), result, largest).to(x.dtype)


@answers.wrong("a first-order logarithm", "correct", says="rows of two scores with results near 0")
def to_first_order(x):
    largest, shift, differences = _differences(x)
    others = differences.exp().sum(1) - 1
    result = shift + torch.where(others < 0.05, others, torch.log1p(others))
    return torch.where(largest.isfinite(), result, largest).to(x.dtype)


@answers.wrong("1e-6 added in the logarithm", "correct", says="a result of 0")
def millionth_added(x):
    wide = x.float()
    largest = wide.amax(1)
    shift = torch.where(largest.isfinite(), largest, 0)
    result = ((wide - shift[:, None]).exp().sum(1) + 1e-6).log() + shift
    return torch.where(largest.isfinite(), result, largest).to(x.dtype)


@answers.wrong("1e-8 added in the logarithm", "correct", says="one tiny bfloat16 score")
def hundred_millionth_added(x):
    largest, shift, differences = _differences(x)
    result = shift + (differences.exp().sum(1) + 1e-8).log()
    return torch.where(largest.isfinite(), result, largest).to(x.dtype)
