"""Answers to clip_each."""

import torch
from torch.func import vmap

from answers import AnswersTo

answers = AnswersTo("clip_each")


@answers.right("where inside vmap")
def by_vmap(rows, longest):
    def one(row):
        length = row.norm()
        return torch.where(length > longest, row * (longest / length), row)

    return vmap(one)(rows)


answers.right("a clamped factor")(lambda rows, longest: rows * (longest / rows.norm(dim=1, keepdim=True)).clamp(max=1))


@answers.wrong("if inside vmap", "correct", says="torch.where chooses for each item")
def with_an_if(rows, longest):
    return vmap(lambda row: row * (longest / row.norm()) if row.norm() > longest else row)(rows)


@answers.wrong("a list comprehension", "unlooped")
def in_a_comprehension(rows, longest):
    return torch.stack([row * (longest / row.norm()).clamp(max=1) for row in rows])


@answers.wrong("1e-6 added to the length", "correct")
def with_a_small_number(rows, longest):
    return vmap(lambda row: row * (longest / (row.norm() + 1e-6)).clamp(max=1))(rows)


@answers.wrong("a length of at least 1e-12", "correct", says="about 1e-15")
def with_a_least_length(rows, longest):
    return rows * (longest / rows.norm(dim=1, keepdim=True).clamp(min=1e-12)).clamp(max=1)


@answers.wrong("a loop over the columns", "unlooped", says="grows with the input")
def column_by_column(rows, longest):
    squares = rows.new_zeros(len(rows))
    for column in rows.T:
        squares.addcmul_(column, column)
    return rows * (longest / squares.sqrt()).clamp(max=1)[:, None]


@answers.wrong("the integer part of the longest length", "correct")
def to_integer_length(rows, longest):
    return rows * (int(longest) / rows.norm(dim=1, keepdim=True)).clamp(max=1)


answers.wrong("axes of one element removed", "correct", says="a single row")(
    lambda rows, longest: by_vmap(rows, longest).squeeze(0)
)
