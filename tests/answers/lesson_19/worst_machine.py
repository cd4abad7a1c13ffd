"""Answers to worst_machine."""

from math import inf

import torch

from answers import AnswersTo

answers = AnswersTo("worst_machine")


@answers.right("infinity for what is missing")
def infinity_for_missing(ratios):
    missing = ratios.isnan()
    # Among infinities, those that were measured come first.
    order = torch.where(missing, inf, ratios).argmin(1)
    measured = (~missing).int().argmax(1)
    chosen = torch.where(missing.gather(1, order[:, None])[:, 0], measured, order)
    return torch.where(missing.all(1), -1, chosen)


@answers.right("NaN sorts last")
def nan_sorts_last(ratios):
    return torch.where(ratios.isnan().all(1), -1, ratios.sort(dim=1, stable=True).indices[:, 0])


@answers.wrong("row by row", "unlooped")
def row_by_row(ratios):
    return torch.stack([nan_sorts_last(row[None])[0] for row in ratios]) if len(ratios) else nan_sorts_last(ratios)
