"""Answers to filled_up."""

import tensorflow as tf

from answers.table import wrong


@wrong(line="correct", says="gets 64 zeros more")
def always_filled(x):
    return tf.pad(x, [[0, 64 - x.shape[0] % 64]])


@wrong(line="correct", says="stand in front")
def in_front(x):
    return tf.pad(x, [[-x.shape[0] % 64, 0]])
