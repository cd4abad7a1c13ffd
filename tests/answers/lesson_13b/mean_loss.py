"""Answers to mean_loss."""

import tensorflow as tf

from answers.table import right, wrong


@right("add_n")
def by_add_n(losses):
    return tf.add_n(losses) / len(losses)


@wrong("asked each", "unlooped", says="float()")
def asked(losses):
    return tf.constant(sum(map(float, losses)) / len(losses), losses[0].dtype)


@wrong("the sum", "correct", says="This is the sum")
def summed(losses):
    return tf.reduce_sum(tf.stack(losses))
