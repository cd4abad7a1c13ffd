"""Answers to verdict_of."""

import torch

from answers import AnswersTo

answers = AnswersTo("verdict_of")

answers.right("a difference of masks")(lambda low, high: (low > 1).long() - (high < 1).long())


@answers.right("nested where")
def two_choices(low, high):
    zero = torch.zeros(len(low), dtype=torch.int64, device=low.device)
    return torch.where(low > 1, 1, torch.where(high < 1, -1, zero))


answers.wrong("ends equal to 1 count", "correct")(lambda low, high: (low >= 1).long() - (high <= 1).long())


@answers.wrong("a loop over intervals", "unlooped")
def element_loop(low, high):
    verdicts = [int(a > 1) - int(b < 1) for a, b in zip(low, high)]
    return torch.tensor(verdicts, dtype=torch.int64, device=low.device)


@answers.right("no verdict on NaN")
def no_verdict_on_nan(low, high):
    verdicts = (low > 1).long() - (high < 1).long()
    return verdicts.masked_fill(low.isnan() | high.isnan(), 0)


answers.wrong("no verdict on an infinite lower end", "correct", says="infinite ends")(
    lambda low, high: no_verdict_on_nan(torch.where(low.isinf(), torch.nan, low), high)
)
