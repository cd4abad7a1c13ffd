"""Answers to lowest_so_far."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("lowest_so_far")


@answers.wrong(line="correct", says="of all rows")
def the_lowest_of_all(x):
    return tf.zeros_like(x) + tf.reduce_min(x, axis=0)


@answers.wrong(line="correct", says="began with 0")
def begun_with_0(x):
    return tf.scan(tf.minimum, x, initializer=tf.zeros_like(x[0]))
