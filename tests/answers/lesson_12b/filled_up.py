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


@answers.right("tf.signal.frame")
def by_frame(x):
    return tf.reshape(tf.signal.frame(x, 64, 64, pad_end=True), [-1])


@answers.wrong("one concat per zero", "unlooped", says="at most 48 are allowed")
def zero_by_zero(x):
    zero = tf.zeros([1], x.dtype)
    while len(x) % 64:
        x = tf.concat([x, zero], axis=0)
    return x
