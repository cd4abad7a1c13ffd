"""Answers to told_apart."""

import torch

from answers import AnswersTo

answers = AnswersTo("told_apart")


@answers.right()
def by_the_gap(low_a, high_a, low_b, high_b):
    return torch.maximum(low_a, low_b) > torch.minimum(high_a, high_b)


@answers.wrong("a gap of at least 0.001", "correct", says="tiny gap")
def by_a_tolerance(low_a, high_a, low_b, high_b):
    return (low_b - high_a > 1e-3) | (low_a - high_b > 1e-3)


@answers.right()
def by_each_end(low_a, high_a, low_b, high_b):
    ends_of_a = [(low_b <= end) & (end <= high_b) for end in (low_a, high_a)]
    ends_of_b = [(low_a <= end) & (end <= high_a) for end in (low_b, high_b)]
    return ~(ends_of_a[0] | ends_of_a[1] | ends_of_b[0] | ends_of_b[1])
