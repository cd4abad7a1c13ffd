"""Answers to join_readings."""

import tensorflow as tf

from answers.table import right, wrong


@right("of a tuple")
def by_concat(readings):
    return tf.concat(tuple(readings), 0)


@wrong("still grown", "unlooped", says="the number grows with the input")
def grown(readings):
    joined = readings[0]
    for reading in readings[1:]:
        joined = tf.concat([joined, reading], 0)
    return joined


@wrong("backwards", "correct", says="opposite order")
def backwards(readings):
    return tf.concat(readings[::-1], 0)


@wrong("stacked", "correct")
def stacked(readings):
    return tf.stack(readings)
