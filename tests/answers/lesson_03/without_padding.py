"""Answers to without_padding."""

import torch

from answers import AnswersTo

answers = AnswersTo("without_padding")

answers.right("masked_fill")(lambda scores, padding: scores.masked_fill(padding, 0))
answers.right("by where")(lambda scores, padding: torch.where(padding, 0.0, scores))
answers.wrong("mask arithmetic", "correct", says="∞ · 0 is NaN")(lambda scores, padding: scores * ~padding)


@answers.wrong(line="correct", says="changed its input scores")
def written_into_the_scores(scores, padding):
    scores[padding] = 0
    return scores.clone()


@answers.wrong("a loop over scores", "unlooped", says="grows with the input")
def one_by_one(scores, padding):
    chosen = [torch.where(skip, 0.0, score) for score, skip in zip(scores, padding)]
    return torch.stack(chosen) if chosen else scores.clone()


@answers.wrong("exp, then log", "correct", says="very low")
def through_probabilities(scores, padding):
    return torch.where(padding, 1.0, scores.exp()).log()


answers.wrong("NaN as 0", "correct", says="infinity and NaN")(
    lambda scores, padding: scores.masked_fill(padding | scores.isnan(), 0)
)
