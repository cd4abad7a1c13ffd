"""Answers to anti_diagonal."""

import torch

from answers import AnswersTo

answers = AnswersTo("anti_diagonal")


@answers.right("an index of rows and columns")
def by_index(table, d):
    i = torch.arange(max(0, d - table.shape[1] + 1), min(len(table), d + 1))
    return table[i, d - i]


@answers.wrong("from the bottom up", "correct", says="from the bottom up")
def turned_upside_down(table, d):
    return table.flip(0).diagonal(d - len(table) + 1)


@answers.wrong("the other diagonal", "correct")
def the_other_one(table, d):
    return table.diagonal(d)


@answers.wrong("cell by cell", "unlooped")
def cell_by_cell(table, d):
    return torch.stack([table[i, d - i] for i in range(len(table)) if 0 <= d - i < table.shape[1]])


@answers.wrong("the sign of k turned", "correct", says="sign of k")
def turned_sign(table, d):
    return table.flip(1).diagonal(d - table.shape[1] + 1)
