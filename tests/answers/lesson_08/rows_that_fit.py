"""Answers to rows_that_fit."""

from fractions import Fraction

from answers import AnswersTo

answers = AnswersTo("rows_that_fit")

answers.right("by division")(lambda budget, columns, copies: max(1, budget // (columns * copies * 4)))


@answers.wrong("at least as many rows as copies", "correct", says="fill the budget exactly")
def one_row_for_each_copy(budget, columns, copies):
    return max(copies, budget // (columns * copies * 4))


@answers.wrong("a quotient of floats", "correct", says="one byte below")
def by_floats(budget, columns, copies):
    return max(1, int(budget / (columns * copies * 4)))


@answers.wrong("at most three copies", "correct", says="fill the budget exactly")
def of_three_copies(budget, columns, copies):
    return max(1, budget // (columns * min(copies, 3) * 4))


answers.wrong("at most 100,000 rows", "correct", says="a million rows")(
    lambda budget, columns, copies: min(100_000, max(1, budget // (columns * copies * 4)))
)


answers.wrong("a single row if fewer than three fit", "correct", says="two rows")(
    lambda budget, columns, copies: rows if (rows := budget // (4 * columns * copies)) > 2 else 1
)
answers.wrong("a fraction of a row", "correct", says="given")(
    lambda budget, columns, copies: Fraction(budget, 4 * columns * copies)
)
