"""Answers to rotate_each."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("rotate_each")


def _rotate(pair):
    point, angle = pair
    x, y = point[0], point[1]
    return tf.stack([x * tf.cos(angle) - y * tf.sin(angle), x * tf.sin(angle) + y * tf.cos(angle)])


@answers.right("the formula on columns")
def by_hand(points, angles):
    (x, y), cos, sin = tf.unstack(points, axis=1), tf.cos(angles), tf.sin(angles)
    return tf.stack([x * cos - y * sin, x * sin + y * cos], 1)


@answers.wrong("map_fn", "unlooped", says="grows with the input")
def by_map_fn(points, angles):
    return tf.map_fn(_rotate, (points, angles), fn_output_signature=points.dtype)


answers.right("in a graph for any length")(
    tf.function(lambda points, angles: tf.vectorized_map(_rotate, (points, angles)), reduce_retracing=True)
)


@answers.wrong("one product per point", "unlooped", says="grows with the input")
def point_by_point(points, angles):
    cos, sin = tf.cos(angles), tf.sin(angles)
    turns = tf.reshape(tf.stack([cos, -sin, sin, cos], axis=1), [-1, 2, 2])
    pairs = zip(tf.unstack(turns), tf.unstack(points))
    return tf.stack([tf.einsum("ij,j->i", turn, point) for turn, point in pairs])


@answers.wrong("small angles replaced by 0", "correct", says="angles of about 1e-5")
def without_small_angles(points, angles):
    return by_hand(points, tf.where(tf.abs(angles) < 1e-4, tf.zeros_like(angles), angles))


answers.wrong("axes of one element removed", "correct", says="a single point")(
    lambda points, angles: tf.squeeze(by_hand(points, angles))
)
