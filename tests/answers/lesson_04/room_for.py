"""Answers to room_for."""

import torch

from answers import AnswersTo

answers = AnswersTo("room_for")

answers.right("dtype and device named")(lambda x, steps: torch.zeros(steps, *x.shape, dtype=x.dtype, device=x.device))


@answers.wrong("the dtype alone", "correct", says="on a GPU")
def without_the_device(x, steps):
    return torch.zeros(steps, *x.shape, dtype=x.dtype)
