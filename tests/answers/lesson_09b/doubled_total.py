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
