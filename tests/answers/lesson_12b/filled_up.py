"""Answers to filled_up."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("filled_up")


@answers.wrong(line="correct", says="gets 64 zeros more")
def always_filled(x):
    return tf.pad(x, [[0, 64 - x.shape[0] % 64]])


@answers.wrong(line="correct", says="stand in front")
def in_front(x):
    return tf.pad(x, [[-x.shape[0] % 64, 0]])
