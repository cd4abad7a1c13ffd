"""Answers to halving_history."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("halving_history")


@answers.right("in a TensorArray")
def in_a_tensor_array(x, steps):
    states = tf.TensorArray(x.dtype, steps)
    for k in range(steps):
        x = x / 2
        states = states.write(k, x)
    return states.stack()


@answers.wrong("still grown", "unlooped", says="Which need not be made")
def grown(x, steps):
    history = (x / 2)[None]
    for _ in range(1, steps):
        history = tf.concat([history, history[-1:] / 2], 0)
    return history


@answers.wrong("the start first", "correct", says="Off by one")
def with_the_start(x, steps):
    return tf.stack([x / 2**k for k in range(steps)])


@answers.wrong("the last one", "correct", says="last state alone")
def the_last_one(x, steps):
    return x / 2**steps
