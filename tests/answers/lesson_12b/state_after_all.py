"""Answers to state_after_all."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("state_after_all")


@answers.right()
@tf.function(input_signature=[tf.TensorSpec([None, 3])])
def by_autograph(x):
    state = tf.zeros([3])
    for row in x:
        state = 0.5 * state + row
    return state


@answers.wrong("a graph for each length", "unlooped", says="input_signature")
@tf.function
def unrolled(x):
    state = tf.zeros([3])
    for row in tf.unstack(x):
        state = 0.5 * state + row
    return state
