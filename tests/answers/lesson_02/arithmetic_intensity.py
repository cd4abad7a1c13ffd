"""Answers to arithmetic_intensity."""

import torch

from answers import AnswersTo

answers = AnswersTo("arithmetic_intensity")


@answers.right()
def on_whole_tensors(m, n, k, itemsize):
    return 2 * m * n * k / (itemsize * (m * k + k * n + m * n))


answers.right("by reciprocals")(lambda m, n, k, itemsize: 2 / itemsize / (1 / m + 1 / n + 1 / k))


@answers.right("flops and bytes computed separately")
def computed_separately(m, n, k, itemsize):
    flops = torch.stack([m, n, k]).prod(0).mul(2)
    moved = itemsize * torch.stack([m * k, k * n, m * n]).sum(0)
    return flops / moved


@answers.right("no sum below 1")
def clamped(m, n, k, itemsize):
    return 2 * m * n * k / (itemsize * (m * k + k * n + m * n)).clamp(min=1)


@answers.wrong("integers that overflow", line="correct", says="very large")
def overflowing(m, n, k, itemsize):
    m, n, k = m.long(), n.long(), k.long()
    return (2 * m * n * k).double() / (itemsize * (m * k + k * n + m * n))


answers.wrong("four bytes per element", "correct")(
    lambda m, n, k, itemsize: 2 * m * n * k / (4 * (m * k + k * n + m * n))
)


@answers.wrong("a loop over slices of one element", line="unlooped", says="the number grows with the input")
def one_after_the_other(m, n, k, itemsize):
    return torch.cat(
        [on_whole_tensors(*each) for each in zip(*(column.split(1) for column in (m, n, k, itemsize)))] or [m]
    )


@answers.wrong("values read into Python", line="unlooped")
def in_python(m, n, k, itemsize):
    table = zip(m.tolist(), n.tolist(), k.tolist(), itemsize.tolist())
    return torch.tensor(
        [2 * a * b * c / (d * (a * c + c * b + a * b)) for a, b, c, d in table], dtype=m.dtype, device=m.device
    )


@answers.wrong("a difference of squares, which cancels", line="correct", says="dot products")
def by_squares(m, n, k, itemsize):
    sides = torch.stack([m, n, k])
    values = (sides.sum(0).square() - sides.square().sum(0)) / 2
    return 2 * sides.prod(0) / (itemsize * values)


answers.wrong("at most 8 bytes", "correct", says="1 to 16 bytes")(
    lambda m, n, k, itemsize: on_whole_tensors(m, n, k, itemsize.clamp(max=8))
)
