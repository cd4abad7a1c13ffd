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
