"""Answers to last_mile. One is compiled to the end; the others run as they are written."""

import torch

from answers import AnswersTo

answers = AnswersTo("last_mile")
answers.exception("nothing returned", "correct", says="Nothing was written into out")
_quickly = torch.compile(backend="eager")


@answers.right("compiled")
@torch.compile
def compiled(x, low, high, out):
    t = ((x - low) / (high - low)).clamp(0, 1)
    out.copy_(t * t * (3 - 2 * t))


@answers.right()
def in_plain_operations(x, low, high, out):
    t = ((x - low) / (high - low)).clamp(0, 1)
    torch.mul(t * t, 3 - 2 * t, out=out)


@answers.right()
@_quickly
def with_the_buffer_written_first(x, low, high, out):
    torch.sub(x, low, out=out).mul_(1 / (high - low)).clamp_(0, 1)
    out.mul_(out * (3 - 2 * out))


@answers.wrong("a tensor of its own", "correct", says="Nothing was written into out")
@_quickly
def returned(x, low, high, out):
    t = ((x - low) / (high - low)).clamp(0, 1)
    return t * t * (3 - 2 * t)


@answers.wrong("another memory under out", "correct", says="another memory")
def replaced(x, low, high, out):
    t = ((x - low) / (high - low)).clamp(0, 1)
    out.data = t * t * (3 - 2 * t)


@answers.wrong("x changed on the way", "correct", says="write into out only")
def through_x(x, low, high, out):
    x.sub_(low).div_(high - low).clamp_(0, 1)
    out.copy_(x * x * (3 - 2 * x))


@answers.wrong("the old values multiplied away", "correct", says="a buffer full of NaN")
@_quickly
def times_zero(x, low, high, out):
    t = ((x - low) / (high - low)).clamp(0, 1)
    out.mul_(0).add_(t * t * (3 - 2 * t))


@answers.wrong("a loop over rows", "unlooped", says="the number grows with the input")
def row_by_row(x, low, high, out):
    for row, place in zip(x, out):
        t = ((row - low) / (high - low)).clamp(0, 1)
        torch.mul(t * t, 3 - 2 * t, out=place)


@answers.wrong("a look at the values", "unlooped", says="Python waits for values")
@_quickly
def looking(x, low, high, out):
    t = ((x - low) / (high - low)).clamp(0, 1)
    if t.numel() and t.max().item() == 0:
        t = t * 0
    out.copy_(t * t * (3 - 2 * t))
