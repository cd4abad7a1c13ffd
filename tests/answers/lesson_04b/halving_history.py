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


@answers.wrong("still grown", "unlooped", says="intermediate tensors")
def grown(x, steps):
    history = (x / 2)[None]
    for _ in range(1, steps):
        history = tf.concat([history, history[-1:] / 2], 0)
    return history
