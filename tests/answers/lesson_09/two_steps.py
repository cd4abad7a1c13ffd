"""Answers to two_steps."""

import numpy as np

from answers import AnswersTo

answers = AnswersTo("two_steps")


@answers.right("one polynomial inside another")
def by_polynomials(a, b, c, d):
    return np.polynomial.Polynomial([d, c])(np.polynomial.Polynomial([b, a])).coef[::-1].tolist()


@answers.wrong("the summand first", "correct")
def summand_first(a, b, c, d):
    return c * b + d, c * a
