"""Answers to neighbour_sums."""

from answers import AnswersTo

answers = AnswersTo("neighbour_sums")


@answers.wrong(line="correct", says="once only")
def every_row_and_the_next(x):
    return x[:-1] + x[1:]


@answers.wrong(line="correct", says="is not added")
def every_second_row(x):
    return x[: len(x) // 2 * 2 : 2] + 0
