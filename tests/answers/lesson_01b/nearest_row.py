"""Answers to nearest_row."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("nearest_row")


@answers.right()
def by_minimum_and_maximum(table, row):
    return tf.gather(table, tf.minimum(tf.maximum(row, 0), len(table) - 1))


@answers.wrong("a loop over rows", line="unlooped", says="a loop still runs over it")
def one_by_one(table, row):
    return tf.stack([table[min(max(int(wanted), 0), len(table) - 1)] for wanted in row])


@answers.wrong("a loop over the columns", line="unlooped", says="grows with the input")
def column_by_column(table, row):
    rows = tf.clip_by_value(row, 0, len(table) - 1)
    return tf.stack([tf.gather(column, rows) for column in tf.unstack(table, axis=1)], axis=1)


@answers.wrong("a loop over the table", line="unlooped", says="grows with the input")
def choice_by_choice(table, row):
    result = tf.gather(table, tf.zeros_like(row))
    for k in range(1, len(table)):
        result = tf.where((row >= k)[:, None], table[k], result)
    return result


@answers.wrong("the remainder", line="correct", says="wraps around")
def by_the_remainder(table, row):
    return tf.gather(table, row % len(table))


@answers.wrong("at most 1,000 numbers", line="correct", says="For 4,200 numbers")
def of_1000_numbers(table, row):
    return tf.concat([by_minimum_and_maximum(table, row[:1000]), tf.gather(table, 0 * row[1000:])], 0)


@answers.wrong("clipped as floats", line="correct", says="more rows than float32 can count")
def clipped_as_floats(table, row):
    clipped = tf.clip_by_value(tf.cast(row, tf.float32), 0, float(len(table) - 1))
    return tf.gather(table, tf.cast(clipped, tf.int32))
