"""Answers to without_padding."""

import torch

from answers import AnswersTo

answers = AnswersTo("without_padding")


@answers.right()
def masked_fill(scores, padding):
    return scores.masked_fill(padding, 0)


@answers.right()
def by_where(scores, padding):
    return torch.where(padding, 0.0, scores)


@answers.wrong("mask arithmetic", "correct", says="∞ · 0 is NaN")
def times_a_mask(scores, padding):
    return scores * ~padding


@answers.wrong(line="correct", says="the rest became 0")
def the_padding_kept(scores, padding):
    return torch.where(padding, scores, 0.0)


@answers.wrong(line="correct", says="changed its input scores")
def written_into_the_scores(scores, padding):
    scores[padding] = 0
    return scores.clone()
