"""Answers to worst_machine."""

from math import inf, nan

import torch

from answers import AnswersTo

answers = AnswersTo("worst_machine")


@answers.right("infinity for missing values")
def infinity_for_missing(ratios):
    missing = ratios.isnan()
    # A measured infinity comes before the infinity of a missing value.
    order = torch.where(missing, inf, ratios).argmin(1)
    measured = (~missing).int().argmax(1)
    chosen = torch.where(missing.gather(1, order[:, None])[:, 0], measured, order)
    return torch.where(missing.all(1), -1, chosen)


@answers.right("NaN sorts last")
def nan_sorts_last(ratios):
    return torch.where(ratios.isnan().all(1), -1, ratios.sort(dim=1, stable=True).indices[:, 0])


@answers.wrong("a loop over rows", "unlooped")
def row_by_row(ratios):
    return torch.stack([nan_sorts_last(row[None])[0] for row in ratios]) if len(ratios) else nan_sorts_last(ratios)


@answers.right("a rank: finite, infinite, missing")
def by_rank(ratios):
    rank = ratios.isnan().long() * 2 + ratios.isinf()
    lowest = rank.amin(1, keepdim=True)
    finite = torch.where(rank > 0, 0, ratios)
    return torch.where(lowest[:, 0] == 2, -1, torch.where(rank == lowest, finite, inf).argmin(1))


@answers.wrong("large numbers for missing values", "correct")
def large_for_missing(ratios):
    return torch.where(ratios.isnan().all(1), -1, ratios.nan_to_num(nan=1e9, posinf=1e8).argmin(1))


@answers.wrong("the smallest ratios of all rows", "correct", says="another row's smallest")
def among_all_rows(ratios):
    known = torch.where(ratios.isnan(), inf, ratios)
    smallest = torch.isin(known, known.amin(1)) & ~ratios.isnan()
    return torch.where(ratios.isnan().all(1), -1, smallest.int().argmax(1))


@answers.wrong("logarithms, which round", "correct", says="largest float32")
def by_logarithms(ratios):
    known = torch.where(ratios.isnan(), inf, ratios.clamp(max=torch.finfo(ratios.dtype).max))
    return torch.where(ratios.isnan().all(1), -1, known.log().argmin(1))


@answers.wrong("compared in float32", "correct")
def float32(ratios):
    return nan_sorts_last(ratios.float())


@answers.wrong("a loop over columns", "unlooped")
def column_by_column(ratios):
    smallest = ratios.new_full((len(ratios),), nan)
    worst = ratios.new_full((len(ratios),), -1, dtype=torch.int64)
    for index, column in enumerate(ratios.unbind(1)):
        worst = torch.where((smallest <= column) | column.isnan(), worst, index)
        smallest = smallest.fmin(column)
    return worst


@answers.wrong("a dimension by position next to stable=True", "correct", says="takes its other arguments by name")
def by_position(ratios):
    values, columns = ratios.sort(1, stable=True)
    return torch.where(values[:, 0].isnan(), -1, columns[:, 0])


answers.wrong("the first 4,096 machines only", "correct", says="4,099 machines")(
    lambda ratios: infinity_for_missing(ratios[:, :4096])
)
