"""Answers to global_mean."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("global_mean")


@answers.right("multiply_no_nan")
def without_nan(means, counts):
    weights = tf.cast(counts, means.dtype)
    return tf.reduce_sum(tf.math.multiply_no_nan(means, weights)) / tf.reduce_sum(weights)


@answers.wrong("a mean of the replicas with examples", "correct")
def unweighted(means, counts):
    return tf.reduce_mean(tf.boolean_mask(means, counts > 0))
