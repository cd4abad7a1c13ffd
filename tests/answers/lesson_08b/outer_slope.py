"""Answers to outer_slope."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("outer_slope")


def _settle(x):
    for _ in range(12):
        x = tf.sin(x)
    return x


@answers.right("the tape around the last step")
def around_the_end(x, weight):
    h = _settle(x)
    with tf.GradientTape() as tape:
        tape.watch(weight)
        loss = tf.reduce_mean(h * weight)
    return tape.gradient(loss, weight)


@answers.right("recording stopped")
def stopped(x, weight):
    with tf.GradientTape() as tape:
        tape.watch(weight)
        with tape.stop_recording():
            h = _settle(x)
        loss = tf.reduce_mean(h * weight)
    return tape.gradient(loss, weight)


@answers.wrong("everything recorded", "unlooped", says="are alive at one time")
def recorded(x, weight):
    with tf.GradientTape() as tape:
        tape.watch([x, weight])
        loss = tf.reduce_mean(_settle(x) * weight)
    return tape.gradient(loss, weight)


answers.wrong("the gradient with respect to x", "correct")(
    lambda x, weight: tf.zeros_like(x) + weight / tf.cast(tf.size(x), x.dtype)
)


@answers.right("a loop in a graph")
@tf.function
def in_a_graph(x, weight):
    for _ in tf.range(12):
        x = tf.sin(x)
    return tf.reduce_mean(x, axis=0) / x.shape[1]


answers.wrong("the mean of four columns", "correct", says="a single column")(
    lambda x, weight: tf.reduce_mean(_settle(x), 0) / 4
)


@answers.wrong("a weight that isn't watched", "correct", says="watch `weight`")
def unwatched(x, weight):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(_settle(x) * weight)
    return tape.gradient(loss, weight)
