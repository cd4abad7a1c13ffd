"""Answers to clip_into."""

import torch

from answers import AnswersTo

answers = AnswersTo("clip_into")
answers.exception("nothing returned", "correct", says="Nothing was written into out")

answers.right("three passes")(lambda x, low, high, out: torch.sub(x, low, out=out).div_(high - low).clamp_(0, 1))


@answers.right("clamped first")
def clamped_first(x, low, high, out):
    torch.clamp(x, low, high, out=out)
    out.sub_(low)
    out.div_(high - low)


@answers.right("copied, then in place")
def copied(x, low, high, out):
    out.copy_(x).sub_(low).mul_(1 / (high - low)).clamp_(0, 1)


@answers.right()
def in_blocks(x, low, high, out):
    for rows, place in zip(x.chunk(8), out.chunk(8)):
        torch.sub(rows, low, out=place).div_(high - low).clamp_(0, 1)


@answers.right("two passes, the offset in the buffer's last row")
def with_an_offset_in_the_buffer(x, low, high, out):
    slope = 1 / (high - low)
    if x.numel():
        offset = out[-1, -1].fill_(-low * slope)
        torch.add(offset, x[:-1], alpha=slope, out=out[:-1]).clamp_(0, 1)
    torch.sub(x[-1:], low, out=out[-1:]).mul_(slope).clamp_(0, 1)


@answers.wrong("returns a new tensor", "correct", says="Nothing was written into out")
def returned(x, low, high, out):
    return ((x - low) / (high - low)).clamp(0, 1)


@answers.wrong("out.data replaced", "correct", says="another memory")
def replace_the_memory(x, low, high, out):
    out.data = ((x - low) / (high - low)).clamp(0, 1)


@answers.wrong("x changed in place", "correct", says="write into out only")
def through_x(x, low, high, out):
    out.copy_(x.sub_(low).div_(high - low).clamp_(0, 1))


@answers.wrong("old values multiplied by 0", "correct", says="a buffer full of NaN")
def times_zero(x, low, high, out):
    out.mul_(0).add_(x).sub_(low).div_(high - low).clamp_(0, 1)


@answers.wrong("the buffer viewed as one row", "correct")
def as_one_row(x, low, high, out):
    torch.sub(x.reshape(-1), low, out=out.view(-1)).div_(high - low).clamp_(0, 1)


@answers.wrong("a new tensor, then copied", "unlooped", says="none are allowed")
def new_tensor(x, low, high, out):
    out.copy_(((x - low) / (high - low)).clamp(0, 1))


@answers.wrong("masks", "unlooped", says="even a comparison, allocates")
def by_masks(x, low, high, out):
    torch.sub(x, low, out=out).div_(high - low)
    out.masked_fill_(x < low, 0).masked_fill_(x > high, 1)


@answers.wrong("a loop over rows", "unlooped", says="the number grows with the input")
def row_by_row(x, low, high, out):
    for rows, place in zip(x, out):
        torch.sub(rows, low, out=place).div_(high - low).clamp_(0, 1)


@answers.wrong("at most 4,096 columns", "correct", says="5,000 columns")
def of_4096_columns(x, low, high, out):
    torch.sub(x[:, :4096], low, out=out[:, :4096]).div_(high - low).clamp_(0, 1)
