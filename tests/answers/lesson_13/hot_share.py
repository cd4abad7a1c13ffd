"""Answers to hot_share."""

import torch

from answers import AnswersTo

answers = AnswersTo("hot_share")


@answers.right("the sum over the length")
def by_sum(readings, limit):
    return (readings > limit).sum().to(readings.dtype) / len(readings)


@answers.wrong("through a mask", "unlooped", says="mask")
def through_a_mask(readings, limit):
    return readings.new_ones(()) * len(readings[readings > limit]) / len(readings)


@answers.wrong("asked for the number", "correct", says="expected a torch tensor")
def asked(readings, limit):
    return (readings > limit).sum().item() / len(readings)


@answers.wrong("those at the limit too", "correct", says="a reading exactly at the limit")
def at_the_limit_too(readings, limit):
    return (readings >= limit).to(readings.dtype).mean()


@answers.wrong("a count in int16", "correct", says="readings that are all hot")
def in_int16(readings, limit):
    return (readings > limit).sum(dtype=torch.int16) / len(readings)
