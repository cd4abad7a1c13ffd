"""Answers to rows_that_fit."""

from answers import AnswersTo

answers = AnswersTo("rows_that_fit")

answers.right("by division")(lambda budget, columns, copies: max(1, budget // (columns * copies * 4)))
