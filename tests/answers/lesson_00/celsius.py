"""Answers to celsius."""

import torch

from answers import AnswersTo

answers = AnswersTo("celsius")


@answers.right()
def through_a_factor(fahrenheit):
    return (fahrenheit - 32) / 1.8


@answers.wrong("the order forgotten", line="correct", says="32 comes off first")
def without_parentheses(fahrenheit):
    return fahrenheit - 32 * 5 / 9


@answers.wrong("still a loop", line="unlooped", says="a loop still runs over it")
def one_by_one(fahrenheit):
    readings = [(each - 32) * 5 / 9 for each in fahrenheit]
    return torch.stack(readings) if readings else fahrenheit.clone()
