"""Answers to rows_that_fit."""

from answers import AnswersTo

answers = AnswersTo("rows_that_fit")


@answers.right()
def by_division(budget, columns, copies):
    return max(1, budget // (columns * copies * 4))


@answers.wrong(line="correct", says="at least one")
def perhaps_none(budget, columns, copies):
    return budget // (columns * copies * 4)


@answers.wrong(line="correct", says="a float32 has four")
def numbers(budget, columns, copies):
    return max(1, budget // columns // copies)


@answers.wrong(line="correct", says="copies are missing")
def one_copy(budget, columns, copies):
    return max(1, budget // columns // 4)
