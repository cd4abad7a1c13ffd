"""Answers to global_mean."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("global_mean")


@answers.right("multiply_no_nan")
def without_nan(means, counts):
    weights = tf.cast(counts, means.dtype)
    return tf.reduce_sum(tf.math.multiply_no_nan(means, weights)) / tf.reduce_sum(weights)


@answers.wrong("a plain product for the first mean", "correct", says="replicas without examples")
def all_but_the_first(means, counts):
    weights = tf.cast(counts, means.dtype)
    others = tf.reduce_sum(tf.math.multiply_no_nan(means[1:], weights[1:]))
    return (means[0] * weights[0] + others) / tf.reduce_sum(weights)


@answers.wrong("int32 counts", "correct", says="billions of examples")
def narrow_counts(means, counts):
    return without_nan(means, tf.cast(counts, tf.int32))


@answers.wrong("an unweighted mean", "correct")
def unweighted(means, counts):
    return tf.reduce_mean(tf.boolean_mask(means, counts > 0))


answers.wrong("counts in float32", "correct", says="float64 means")(
    lambda means, counts: without_nan(means, tf.cast(tf.cast(counts, tf.float32), tf.float64))
)
