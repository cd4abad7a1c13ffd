"""Answers to hooked_pairs."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("hooked_pairs")


@answers.right("a segment minimum")
def by_segment(roots, one, other):
    smallest = tf.math.unsorted_segment_min(tf.minimum(one, other), tf.maximum(one, other), tf.size(roots))
    return tf.minimum(roots, smallest)


@answers.wrong("assignment instead of a minimum", "correct")
def assigned(roots, one, other):
    high, low = tf.maximum(one, other), tf.minimum(one, other)
    order = tf.argsort(low, stable=True)
    return tf.tensor_scatter_nd_update(roots, tf.gather(high, order)[:, None], tf.gather(low, order))


@answers.wrong("assignment with the smallest last", "correct", says="writes several values to one position")
def smallest_last(roots, one, other):
    high, low = tf.maximum(one, other), tf.minimum(one, other)
    order = tf.argsort(low, direction="DESCENDING", stable=True)
    return tf.tensor_scatter_nd_update(roots, tf.gather(high, order)[:, None], tf.gather(low, order))


@answers.wrong("a loop over pairs", "unlooped")
def pair_by_pair(roots, one, other):
    for a, b in zip(tf.unstack(one), tf.unstack(other)):
        roots = tf.tensor_scatter_nd_min(roots, [[tf.maximum(a, b)]], [tf.minimum(a, b)])
    return roots


@answers.right("two sorts and the first pair of each root")
def after_two_sorts(roots, one, other):
    high, low = tf.maximum(one, other), tf.minimum(one, other)
    order = tf.argsort(low, stable=True)
    high, low = tf.gather(high, order), tf.gather(low, order)
    order = tf.argsort(high, stable=True)
    high, low = tf.gather(high, order), tf.gather(low, order)
    first = tf.concat([[-1], high], 0)[:-1] != high
    return tf.tensor_scatter_nd_update(roots, tf.boolean_mask(high, first)[:, None], tf.boolean_mask(low, first))


@answers.right("a table of roots and pairs")
def table(roots, one, other):
    own = roots[:, None]
    hooked = tf.where(tf.maximum(one, other) == own, tf.minimum(one, other), own)
    return tf.reduce_min(tf.concat([own, hooked], 1), 1)


@answers.wrong("roots in half precision", "correct", says="70,000 roots")
def in_half_precision(roots, one, other):
    smaller = tf.cast(tf.minimum(one, other), tf.float16)
    parents = tf.tensor_scatter_nd_min(tf.cast(roots, tf.float16), tf.maximum(one, other)[:, None], smaller)
    return tf.cast(parents, tf.int32)


@answers.wrong("int32 keys", "correct", says="70,000 roots")
def keys_of_32_bits(roots, one, other):
    keys = tf.maximum(one, other) * len(roots) + tf.minimum(one, other)
    return tf.tensor_scatter_nd_min(roots, (keys // len(roots))[:, None], keys % len(roots))


answers.wrong("at most 4,096 pairs", "correct", says="5,000 pairs")(
    lambda roots, one, other: by_segment(roots, one[:4096], other[:4096])
)
