"""Answers to block_means."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("block_means")


@answers.right()
def over_the_last_axis(matrix, m):
    return tf.reduce_mean(tf.reshape(matrix, [matrix.shape[0], -1, m]), axis=2)


@answers.wrong("a loop over blocks", "unlooped")
def block_by_block(matrix, m):
    return tf.stack([tf.reduce_mean(matrix[:, j : j + m], axis=1) for j in range(0, matrix.shape[1], m)], axis=1)


@answers.wrong("a loop over the columns of a block", "unlooped", says="grows with the input")
def column_by_column(matrix, m):
    return sum(matrix[:, k::m] for k in range(m)) / m


answers.wrong("blocks of at most 1,000 columns", "correct", says="blocks of 5,000 columns")(
    lambda matrix, m: tf.reduce_mean(tf.reshape(matrix, [matrix.shape[0], matrix.shape[1] // m, m])[:, :, :1000], 2)
)
