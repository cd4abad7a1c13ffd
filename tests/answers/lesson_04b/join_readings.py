"""Answers to join_readings."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("join_readings")

answers.right("of a tuple")(lambda readings: tf.concat(tuple(readings), 0))


@answers.wrong("still grown", "unlooped", says="the number grows with the input")
def grown(readings):
    joined = readings[0]
    for reading in readings[1:]:
        joined = tf.concat([joined, reading], 0)
    return joined


answers.wrong("stacked", "correct")(lambda readings: tf.stack(readings))
