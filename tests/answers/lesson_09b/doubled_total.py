"""Answers to doubled_total."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("doubled_total")

answers.wrong("tf.scan", "unlooped")(lambda x: tf.scan(lambda total, row: total + row, x))


@answers.wrong("one addition per row", "unlooped")
def a_loop_over_unstacked_rows(x):
    rows = [x[0]]
    for row in tf.unstack(x)[1:]:
        rows.append(rows[-1] + row)
    return tf.stack(rows)


answers.wrong("NumPy's cumsum", "unlooped", says=".numpy() hands")(lambda x: tf.constant(x.numpy().cumsum(0)))


@answers.wrong("a loop over columns", "unlooped", says="grows with the input")
def column_by_column(x):
    return tf.stack([_doubled(column) for column in tf.unstack(x, axis=1)], axis=1)


def _doubled(x):
    k = 1
    while k < len(x):
        x, k = tf.concat([x[:k], x[k:] + x[:-k]], axis=0), 2 * k
    return x
