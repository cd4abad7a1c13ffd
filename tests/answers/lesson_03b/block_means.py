"""Answers to block_means."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("block_means")


@answers.right()
def over_the_last_axis(matrix, m):
    return tf.reduce_mean(tf.reshape(matrix, [matrix.shape[0], -1, m]), axis=2)


@answers.wrong(line="correct", says="not neighbours")
def the_wrong_axis_last(matrix, m):
    return tf.reduce_mean(tf.reshape(matrix, [matrix.shape[0], m, -1]), axis=1)


@answers.wrong(line="correct", says="not within them")
def over_the_blocks(matrix, m):
    return tf.reduce_mean(tf.reshape(matrix, [matrix.shape[0], -1, m]), axis=1)


@answers.wrong("a loop over blocks", "unlooped")
def block_by_block(matrix, m):
    return tf.stack([tf.reduce_mean(matrix[:, j : j + m], axis=1) for j in range(0, matrix.shape[1], m)], axis=1)
