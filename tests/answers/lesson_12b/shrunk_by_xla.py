"""Answers to shrunk_by_xla."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("shrunk_by_xla")


@answers.wrong(line="correct", says="The sign is lost")
@tf.function(jit_compile=True)
def without_the_sign(x):
    return tf.nn.relu(tf.abs(x) - 0.5)


@answers.wrong("no graph", "unlooped", says="Python starts")
def one_by_one(x):
    return tf.sign(x) * tf.nn.relu(tf.abs(x) - 0.5)


@answers.wrong(line="correct", says="must move by 0.5")
@tf.function(jit_compile=True)
def only_cut(x):
    return tf.where(tf.abs(x) > 0.5, x, 0.0)
