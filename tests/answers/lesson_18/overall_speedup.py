"""Answers to overall_speedup."""

import math

import numpy as np

from answers import AnswersTo

answers = AnswersTo("overall_speedup")

answers.right("one quotient")(lambda seconds, factors: sum(seconds) / sum(s / f for s, f in zip(seconds, factors)))
answers.wrong("the product of the factors", "correct")(lambda seconds, factors: math.prod(factors))
answers.wrong("the remaining seconds", "correct")(lambda seconds, factors: sum(s / f for s, f in zip(seconds, factors)))
answers.wrong("factors clamped to at least 1", "correct")(
    lambda seconds, factors: sum(seconds) / sum(s / max(f, 1) for s, f in zip(seconds, factors))
)


@answers.wrong("a stage of 0 seconds counts as 1", "correct", says="0 seconds")
def at_least_some_time(seconds, factors):
    before = [each or 1.0 for each in seconds]
    return sum(before) / sum(each / factor for each, factor in zip(before, factors))


@answers.wrong("reciprocals of integers", "correct", says="in integers")
def integer_reciprocals(seconds, factors):
    return sum(seconds) / float(np.dot(seconds, np.reciprocal(np.array(factors))))
