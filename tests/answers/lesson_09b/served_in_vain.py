"""Answers to served_in_vain."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("served_in_vain")


@answers.wrong(line="correct", says="never above 0")
def the_start_forgotten(change):
    return -tf.scan(tf.minimum, tf.cumsum(change, axis=0))


@answers.wrong(line="correct", says="sign is turned")
def below_0(change):
    return tf.minimum(tf.scan(tf.minimum, tf.cumsum(change, axis=0)), 0.0)


@answers.wrong(line="correct", says="lowest change")
def without_the_walk(change):
    return -tf.minimum(tf.scan(tf.minimum, change), 0.0)
