"""Answers to column_energies."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("column_energies")


@answers.right("a running sum")
def added_up(x, weights, rows):
    total = tf.zeros(x.shape[1], x.dtype)
    for start in range(0, len(x), rows):
        part = slice(start, start + rows)
        total += tf.reduce_sum(tf.square(x[part] * weights[part]), 0)
    return total


@answers.wrong("all rows at once", "unlooped", says="are alive at one time")
def at_once(x, weights, rows):
    return tf.reduce_sum((x * weights) ** 2, 0)


answers.wrong("a loop over rows", "unlooped", says="grows with the input")(
    lambda x, weights, rows: added_up(x, weights, 1)
)
answers.wrong("chunks of 64 rows", "unlooped", says="larger chunks take fewer operations")(
    lambda x, weights, rows: added_up(x, weights, 64)
)
answers.wrong("chunks of twice the rows", "unlooped", says="are alive at one time")(
    lambda x, weights, rows: added_up(x, weights, 2 * rows)
)
answers.wrong("at most 16 chunks", "correct", says="300 chunks")(
    lambda x, weights, rows: added_up(x[: 16 * rows], weights[: 16 * rows], rows)
)
answers.wrong("a Python number without rows", "correct", says="no rows")(
    lambda x, weights, rows: sum(
        tf.reduce_sum(tf.square(x[start : start + rows] * weights[start : start + rows]), 0)
        for start in range(0, len(x), rows)
    )
)


answers.wrong("three columns only", "correct", says="300 columns")(
    lambda x, weights, rows: tf.pad(added_up(x[:, :3], weights[:, :3], rows), [[0, max(0, x.shape[1] - 3)]])
)
answers.wrong("a column without its axis", "correct", says="a single column")(
    lambda x, weights, rows: tf.squeeze(added_up(x, weights, rows))
)


@answers.wrong("the number of chunks plus 0.999, rounded down", "correct", says="a last chunk of one row")
def rounded_chunks(x, weights, rows):
    total = tf.zeros(x.shape[1], x.dtype)
    for start in range(0, int(len(x) / rows + 0.999) * rows, rows):
        total += tf.reduce_sum(tf.square(x[start : start + rows] * weights[start : start + rows]), 0)
    return total
