"""Answers to chunk_weights."""

from functools import cache

import torch

from answers import AnswersTo

answers = AnswersTo("chunk_weights")


def _ages(width):
    t = torch.arange(width)
    return t[:, None] - t


answers.right("tril")(lambda decay, width: (decay ** _ages(width)).tril())
answers.right("where")(lambda decay, width: torch.where(_ages(width) < 0, 0.0, decay ** _ages(width)))


@answers.wrong("a mask times infinity", "correct", says="infinity times 0 is NaN")
def masked(decay, width):
    return decay ** _ages(width) * (_ages(width) >= 0)


@answers.wrong("quotients of powers", "correct")
def quotients(decay, width):
    powers = decay ** torch.arange(width)
    return (powers[:, None] / powers).tril()


@answers.wrong("the logarithm of 0", "correct", says="a decay of 0")
def by_logarithm(decay, width):
    return torch.exp(_ages(width) * torch.log(torch.tensor(decay))).tril()


@answers.wrong("the absolute value of a negative decay", "correct", says="a negative decay")
def of_absolute_value(decay, width):
    return (abs(decay) ** _ages(width)).tril()


@answers.wrong("a decay clamped to 1", "correct", says="a decay above 1")
def without_growth(decay, width):
    return (min(decay, 1.0) ** _ages(width)).tril()


@answers.wrong("ages up to 90 only", "correct", says="a decay near 1")
def in_a_band(decay, width):
    return (decay ** _ages(width)).tril().triu(-90)


@answers.wrong("ages in uint8", "correct", says="a decay near 1")
def in_eight_bits(decay, width):
    t = torch.arange(width).to(torch.uint8)
    return (decay ** (t[:, None] - t).float()).tril()


@answers.wrong("a cached tensor for equal arguments", "correct", says="with equal arguments return the same memory")
@cache
def cached(decay, width):
    return (decay ** _ages(width)).tril()


@answers.wrong("a loop over Python numbers", "fast", says="as fast as the slow loop")
def python_numbers(decay, width):
    return torch.tensor([[decay ** (t - s) if s <= t else 0.0 for s in range(width)] for t in range(width)])
