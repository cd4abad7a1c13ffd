"""Answers to last_state."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("last_state")


@answers.right("one column, from the right")
def by_columns(a, b, c, state):
    return (a @ (b @ (c @ state[:, None])))[:, 0]


@answers.wrong("from the left", "unlooped", says="larger than the result")
def from_the_left(a, b, c, state):
    return tf.linalg.matvec(a @ b @ c, state)


@answers.wrong("the reverse order", "correct", says="c meets the state first")
def reverse_order(a, b, c, state):
    return tf.linalg.matvec(c, tf.linalg.matvec(b, tf.linalg.matvec(a, state)))


@answers.wrong("the state on the left", "correct", says="not a vector times a matrix")
def state_on_the_left(a, b, c, state):
    return (((state[None] @ c) @ b) @ a)[0]
