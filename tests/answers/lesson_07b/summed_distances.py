"""Answers to summed_distances."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("summed_distances")


@answers.right("einsum")
def by_einsum(others, points):
    squares = tf.einsum("od,od->", others, others) + len(others) * tf.einsum("pd,pd->p", points, points)
    return squares - 2 * tf.einsum("od,pd->p", others, points)


@answers.wrong("vectorized_map", "unlooped", says="Which intermediate tensors")
def all_at_once(others, points):
    return tf.vectorized_map(lambda point: tf.reduce_sum(tf.square(others - point)), points)


@answers.wrong("a table of distances", "unlooped", says="Which intermediate tensors")
def every_distance(others, points):
    return tf.reduce_sum(tf.square(others - points[:, None]), [1, 2])


@answers.wrong("a loop over points", "unlooped", says="grows with the input")
def point_by_point(others, points):
    total, squares = tf.reduce_sum(others, 0), tf.reduce_sum(others * others)
    return tf.stack([squares + tf.tensordot(p, len(others) * p - 2 * total, 1) for p in tf.unstack(points)])


answers.wrong("the first 4,096 other points only", "correct", says="4,099 other points")(
    lambda others, points: by_einsum(others[:4096], points)
)
