"""Answers to told_apart."""

import torch

from answers import AnswersTo

answers = AnswersTo("told_apart")


@answers.right()
def by_the_gap(low_a, high_a, low_b, high_b):
    return torch.maximum(low_a, low_b) > torch.minimum(high_a, high_b)


@answers.wrong("one side only", line="correct", says="a may also lie above b")
def a_below_b(low_a, high_a, low_b, high_b):
    return high_a < low_b


@answers.wrong("touching counts as apart", line="correct", says="have a number in common")
def apart_where_they_touch(low_a, high_a, low_b, high_b):
    return (high_a <= low_b) | (high_b <= low_a)
