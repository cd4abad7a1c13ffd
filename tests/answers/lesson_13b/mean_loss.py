"""Answers to mean_loss."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("mean_loss")

answers.right("add_n")(lambda losses: tf.add_n(losses) / len(losses))


@answers.wrong("float() for each loss", "unlooped", says="float()")
def by_float(losses):
    return tf.constant(sum(map(float, losses)) / len(losses), losses[0].dtype)


@answers.wrong("magnitudes", "correct", says="2,100 losses below 0")
def magnitudes(losses):
    return tf.reduce_mean(tf.abs(tf.stack(losses)))
