"""Answers to doubling_round."""

import torch

from answers import AnswersTo

answers = AnswersTo("doubling_round")


@answers.wrong("in place, so that it reads changed rows", "correct", says="changed already")
def row_after_row(y, k, decay):
    y = y.clone()
    for t in range(k, len(y)):
        y[t] += decay**k * y[t - k]
    return y


@answers.wrong("a loop over Python numbers", "unlooped", says=".tolist()")
def in_python(y, k, decay):
    rows = y.tolist()
    new = [[a + decay**k * b for a, b in zip(row, rows[t - k])] if t >= k else row for t, row in enumerate(rows)]
    return torch.tensor(new, dtype=y.dtype, device=y.device)


@answers.wrong("a decay in float32", "correct", says="float64 values")
def with_float32_decay(y, k, decay):
    factor = torch.tensor(decay, dtype=torch.float32, device=y.device) ** k
    return torch.cat((y[:k], y[k:] + factor * y[:-k]))


@answers.wrong("roll, then mask arithmetic", "correct", says="an infinite value")
def rolled_and_masked(y, k, decay):
    has_earlier_row = torch.arange(len(y), device=y.device)[:, None] >= k
    return y + decay**k * y.roll(k, 0) * has_earlier_row


@answers.wrong("the first row times 0 in place of no row", "correct", says="an infinite value")
def first_row_times_zero(y, k, decay):
    t = torch.arange(len(y), device=y.device)
    return y + decay**k * (t >= k)[:, None].to(y.dtype) * y[(t - k).clamp(min=0)]


@answers.wrong("a loop over blocks of k rows", "unlooped")
def in_blocks(y, k, decay):
    new = y.clone()
    for t in range(k, len(y), k):
        new[t : t + k] += decay**k * y[t - k : len(y) - k][:k]
    return new


@answers.wrong("a loop over the columns", "unlooped", says="grows with the input")
def column_by_column(y, k, decay):
    new = y.clone()
    for old, column in zip(y.T, new.T):
        column[k:].add_(old[: max(0, len(old) - k)], alpha=decay**k)
    return new


@answers.wrong("y itself if no row has an earlier one", "correct", says="no row that has an earlier one")
def y_itself(y, k, decay):
    return y if k >= len(y) else torch.cat([y[:k], y[k:] + decay**k * y[:-k]])


answers.wrong("the absolute value of a negative decay", "correct", says="a negative decay")(
    lambda y, k, decay: torch.cat([y[:k], y[k:] + abs(decay) ** k * y[:-k]])
)


answers.wrong("an end that may be negative", "correct", says="fewer rows than k")(
    lambda y, k, decay: torch.cat([y[:k], y[k:] + decay**k * y[: len(y) - k]])
)
