"""Answers to unscale_gradients."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("unscale_gradients")


@answers.right("tested as one vector")
def as_one_vector(gradients, scale):
    values = tf.concat([tf.reshape(gradient, [-1]) for gradient in gradients], axis=0)
    finite = tf.reduce_all(tf.math.is_finite(values))
    return [tf.cast(gradient, tf.float32) / scale for gradient in gradients], finite


@answers.wrong("asked by Python", "unlooped", says=".numpy()")
def asked_by_python(gradients, scale):
    finite = all(tf.reduce_all(tf.math.is_finite(gradient)).numpy() for gradient in gradients)
    return [tf.cast(gradient, tf.float32) / scale for gradient in gradients], tf.constant(finite)
