"""Answers to moving_average."""

import torch
import torch.nn.functional as F

from answers import AnswersTo

answers = AnswersTo("moving_average")


@answers.right()
def by_doubling(x, width):
    def sums_of(width):
        if width == 1:
            return x
        half = sums_of(width // 2)
        sums = half[: -(width // 2)] + half[width // 2 :]
        return sums if width % 2 == 0 else sums[:-1] + x[width - 1 :]

    return sums_of(width) / width


@answers.right("running sums in float64")
def running_sums_in_float64(x, width):
    sums = F.pad(x.cumsum(0, dtype=torch.float64), (0, 0, 1, 0))
    return ((sums[width:] - sums[:-width]) / width).to(x.dtype)


@answers.right("running sums within blocks, from both ends")
def by_blocks(x, width):
    count = len(x) - width + 1
    blocks = F.pad(x, (0, 0, 0, -len(x) % width)).unflatten(0, (-1, width))
    up_to, onward = blocks.cumsum(1).flatten(0, 1), blocks.flip(1).cumsum(1).flip(1).flatten(0, 1)
    in_two_blocks = (torch.arange(count, device=x.device) % width != 0)[:, None]
    return (onward[:count] + torch.where(in_two_blocks, up_to[width - 1 :][:count], 0)) / width


answers.wrong("unfold", "fast")(lambda x, width: x.unfold(0, width, 1).mean(2))


@answers.wrong("float32 sums of distances from the mean", "correct", says="then 2,000 low ones")
def sums_of_distances(x, width):
    mean = x.mean(0, keepdim=True)
    sums = F.pad((x - mean).cumsum(0), (0, 0, 1, 0))
    return (sums[width:] - sums[:-width]) / width + mean


@answers.wrong("zero padding at the end", "correct", says="shape")
def padded(x, width):
    return F.pad(x, (0, 0, 0, width - 1)).unfold(0, width, 1).mean(2)


@answers.wrong("a loop over windows", "unlooped", says="grows with the input")
def window_by_window(x, width):
    return torch.stack([x[i : i + width].mean(0) for i in range(len(x) - width + 1)])


@answers.wrong("a loop over the positions in a window", "unlooped", says="grows with the input")
def position_by_position(x, width):
    count = len(x) - width + 1
    total = x[:count].clone()
    for k in range(1, width):
        total += x[k : k + count]
    return total / width


@answers.wrong("a loop over the columns", "unlooped", says="grows with the input")
def column_by_column(x, width):
    means = []
    for column in x.double().T:
        changes = (column[width:] - column[:-width]).cumsum(0)
        first = column[:width].sum(0, keepdim=True)
        means.append(torch.cat([first, first + changes]) / width)
    return torch.stack(means, 1).to(x.dtype)


@answers.wrong("float64 sums only for narrow windows", "correct", says="in wide windows")
def float64_for_narrow_windows(x, width):
    return running_sums_in_float64(x, width) if width < 100 else sums_of_distances(x, width)


answers.wrong("large float64 inputs converted to float32", "correct", says="in float64")(
    lambda x, width: by_doubling(x.float() if len(x) > 4096 else x, width).to(x.dtype)
)
