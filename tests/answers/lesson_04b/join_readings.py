"""Answers to join_readings."""

import numpy as np
import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("join_readings")


@answers.right("np.repeat")
def by_numpy(readings):
    sensors = np.repeat(np.arange(len(readings), dtype=np.int32), [len(reading) for reading in readings])
    return tf.concat(readings, 0), tf.constant(sensors)


@answers.right("a ragged tensor")
def by_ragged(readings):
    ragged = tf.RaggedTensor.from_row_lengths(tf.concat(readings, 0), [len(reading) for reading in readings])
    return ragged.values, tf.cast(ragged.value_rowids(), tf.int32)


@answers.wrong("one concat per reading", "unlooped", says="the number grows with the input")
def grown(readings):
    joined = readings[0]
    for reading in readings[1:]:
        joined = tf.concat([joined, reading], 0)
    return joined, tf.repeat(tf.range(len(readings)), [len(reading) for reading in readings])


answers.wrong("stacked", "correct")(lambda readings: (tf.stack(readings), tf.range(len(readings))))


@answers.wrong("sensors by the identity of their readings", "correct", says="the very same readings")
def by_identity(readings):
    numbers = {id(reading): number for number, reading in enumerate(readings)}
    sensors = [numbers[id(reading)] for reading in readings]
    return tf.concat(readings, 0), tf.repeat(tf.constant(sensors), [len(reading) for reading in readings])
