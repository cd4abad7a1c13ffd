"""Answers to holds_from."""

import torch

from answers import AnswersTo

answers = AnswersTo("holds_from")


@answers.right("cumprod from the right")
def by_product(faster):
    at_the_end = faster.flip(1).long().cumprod(1).sum(1)
    return torch.where(at_the_end > 0, faster.shape[1] - at_the_end, -1)


@answers.right("the index after the last False")
def after_the_last_false(faster):
    columns = torch.arange(1, faster.shape[1] + 1, device=faster.device)
    first = (~faster * columns).amax(1)
    return torch.where(first < faster.shape[1], first, -1)


@answers.wrong("a loop over rows", "unlooped")
def row_by_row(faster):
    return torch.stack([by_product(row[None])[0] for row in faster]) if len(faster) else faster.new_zeros(0).long()


@answers.right("no later False")
def no_false_from_here_on(faster):
    slower = (~faster).long()
    from_here_on = slower.sum(1, keepdim=True) - slower.cumsum(1) + slower
    at_the_end = (from_here_on == 0).sum(1)
    return torch.where(faster[:, -1], faster.shape[1] - at_the_end, -1)


@answers.wrong("a count in uint8", "correct")
def count_in_uint8(faster):
    at_the_end = faster.flip(1).to(torch.uint8).cumprod(1, dtype=torch.uint8).sum(1, dtype=torch.uint8).long()
    return torch.where(faster[:, -1], faster.shape[1] - at_the_end, -1)


@answers.wrong("a loop over columns", "unlooped")
def column_by_column(faster):
    true = torch.ones(len(faster), dtype=torch.bool, device=faster.device)
    at_the_end = true.long() - 1
    for column in faster.flip(1).unbind(1):
        true = true & column
        at_the_end = at_the_end + true
    return torch.where(at_the_end > 0, faster.shape[1] - at_the_end, -1)


answers.wrong("the first 4,096 claims only", "correct", says="4,099 claims")(lambda faster: by_product(faster[:4096]))
