"""Answers to upright."""

import torch

from answers import AnswersTo

answers = AnswersTo("upright")


@answers.right()
@torch.compile(fullgraph=True)
def by_a_factor(x):
    return x * (1 - 2 * (x.sum() < 0).to(x.dtype))


@answers.wrong(line="unlooped", says="into 2 graphs")
@torch.compile
def branch_on_the_sum(x):
    if x.sum() < 0:
        return -x
    return x.clone()


@answers.wrong(line="unlooped", says="a graph ends at line")
@torch.compile(fullgraph=True)
def refused_by_the_compiler(x):
    if x.sum() < 0:
        return -x
    return x.clone()


@answers.wrong("infinity replaced by a finite value", "correct", says="an infinite value")
@torch.compile(fullgraph=True)
def always_finite(x):
    return torch.nan_to_num(torch.where(x.sum() < 0, -x, x))


@answers.wrong("a threshold of -1e-6", "correct", says="a tiny sum")
@torch.compile(backend="eager")
def small_sums_not_negative(x):
    return torch.where(x.sum() < -1e-6, -x, x)


@answers.wrong("a sum that is NaN counts as negative", "correct", says="a sum that is NaN")
@torch.compile(backend="eager")
def nan_flips(x):
    return torch.where(x.sum() >= 0, x, -x)


@answers.wrong("a float32 sum", "correct", says="a float64 sum")
@torch.compile(backend="eager")
def sum_in_float32(x):
    return torch.where(x.float().sum() < 0, -x, x)


@answers.wrong("the last running sum", "correct", says="no values")
@torch.compile(backend="eager")
def last_running_sum(x):
    return torch.where(x.cumsum(0)[-1] < 0, -x, x)


@answers.wrong("the sum of the first 4,096 values", "correct", says="5,000 values")
@torch.compile(backend="eager")
def by_the_first_values(x):
    return torch.where(x[:4096].sum() < 0, -x, x)
