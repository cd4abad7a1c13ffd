"""Answers to lift_rows."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("lift_rows")

answers.right("cast, as a column")(lambda image, steps: image + tf.cast(steps, image.dtype)[:, None])
answers.right("each step repeated")(
    lambda image, steps: image + tf.reshape(tf.repeat(tf.cast(steps, image.dtype), image.shape[1]), image.shape)
)
answers.wrong("without a cast", "correct")(lambda image, steps: image + steps[:, None])


@answers.wrong(line="correct", says="dtype")
def float32_for_every_dtype(image, steps):
    return tf.cast(image, tf.float32) + tf.cast(steps, tf.float32)[:, None]


@answers.wrong("a loop over rows", "unlooped", says="grows with the input")
def row_by_row(image, steps):
    return tf.stack([row + tf.cast(step, image.dtype) for row, step in zip(image, steps)])


answers.wrong("at most 100 columns", "correct", says="4,100 values")(
    lambda image, steps: tf.concat([image[:, :100] + tf.cast(steps, image.dtype)[:, None], image[:, 100:]], 1)
)
