"""Answers to doubling_round."""

import torch

from answers import AnswersTo

answers = AnswersTo("doubling_round")


@answers.wrong(line="correct", says="fades by decay**k")
def faded_once(y, k, decay):
    return torch.cat([y[:k], y[k:] + decay * y[:-k]])


@answers.wrong(line="correct", says="stay as they are")
def without_the_first_rows(y, k, decay):
    return y[k:] + decay**k * y[:-k]


@answers.wrong("changed in place, which reads what is new already", "correct")
def row_after_row(y, k, decay):
    y = y.clone()
    for t in range(k, len(y)):
        y[t] += decay**k * y[t - k]
    return y


@answers.wrong(line="correct", says="the first k rows get the last ones")
def rolled(y, k, decay):
    return y + decay**k * y.roll(k, 0)
