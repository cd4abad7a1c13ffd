"""Answers to shared_tags."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("shared_tags")

answers.right("einsum")(lambda tags: tf.einsum("it,jt->ij", tags, tags))
answers.wrong("tags with tags", "correct", says="shape")(lambda tags: tf.matmul(tags, tags, transpose_a=True))
answers.wrong("the tables as they stand", "correct")(lambda tags: tf.matmul(tags, tags))


@answers.wrong("a loop over posts", "unlooped", says="grows with the input")
def post_by_post(tags):
    rows = [tf.linalg.matvec(tags, one) for one in tags]
    return tf.stack(rows) if rows else tf.zeros([0, 0], tags.dtype)
