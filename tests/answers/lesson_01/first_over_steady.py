"""Answers to first_over_steady."""

from answers import AnswersTo

answers = AnswersTo("first_over_steady")

answers.right("by quantile")(lambda times: times[0] / times[1:].quantile(0.5))
answers.wrong("minus 1", "correct", says="minus 1")(lambda times: times[0] / times[1:].median() - 1)
