"""Answers to hit_rate."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("hit_rate")


@answers.right("by equal")
def by_equal(scores, labels):
    return tf.reduce_mean(tf.cast(tf.equal(tf.argmax(scores, axis=1), labels), tf.float32))


@answers.wrong("a detour through NumPy", "unlooped", says=".numpy()")
def in_numpy(scores, labels):
    return tf.constant((scores.numpy().argmax(1) == labels.numpy()).mean(), tf.float32)


@answers.right("compared with the maximum")
def compared_with_the_maximum(scores, labels):
    hits = tf.gather(scores, labels, batch_dims=1) == tf.reduce_max(scores, axis=1)
    return tf.reduce_mean(tf.cast(hits, tf.float32))


@answers.wrong("a float16 count", "correct", says="2,049 hits")
def in_float16(scores, labels):
    hits = tf.reduce_sum(tf.cast(tf.argmax(scores, axis=1) == labels, tf.float16))
    return tf.cast(hits, tf.float32) / tf.cast(tf.size(labels), tf.float32)


@answers.wrong("a tolerance of 1e-6 below the maximum", "correct", says="small scores")
def nearly_the_maximum(scores, labels):
    hits = tf.gather(scores, labels, batch_dims=1) >= tf.reduce_max(scores, axis=1) - 1e-6
    return tf.reduce_mean(tf.cast(hits, tf.float32))


@answers.wrong("indices in int8", "correct", says="at index 260")
def in_int8(scores, labels):
    hits = tf.cast(tf.argmax(scores, axis=1), tf.int8) == tf.cast(labels, tf.int8)
    return tf.reduce_mean(tf.cast(hits, tf.float32))


@answers.wrong("a loop over classes", "unlooped", says="grows with the input")
def class_by_class(scores, labels):
    best, hits = tf.reduce_max(scores, axis=1), tf.zeros(len(labels), tf.bool)
    for k, column in enumerate(tf.unstack(scores, axis=1)):
        hits |= (labels == k) & (column == best)
    return tf.reduce_mean(tf.cast(hits, tf.float32))


answers.wrong("the first 4,096 rows only", "correct", says="5,000 rows")(
    lambda scores, labels: tf.reduce_mean(tf.cast(tf.argmax(scores[:4096], axis=1) == labels[:4096], tf.float32))
)


@answers.wrong("equal to the maximum of any row", "correct", says="small scores")
def equal_to_any_maximum(scores, labels):
    chosen = tf.gather(scores, labels, batch_dims=1)
    hits = tf.reduce_any(chosen[:, None] == tf.reduce_max(scores, axis=1), axis=1)
    return tf.reduce_mean(tf.cast(hits, tf.float32))
