"""Answers to chosen_scores."""

import torch

from answers import AnswersTo

answers = AnswersTo("chosen_scores")


@answers.right()
def by_gather(scores, chosen):
    return scores.gather(1, chosen[:, None])[:, 0]


@answers.right()
def by_two_indices(scores, chosen):
    return scores[torch.arange(len(scores), device=scores.device), chosen]


@answers.wrong(line="correct", says="Whole columns are picked")
def columns_of_all_rows(scores, chosen):
    return scores[:, chosen]


@answers.wrong(line="correct", says="a column of its own")
def as_a_column(scores, chosen):
    return scores.gather(1, chosen[:, None])


@answers.wrong("a loop over rows", "unlooped")
def row_by_row(scores, chosen):
    return torch.stack([row[column] for row, column in zip(scores, chosen)]) if len(scores) else scores[:, 0]
