"""Answers to anti_diagonal."""

import torch

from answers import AnswersTo

answers = AnswersTo("anti_diagonal")


@answers.right("an index of rows and columns")
def by_index(table, d):
    i = torch.arange(max(0, d - table.shape[1] + 1), min(len(table), d + 1))
    return table[i, d - i]


answers.wrong("the other diagonal", "correct")(lambda table, d: table.diagonal(d))


@answers.wrong("a loop over cells", "unlooped")
def cell_by_cell(table, d):
    return torch.stack([table[i, d - i] for i in range(len(table)) if 0 <= d - i < table.shape[1]])


@answers.wrong("row sums of a masked table", "correct", says="in other cells")
def by_masked_sums(table, d):
    rows, columns = table.shape
    mask = torch.arange(rows)[:, None] + torch.arange(columns) == d
    return (table * mask).sum(1)[max(0, d - columns + 1) : d + 1]


@answers.wrong("uint8 positions", "correct", says="300 rows")
def in_uint8(table, d):
    i = torch.arange(max(0, d - table.shape[1] + 1), min(len(table), d + 1))
    return table[i.to(torch.uint8).long(), (d - i).to(torch.uint8).long()]


@answers.wrong("row maxima of a masked table", "correct", says="infinity in the cells")
def by_masked_maxima(table, d):
    rows, columns = table.shape
    mask = torch.arange(rows)[:, None] + torch.arange(columns) == d
    return table.masked_fill(~mask, -1e9).amax(1)[max(0, d - columns + 1) : d + 1]


answers.wrong("a single column as it is", "correct", says="a single column")(
    lambda table, d: by_index(table, d) if table.shape[1] > 1 else table[:, 0].clone()
)


@answers.wrong("a view of the table", "correct", says="shares memory with the input")
def as_a_view(table, d):
    rows, columns = table.shape
    first, last = max(0, d - columns + 1), min(d, rows - 1)
    step = max(columns - 1, 1)
    start = first * columns + d - first
    return table.reshape(-1)[start : start + step * (last - first) + 1 : step]
