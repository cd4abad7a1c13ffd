"""Answers to anti_diagonal."""

import torch

from answers import AnswersTo

answers = AnswersTo("anti_diagonal")


@answers.right("an index of rows and columns")
def by_index(table, d):
    i = torch.arange(max(0, d - table.shape[1] + 1), min(len(table), d + 1))
    return table[i, d - i]


answers.wrong("the other diagonal", "correct")(lambda table, d: table.diagonal(d))


@answers.wrong("cell by cell", "unlooped")
def cell_by_cell(table, d):
    return torch.stack([table[i, d - i] for i in range(len(table)) if 0 <= d - i < table.shape[1]])
