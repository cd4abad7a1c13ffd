"""Answers to twice_as_wide."""

import torch

from answers import AnswersTo

answers = AnswersTo("twice_as_wide")


@answers.right()
def two_slices(sums, k):
    return sums[:-k] + sums[k:]


@answers.right()
def rolled(sums, k):
    return (sums + sums.roll(-k))[:-k]


@answers.wrong(line="correct", says="k places after the first")
def neighbours(sums, k):
    return sums[:-1] + sums[1:]


@answers.wrong(line="correct", says="Each sum is doubled")
def doubled(sums, k):
    return 2 * sums[:-k]


@answers.wrong("round the end", "correct")
def round_the_end(sums, k):
    return sums + sums.roll(-k)


@answers.wrong("a loop over windows", "unlooped")
def window_by_window(sums, k):
    return torch.stack([sums[i] + sums[i + k] for i in range(len(sums) - k)])
