"""Answers to two_queue_steps."""

import torch

from answers import AnswersTo

answers = AnswersTo("two_queue_steps")


@answers.wrong(line="correct", says="becomes b + c")
def least_values_kept(a, b, c, d):
    return a + c, torch.maximum(b, d)


@answers.wrong(line="correct", says="wrong order")
def the_second_step_first(a, b, c, d):
    return a + c, torch.maximum(d + a, b)


@answers.wrong("Python's max", "correct", says="torch.maximum")
def the_max_of_python(a, b, c, d):
    return a + c, max(b + c, d)
