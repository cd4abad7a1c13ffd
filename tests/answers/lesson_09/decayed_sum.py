"""Answers to decayed_sum."""

import math

import torch
import torch.nn.functional as F

from answers import AnswersTo
from answers.lesson_09.shared import by_rounds, for_each_column, in_pairs, loop_and_stack

answers = AnswersTo("decayed_sum")


def _decayed_by_matrix(x, decay):
    t = torch.arange(len(x), device=x.device)
    ages = t[:, None] - t
    weights = torch.where(ages >= 0, decay ** ages.clamp(min=0).to(x.dtype), 0)
    return torch.tensordot(weights, x, dims=1)


@answers.right("doubling")
def decayed_by_doubling(x, decay, rounds=64):
    return by_rounds(x, lambda later, earlier, k: later + decay**k * earlier, rounds)


answers.wrong("twelve rounds of doubling, enough for 4,096 steps", "correct", says="16,385 steps")(
    lambda x, decay: decayed_by_doubling(x, decay, 12)
)


@answers.right("a scan in pairs")
def decayed_in_pairs(x, decay):
    def combine(first, then):
        (a, b), (c, d) = first, then
        return [c * a, c * b + d]

    factors = torch.full((len(x), *[1] * (x.dim() - 1)), decay, dtype=x.dtype, device=x.device)
    return in_pairs(combine, [factors, x])[1]


@answers.right("doubling with roll")
def decayed_by_rolling(x, decay):
    y, k = x.clone(), 1
    while k < len(x):
        earlier = y.roll(k, 0)
        earlier[:k] = 0
        y, k = y + decay**k * earlier, 2 * k
    return y


@answers.right("halving")
def decayed_by_halving(x, decay):
    if len(x) < 2:
        return x.clone()
    y = torch.empty_like(x)
    y[0] = x[0]
    y[1::2] = decayed_by_halving(x[: len(x) // 2 * 2 : 2] * decay + x[1::2], decay**2)
    y[2::2] = x[2::2] + decay * y[1:-1:2]
    return y


answers.right("float64 inside")(lambda x, decay: decayed_by_doubling(x.double(), decay).to(x.dtype))


@answers.right("chunks")
def decayed_in_chunks(x, decay, width=64):
    flat = x.reshape(len(x), math.prod(x.shape[1:]))
    rest = flat.new_zeros(-len(x) % width, flat.shape[1])  # torch 2.7 can't pad a tensor without columns.
    blocks = torch.cat([flat, rest]).unflatten(0, (-1, width))
    ages = torch.arange(width, device=x.device)
    ages = ages[:, None] - ages
    weights = torch.where(ages >= 0, decay ** ages.clamp(min=0).to(x.dtype), 0)
    inside = weights @ blocks
    if not len(x):
        return torch.empty_like(x)
    ends = decayed_by_doubling(inside[:, -1], decay**width)
    fade = decay ** torch.arange(1, width + 1, dtype=x.dtype, device=x.device)
    inside[1:] += fade[:, None] * ends[:-1, None]
    return inside.flatten(0, 1)[: len(x)].reshape(x.shape)


@answers.right("an FIR filter")
def decayed_by_filter(x, decay, length=None):
    if x.numel() == 0:
        return torch.empty_like(x)
    needed = len(x) if decay == 1 else 1 if decay == 0 else math.ceil(math.log(1e-17) / math.log(decay))
    length = length or min(len(x), needed)
    weights = decay ** torch.arange(length - 1, -1, -1, dtype=x.dtype, device=x.device)
    series = x.reshape(len(x), -1).T[:, None]
    return F.conv1d(F.pad(series, (length - 1, 0)), weights[None, None])[:, 0].T.reshape(x.shape)


answers.wrong("a decay in float32", "correct")(lambda x, decay: decayed_by_doubling(x, torch.tensor(decay)))
answers.wrong("a loop over columns", "unlooped")(lambda x, decay: for_each_column(decayed_by_doubling, x, decay))
answers.wrong("list + stack", "unlooped")(lambda x, decay: loop_and_stack(x, lambda state, row: decay * state + row))


@answers.wrong("a matrix of rows × rows", "unlooped", says="bytes")
def a_matrix_of_rows_by_rows(x, decay):
    # For more rows, the check would stop the matrix because it takes too long.
    return _decayed_by_matrix(x, decay) if len(x) < 2000 else decayed_by_doubling(x, decay)


@answers.wrong(line="correct", says="0.5 over 2,000")
def division_by_powers_in_float64(x, decay):
    t = torch.arange(len(x), dtype=torch.float64, device=x.device).view(-1, *[1] * (x.dim() - 1))
    return (decay**t * torch.cumsum(x / decay**t, 0)).to(x.dtype) if decay else x.clone()


answers.wrong("an FIR filter of 100 rows", "correct")(lambda x, d: decayed_by_filter(x, d, 100))


@answers.wrong("a float32 spectrum", "correct")
def decayed_by_spectrum(x, decay):
    n = len(x)
    powers = (decay ** torch.arange(n, dtype=torch.float32, device=x.device)).view(-1, *[1] * (x.dim() - 1))
    spectrum = torch.fft.rfft(x.float(), 2 * n, dim=0) * torch.fft.rfft(powers, 2 * n, dim=0)
    return torch.fft.irfft(spectrum, 2 * n, dim=0)[:n].to(x.dtype)


answers.wrong("wrong for decay 0", "correct", says="decay 0")(lambda x, d: decayed_by_doubling(x, max(d, 0.01)))


@answers.wrong("a decay rounded to four digits", "correct", says="decay 0.9999871")
def four_digits(x, decay):
    return decayed_by_doubling(x, round(decay, 4))


answers.wrong("fourteen rounds of doubling, enough for 16,384 steps", "correct", says="16,385 steps")(
    lambda x, decay: decayed_by_doubling(x, decay, 14)
)
answers.wrong("a tiny decay replaced by 0", "correct", says="decay 1e-10")(
    lambda x, decay: x.clone() if decay < 1e-9 else decayed_by_doubling(x, decay)
)


@answers.wrong("a matrix in place of no rows", "correct", says="no rows, in three dimensions")
def matrix_without_rows(x, decay):
    return x.new_empty(len(x), x.shape[-1]) if not x.numel() else decayed_by_doubling(x, decay)
