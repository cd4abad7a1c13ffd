"""Answers to rows_that_fit."""

from answers.table import right, wrong


@right()
def by_division(budget, columns, copies):
    return max(1, budget // (columns * copies * 4))


@wrong(line="correct", says="at least one")
def perhaps_none(budget, columns, copies):
    return budget // (columns * copies * 4)


@wrong(line="correct", says="a float32 has four")
def numbers(budget, columns, copies):
    return max(1, budget // columns // copies)


@wrong(line="correct", says="copies are missing")
def one_copy(budget, columns, copies):
    return max(1, budget // columns // 4)
