"""Answers to two_steps."""

import numpy as np

from answers import AnswersTo

answers = AnswersTo("two_steps")


@answers.right("composed polynomials")
def by_polynomials(a, b, c, d):
    combined = np.polynomial.Polynomial([d, c])(np.polynomial.Polynomial([b, a]))
    return combined.deriv()(0.0), combined(0.0)


@answers.wrong("the summand first", "correct")
def summand_first(a, b, c, d):
    return c * b + d, c * a


@answers.wrong("the factor as a difference of two values", "correct")
def by_a_difference(a, b, c, d):
    combined = lambda y: c * (a * y + b) + d
    return combined(1) - combined(0), combined(0)


@answers.wrong("the summand as a difference of two values", "correct", says="a large factor")
def summand_by_a_difference(a, b, c, d):
    return c * a, c * (a + b) + d - c * a


answers.wrong("zeros after a factor of 0", "correct", says="the factor 0")(
    lambda a, b, c, d: (c * a, c * b + d) if c else (0.0, 0.0)
)
