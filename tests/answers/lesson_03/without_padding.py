"""Answers to without_padding."""

import torch

from answers import AnswersTo

answers = AnswersTo("without_padding")

answers.right("masked fill")(lambda scores, padding: scores.masked_fill(padding, 0))
answers.right("by where")(lambda scores, padding: torch.where(padding, 0.0, scores))
answers.wrong("mask arithmetic", "correct", says="∞ · 0 is NaN")(lambda scores, padding: scores * ~padding)


@answers.wrong(line="correct", says="changed its input scores")
def written_into_the_scores(scores, padding):
    scores[padding] = 0
    return scores.clone()
