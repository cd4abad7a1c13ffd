"""Answers to wide_sum."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("wide_sum")


@answers.right("as a product with ones")
def as_a_product(readings):
    ones = tf.ones([1, len(readings)])
    return tf.cast(tf.matmul(ones, tf.cast(readings, tf.float32))[0], readings.dtype)


@answers.right("in float64")
def in_float64(readings):
    return tf.cast(tf.reduce_sum(tf.cast(readings, tf.float64), axis=0), readings.dtype)


@answers.wrong("a loop over rows", "unlooped", says="a loop still runs over it")
def row_by_row(readings):
    total = tf.zeros(readings.shape[1:])
    for row in readings:
        total += tf.cast(row, tf.float32)
    return tf.cast(total, readings.dtype)


@answers.wrong("a loop over columns", "unlooped", says="grows with the input")
def column_by_column(readings):
    columns = tf.unstack(tf.cast(readings, tf.float32), axis=1)
    return tf.cast(tf.stack([tf.reduce_sum(column) for column in columns]), readings.dtype)


@answers.wrong("rounded to bfloat16 first", "correct")
def rounded_twice(readings):
    return tf.cast(tf.cast(tf.reduce_sum(tf.cast(readings, tf.float32), axis=0), tf.bfloat16), readings.dtype)


@answers.wrong("blocks of four added in the narrow dtype", "correct", says="partial sums above")
def block_by_block(readings):
    blocks = tf.pad(readings, [[0, -len(readings) % 4], [0, 0]])
    sums = tf.reduce_sum(tf.reshape(blocks, [len(blocks) // 4, 4, blocks.shape[1]]), axis=1)
    return tf.cast(tf.reduce_sum(tf.cast(sums, tf.float32), axis=0), readings.dtype)


@answers.wrong("means that are multiplied by the number of rows", "correct", says="the smallest float16")
def from_means(readings):
    rows = max(len(readings), 1)
    return tf.cast(tf.reduce_sum(tf.cast(readings / rows, tf.float64), axis=0) * rows, readings.dtype)


@answers.wrong("the sums of two halves, rounded", "correct", says="nearly cancel")
def in_halves(readings):
    even, odd = (tf.reduce_sum(tf.cast(half, tf.float64), axis=0) for half in (readings[::2], readings[1::2]))
    return tf.cast(even, readings.dtype) + tf.cast(odd, readings.dtype)
