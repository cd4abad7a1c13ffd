"""Answers to lowest_so_far."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("lowest_so_far")


@answers.wrong("a comparison, which is false for NaN", "correct", says="For infinity and NaN")
def by_comparison(x):
    return tf.scan(lambda lowest, row: tf.where(row < lowest, row, lowest), x)
