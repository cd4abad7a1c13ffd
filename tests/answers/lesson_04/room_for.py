"""Answers to room_for."""

import torch

from answers import AnswersTo

answers = AnswersTo("room_for")


@answers.right("dtype and device named")
def named(x, steps):
    return torch.zeros(steps, *x.shape, dtype=x.dtype, device=x.device)


@answers.wrong("the default dtype", "correct", says="default dtype")
def plain(x, steps):
    return torch.zeros(steps, *x.shape)


@answers.wrong("the dtype alone", "correct", says="on a GPU")
def without_the_device(x, steps):
    return torch.zeros(steps, *x.shape, dtype=x.dtype)


@answers.wrong("one state", "correct", says="room for one state")
def like_x(x, steps):
    return torch.zeros_like(x)
