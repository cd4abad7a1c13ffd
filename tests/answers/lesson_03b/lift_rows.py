"""Answers to lift_rows."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("lift_rows")


@answers.right()
def cast_and_turned(image, steps):
    return image + tf.cast(steps, image.dtype)[:, None]


@answers.wrong("the types as they are", "correct")
def without_a_cast(image, steps):
    return image + steps[:, None]


@answers.wrong("the shapes as they are", "correct", says="a second axis")
def without_a_new_axis(image, steps):
    return image + tf.cast(steps, image.dtype)


@answers.wrong(line="correct", says="dtype")
def float32_whatever_came(image, steps):
    return tf.cast(image, tf.float32) + tf.cast(steps, tf.float32)[:, None]
