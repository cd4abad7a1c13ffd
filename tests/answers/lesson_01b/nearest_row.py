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
