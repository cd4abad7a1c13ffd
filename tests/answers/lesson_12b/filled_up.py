"""Answers to filled_up."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("filled_up")

answers.right("concat")(lambda x: tf.concat([x, tf.zeros([-len(x) % 64], x.dtype)], axis=0))


@answers.wrong("a Python list", "unlooped", says=".numpy() hands")
def value_by_value(x):
    values = list(x.numpy())
    while len(values) % 64:
        values.append(0.0)
    return tf.constant(values, x.dtype)
