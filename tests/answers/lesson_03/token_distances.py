"""Answers to token_distances."""

import torch

from answers import AnswersTo

answers = AnswersTo("token_distances")


@answers.right()
def a_column_less_a_row(queries, keys):
    return queries[:, None] - keys


@answers.right()
def unsqueezed(queries, keys):
    return queries.unsqueeze(1) - keys.unsqueeze(0)


@answers.wrong(line="correct", says="a row belongs to a query")
def the_axes_exchanged(queries, keys):
    return queries - keys[:, None]


@answers.wrong("the sign", "correct", says="key minus query")
def the_other_way_round(queries, keys):
    return keys - queries[:, None]


@answers.wrong("without a new axis", "correct")
def pair_by_pair(queries, keys):
    return queries - keys


@answers.wrong("a loop over queries", "unlooped")
def row_by_row(queries, keys):
    rows = [query - keys for query in queries]
    return torch.stack(rows) if rows else queries[:, None] - keys
