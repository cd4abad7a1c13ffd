"""Answers to chunk_weights."""

import torch

from answers import AnswersTo

answers = AnswersTo("chunk_weights")


@answers.wrong(line="correct", says="mixed up")
def turned(decay, width):
    t = torch.arange(width)
    return (decay ** (t - t[:, None]).clamp(min=0)).triu()


@answers.wrong(line="correct", says="not cut off")
def without_the_cut(decay, width):
    t = torch.arange(width)
    return decay ** (t[:, None] - t).clamp(min=0)


@answers.wrong(line="correct", says="changed places")
def the_column_less_the_row(decay, width):
    t = torch.arange(width)
    return (decay ** (t - t[:, None]).clamp(min=0)).tril()
