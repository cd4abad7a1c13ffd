"""Answers to halve_into."""

import torch

from answers import AnswersTo

answers = AnswersTo("halve_into")


@answers.right("copied, then divided in place")
def copied(x, out):
    for k, place in enumerate(out, start=1):
        place.copy_(x).div_(2**k)


@answers.wrong("a new tensor per step", "unlooped", says="none are allowed")
def new_tensor_per_step(x, out):
    for k in range(len(out)):
        x = x / 2
        out[k] = x


@answers.wrong("x halved in place", "correct", says="write into out only")
def through_x(x, out):
    for k in range(len(out)):
        out[k] = x.div_(2)


@answers.wrong("at most 16 states", "correct", says="60 states")
def at_most_16(x, out):
    for k, place in enumerate(out[:16], start=1):
        place.copy_(x).div_(2**k)


@answers.wrong("the old content of the buffer times 0", "correct", says="a buffer full of NaN")
def added_to_zeros(x, out):
    out.mul_(0).add_(x)
    for k in range(len(out)):
        out[k:].div_(2)


@answers.wrong("at most 4,096 values", "correct", says="For 5,000 values")
def of_4096_values(x, out):
    for k in range(len(out)):
        torch.div(x[:4096], 2 ** (k + 1), out=out[k, :4096])
