"""Answers to hit_rate."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("hit_rate")


@answers.right("by equal")
def by_equal(scores, labels):
    return tf.reduce_mean(tf.cast(tf.equal(tf.argmax(scores, axis=1), labels), tf.float32))


@answers.wrong("in NumPy", "unlooped", says=".numpy()")
def in_numpy(scores, labels):
    return tf.constant((scores.numpy().argmax(1) == labels.numpy()).mean(), tf.float32)


@answers.right("compared with the maximum")
def compared_with_the_maximum(scores, labels):
    hits = tf.gather(scores, labels, batch_dims=1) == tf.reduce_max(scores, axis=1)
    return tf.reduce_mean(tf.cast(hits, tf.float32))
