"""Answers to cool_at_once."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("cool_at_once")


@answers.right("by the exponential")
def cool_by_exp(temps, minutes):
    return 20.0 + tf.exp(tf.cast(minutes, temps.dtype) * tf.math.log(0.9)) * (temps - 20.0)


answers.right("with a Python number")(lambda temps, minutes: 20.0 + 0.9 ** int(minutes) * (temps - 20.0))


@answers.wrong("a loop after all", "unlooped")
def cool_in_a_loop(temps, minutes):
    return tf.while_loop(lambda i, t: i < minutes, lambda i, t: (i + 1, t + 0.1 * (20.0 - t)), [0, temps])[1]


@answers.wrong("a power of a whole number", "correct", says="int32")
def cool_by_a_whole_power(temps, minutes):
    return 20.0 + tf.constant(0.9) ** minutes * (temps - 20.0)
