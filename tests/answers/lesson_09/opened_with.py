"""Answers to opened_with."""

import torch

from answers import AnswersTo

answers = AnswersTo("opened_with")


@answers.wrong(line="correct", says="at the start is missing")
def without_the_start(start, paid):
    return paid.cumsum(0)


@answers.wrong(line="correct", says="again on every day")
def the_start_every_day(start, paid):
    return (start + paid).cumsum(0)


@answers.wrong(line="correct", says="the start itself is no day")
def the_start_as_a_row(start, paid):
    return torch.cat([start[None], paid]).cumsum(0)
