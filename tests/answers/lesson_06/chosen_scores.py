"""Answers to chosen_scores."""

import torch

from answers import AnswersTo

answers = AnswersTo("chosen_scores")

answers.right("by gather")(lambda scores, chosen: scores.gather(1, chosen[:, None])[:, 0])
answers.right("by two indices")(lambda scores, chosen: scores[torch.arange(len(scores), device=scores.device), chosen])


@answers.wrong("a loop over rows", "unlooped")
def row_by_row(scores, chosen):
    return torch.stack([row[column] for row, column in zip(scores, chosen)]) if len(scores) else scores[:, 0]


@answers.wrong("infinity and NaN replaced by numbers", "correct", says="infinity")
def without_infinity(scores, chosen):
    return scores.nan_to_num().gather(1, chosen[:, None])[:, 0]


@answers.wrong("columns in int16", "correct", says="70,000 columns")
def columns_in_int16(scores, chosen):
    return scores.gather(1, chosen.short().long()[:, None] % scores.shape[1])[:, 0]


answers.wrong("the first 4,096 rows only", "correct", says="4,099 rows")(
    lambda scores, chosen: scores.gather(1, chosen[:, None])[:4096, 0]
)
