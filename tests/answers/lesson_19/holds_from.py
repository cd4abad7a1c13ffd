"""Answers to holds_from."""

import torch

from answers import AnswersTo

answers = AnswersTo("holds_from")


@answers.right("a running product from the right")
def by_product(faster):
    at_the_end = faster.flip(1).long().cumprod(1).sum(1)
    return torch.where(at_the_end > 0, faster.shape[1] - at_the_end, -1)


@answers.right("after the last False")
def after_the_last_false(faster):
    columns = torch.arange(1, faster.shape[1] + 1, device=faster.device)
    first = (~faster * columns).amax(1)
    return torch.where(first < faster.shape[1], first, -1)


@answers.wrong("row by row", "unlooped")
def row_by_row(faster):
    return torch.stack([by_product(row[None])[0] for row in faster]) if len(faster) else faster.new_zeros(0).long()
