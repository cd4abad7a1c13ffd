"""Answers to bytes_for_rows."""

from answers import AnswersTo

answers = AnswersTo("bytes_for_rows")

answers.right("read and written")(lambda rows: 4 * (3 * rows) + 4 * rows)
