"""Answers to lift_rows."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("lift_rows")

answers.right("cast and turned")(lambda image, steps: image + tf.cast(steps, image.dtype)[:, None])
answers.wrong("the types as they are", "correct")(lambda image, steps: image + steps[:, None])


@answers.wrong(line="correct", says="dtype")
def float32_whatever_came(image, steps):
    return tf.cast(image, tf.float32) + tf.cast(steps, tf.float32)[:, None]
