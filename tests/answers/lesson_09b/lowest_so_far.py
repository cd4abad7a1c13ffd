"""Answers to lowest_so_far."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("lowest_so_far")

answers.wrong("an eager scan", "unlooped", says="put the steps into one graph")(lambda x: tf.scan(tf.minimum, x))


@answers.right("a step per row in a graph")
@tf.function
def unrolled(x):
    rows = [x[0]]
    for t in range(1, x.shape[0]):
        rows.append(tf.minimum(rows[-1], x[t]))
    return tf.stack(rows)


@answers.wrong("an eager loop", "unlooped", says="put the steps into one graph")
def row_by_row(x):
    rows = [x[0]]
    for row in x[1:]:
        rows.append(tf.minimum(rows[-1], row))
    return tf.stack(rows)


@answers.wrong("a scan that starts with the largest float", "correct", says="infinity and NaN")
@tf.function
def from_largest_float(x):
    return tf.scan(tf.minimum, x, initializer=tf.fill(tf.shape(x)[1:], x.dtype.max))


@answers.wrong("ten rounds of doubling", "correct", says="1,100 rows")
@tf.function
def in_ten_rounds(x):
    for k in (2**power for power in range(10)):
        if k < x.shape[0]:
            x = tf.concat([x[:k], tf.minimum(x[k:], x[:-k])], axis=0)
    return tf.identity(x)


@answers.wrong("two columns only", "correct", says="300 columns")
@tf.function
def of_two_columns(x):
    lowest = tf.scan(tf.minimum, x)
    return tf.concat([lowest[:, :2], x[:, 2:]], axis=1)
