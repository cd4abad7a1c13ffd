"""Answers to even_out."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("even_out")


@answers.right("a new axis by None")
def even_out_by_none(channels):
    return channels / tf.reduce_max(tf.abs(channels), axis=1)[:, None]


answers.wrong("maxima without their axis", "correct")(
    lambda channels: channels / tf.reduce_max(tf.abs(channels), axis=1)
)


@answers.wrong("map_fn in a graph", "unlooped", says="grows with the input")
@tf.function(reduce_retracing=True)
def even_out_mapped(channels):
    return tf.map_fn(lambda channel: channel / tf.reduce_max(tf.abs(channel)), channels)


answers.wrong("the peak of the first 4,096 samples", "correct", says="5,000 samples that get louder")(
    lambda channels: channels / tf.reduce_max(tf.abs(channels[:, :4096]), axis=1, keepdims=True)
)
