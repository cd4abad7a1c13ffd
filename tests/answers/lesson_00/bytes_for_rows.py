"""Answers to bytes_for_rows."""

from answers import AnswersTo

answers = AnswersTo("bytes_for_rows")

answers.right("reads plus writes")(lambda rows: 4 * (3 * rows) + 4 * rows)
answers.wrong("at most a million rows", "correct", says="two million rows")(lambda rows: 16 * min(rows, 10**6))
