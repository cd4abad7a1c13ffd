"""Answers to served_in_vain."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("served_in_vain")

_lowest_so_far = tf.function(lambda x: tf.scan(tf.minimum, x))


@answers.right("with the graph of lowest_so_far")
def with_lowest_so_far(change):
    return -tf.minimum(_lowest_so_far(tf.cumsum(change, axis=0)), 0.0)


@answers.wrong("an eager loop", "unlooped", says="put the steps into one graph")
def row_by_row(change):
    rows, lowest = [], tf.zeros_like(change[0])
    for row in tf.cumsum(change, axis=0):
        lowest = tf.minimum(lowest, row)
        rows.append(-lowest)
    return tf.stack(rows)


answers.wrong("two columns only", "correct", says="300 columns")(
    lambda change: tf.concat([with_lowest_so_far(change[:, :2]), tf.zeros_like(change[:, 2:])], axis=1)
)
