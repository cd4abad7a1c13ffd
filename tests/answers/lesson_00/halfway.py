"""Answers to halfway."""

import torch

from answers import AnswersTo

answers = AnswersTo("halfway")

answers.right("by lerp")(lambda a, b: torch.lerp(a, b, 0.5))


@answers.wrong("a loop over pairs", line="unlooped", says="a loop still runs over it")
def row_by_row(a, b):
    return torch.stack([(p + q) / 2 for p, q in zip(a, b)]) if len(a) else a.clone()


@answers.wrong("at most 1,000 rows", "correct", says="For 5,000 rows")
def of_1000_rows(a, b):
    return torch.cat([(a[:1000] + b[:1000]) / 2, a[1000:]])
