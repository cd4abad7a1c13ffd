"""Answers to bytes_for_rows."""

import numpy as np

from answers import AnswersTo

answers = AnswersTo("bytes_for_rows")

answers.right("reads plus writes")(lambda rows: 4 * (3 * rows) + 4 * rows)
answers.wrong("at most a million rows", "correct", says="3,000,000,001 rows")(lambda rows: 16 * min(rows, 10**6))
answers.wrong("a count in float32", "correct", says="3,000,000,001 rows")(
    lambda rows: int(np.float32(16) * np.float32(rows))
)
