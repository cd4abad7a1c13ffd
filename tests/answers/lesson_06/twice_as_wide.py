"""Answers to twice_as_wide."""

from itertools import pairwise

import torch

from answers import AnswersTo

answers = AnswersTo("twice_as_wide")

answers.right("two slices")(lambda sums, k: sums[:-k] + sums[k:])
answers.right("roll")(lambda sums, k: (sums + sums.roll(-k))[:-k])
answers.wrong("roll without cutting the end", "correct")(lambda sums, k: sums + sums.roll(-k))


@answers.wrong("a loop over windows", "unlooped")
def window_by_window(sums, k):
    return torch.stack([sums[i] + sums[i + k] for i in range(len(sums) - k)])


@answers.wrong("a product with a 0/1 matrix", "correct", says="infinity and NaN")
def by_a_matrix(sums, k):
    positions = torch.arange(len(sums), device=sums.device)
    distance = positions - positions[: len(sums) - k, None]
    return ((distance == 0) | (distance == k)).to(sums.dtype) @ sums


@answers.wrong("a loop over blocks", "unlooped", says="grows with the input")
def blocks_of_sums(sums, k):
    starts, result = sums[: len(sums) - k].split(8), sums[k:].split(8)
    return torch.cat([first + second for first, second in zip(starts, result)])


@answers.wrong("a loop over blocks of k sums", "unlooped", says="grows with the input")
def block_by_block(sums, k):
    blocks = sums.split(k)
    return torch.cat([first[: len(second)] + second for first, second in pairwise(blocks)])


@answers.wrong("a loop over k offsets", "unlooped", says="grows with the input")
def offset_by_offset(sums, k):
    result = torch.empty_like(sums[k:])
    for start in range(k):
        values = sums[start::k]
        result[start::k] = values[:-1] + values[1:]
    return result


@answers.wrong("a sum that makes int64 of int32", "correct", says="sums of int32")
def stacked_and_summed(sums, k):
    return torch.stack([sums[: len(sums) - k], sums[k:]]).sum(0)


answers.wrong("integers added as float32", "correct", says="sums of int32")(
    lambda sums, k: sums[:-k] + sums[k:] if sums.is_floating_point() else (sums[:-k].float() + sums[k:]).to(sums.dtype)
)
