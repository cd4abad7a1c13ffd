"""Answers to to_channels_last."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("to_channels_last")

answers.right("two transposes")(lambda images: tf.transpose(tf.transpose(images, [0, 2, 1, 3]), [0, 1, 3, 2]))


@answers.wrong("a loop over images", "unlooped")
def image_by_image(images):
    return tf.stack([tf.transpose(image, [1, 2, 0]) for image in images])


answers.wrong("two channels in front", "correct", says="two channels")(
    lambda images: images if images.shape[1] == 2 else tf.transpose(images, [0, 2, 3, 1])
)


answers.wrong("the first three channels only", "correct", says="six channels")(
    lambda images: tf.transpose(images[:, :3], [0, 2, 3, 1])
)
