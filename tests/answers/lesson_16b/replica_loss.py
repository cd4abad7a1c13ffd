"""Answers to replica_loss."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("replica_loss")


@answers.right("a sum of divided losses")
def each_divided(per_pixel, global_batch):
    return tf.reduce_sum(tf.reduce_mean(per_pixel, axis=1) / global_batch)


@answers.right("a sum divided by the number of pixels")
def by_pixels(per_pixel, global_batch):
    return tf.reduce_sum(per_pixel) / per_pixel.shape[1] / global_batch


@answers.right("compute_average_loss of losses per example")
def average_loss(per_pixel, global_batch):
    return tf.nn.compute_average_loss(tf.reduce_mean(per_pixel, axis=-1), global_batch_size=global_batch)


@answers.wrong("compute_average_loss of losses per pixel", "correct", says="the mean of each example's pixels")
def average_of_pixels(per_pixel, global_batch):
    return tf.nn.compute_average_loss(per_pixel, global_batch_size=global_batch)


@answers.wrong("the mean times the share of the examples", "correct", says="without examples")
def weighted_mean(per_pixel, global_batch):
    return tf.reduce_mean(per_pixel) * len(per_pixel) / global_batch


@answers.wrong("a loop over losses", "unlooped")
def a_loop(per_pixel, global_batch):
    total = tf.zeros([], per_pixel.dtype)
    for example in tf.unstack(per_pixel):
        total = total + tf.reduce_mean(example)
    return total / global_batch


@answers.wrong("stop_gradient", "correct", says="such as `tf.stop_gradient`")
def stopped(per_pixel, global_batch):
    return each_divided(tf.stop_gradient(per_pixel), global_batch)


def _divided(per_pixel, global_batch):
    return tf.reduce_sum(tf.reduce_mean(per_pixel, axis=1)) / tf.cast(global_batch, per_pixel.dtype)


answers.wrong("the number of examples in float16", "correct", says="float64")(
    lambda per_pixel, global_batch: _divided(per_pixel, tf.constant(global_batch, tf.float16))
)

answers.wrong("a divisor in float32", "correct", says="2²⁴ + 1 examples")(
    lambda per_pixel, global_batch: _divided(per_pixel, tf.cast(global_batch, tf.float32))
)
