"""Answers to celsius."""

import torch

from answers import AnswersTo

answers = AnswersTo("celsius")

answers.right("a division by 1.8")(lambda fahrenheit: (fahrenheit - 32) / 1.8)


@answers.wrong("a loop over readings", line="unlooped", says="a loop still runs over it")
def one_by_one(fahrenheit):
    readings = [(each - 32) * 5 / 9 for each in fahrenheit]
    return torch.stack(readings) if readings else fahrenheit.clone()


answers.wrong("a flat view", "correct", says="a transposed matrix")(
    lambda fahrenheit: ((fahrenheit.view(-1) - 32) * 5 / 9).view(fahrenheit.shape)
)
