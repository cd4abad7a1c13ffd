"""Answers to shrink."""

import torch

from answers import AnswersTo

answers = AnswersTo("shrink")


@answers.right()
@torch.compile
def by_where(x, limit):
    return torch.where(x > limit, x - limit, torch.where(x < -limit, x + limit, 0.0))


@answers.right("softshrink")
def one_operation(x, limit):
    return torch.nn.functional.softshrink(x, limit)


@answers.wrong(line="unlooped", says="nothing is compiled")
def not_compiled(x, limit):
    return torch.sign(x) * (x.abs() - limit).clamp(min=0)


@answers.wrong(line="unlooped", says="into 2 graphs")
@torch.compile
def branch_on_the_maximum(x, limit):
    if len(x) and x.abs().max().item() < limit:
        return torch.zeros_like(x)
    return torch.sign(x) * (x.abs() - limit).clamp(min=0)


@answers.wrong("computed in float32", "correct", says="float64 values")
@torch.compile(backend="eager")
def in_float32(x, limit):
    values = x.float()
    return (values - values.clamp(-limit, limit)).to(x.dtype)
