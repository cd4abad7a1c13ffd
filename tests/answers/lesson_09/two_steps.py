"""Answers to two_steps."""

from answers import AnswersTo

answers = AnswersTo("two_steps")


@answers.wrong(line="correct", says="wrong order")
def the_second_step_first(a, b, c, d):
    return a * c, a * d + b


@answers.wrong(line="correct", says="multiplies b as well")
def summands_added(a, b, c, d):
    return c * a, b + d
