"""Answers to halving_history."""

from math import floor, log2

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("halving_history")


@answers.right("a TensorArray of dynamic size")
def in_a_tensor_array(x, limit):
    states = tf.TensorArray(x.dtype, 0, dynamic_size=True, element_shape=x.shape)
    k = 0
    while k == 0 or tf.reduce_max(tf.abs(x)) >= limit:
        x = x / 2
        states = states.write(k, x)
        k += 1
    return states.stack()


@answers.wrong("one concat per state", "unlooped", says="intermediate tensors")
def grown(x, limit):
    history = (x / 2)[None]
    while tf.reduce_max(tf.abs(history[-1])) >= limit:
        history = tf.concat([history, history[-1:] / 2], 0)
    return history


@answers.wrong("the start included", "correct", says="The start is included")
def with_the_start(x, limit):
    states = [x]
    while len(states) == 1 or tf.reduce_max(tf.abs(states[-1])) >= limit:
        states.append(states[-1] / 2)
    return tf.stack(states)


@answers.wrong("states below 1e-20 replaced by 0", "correct", says="a limit of 2**-100")
def tiny_states_as_zero(x, limit):
    states = in_a_tensor_array(x, limit)
    return tf.where(tf.abs(states) < 1e-20, tf.zeros_like(states), states)


@answers.wrong("a negative value at the limit counts as below", "correct", says="negative value")
def between_both_limits(x, limit):
    states = []
    while not states or tf.reduce_max(x) >= limit or tf.reduce_min(x) < -limit:
        x = x / 2
        states.append(x)
    return tf.stack(states)


@answers.wrong("at most 200 states", "correct", says="a float64 value just below")
def of_200_states(x, limit):
    states = []
    while not states or (tf.reduce_max(tf.abs(x)) >= limit and len(states) < 200):
        x = x / 2
        states.append(x)
    return tf.stack(states)


@answers.wrong("powers of two in float32", "correct", says="large values and a limit")
def by_powers(x, limit):
    steps = len(in_a_tensor_array(x, limit))
    halvings = tf.reshape(tf.range(1, steps + 1), [-1] + [1] * len(x.shape))
    return x[None] / 2.0 ** tf.cast(halvings, x.dtype)


@answers.wrong("the number of states by a logarithm", "correct", says="just below the limit")
def counted_by_logarithm(x, limit):
    largest = float(tf.reduce_max(tf.abs(x)))
    states = []
    for _ in range(max(1, floor(log2(largest / limit)) + 1) if largest else 1):
        x = x / 2
        states.append(x)
    return tf.stack(states)
