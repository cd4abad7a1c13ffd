"""Answers to label_scores."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("label_scores")

answers.right("within the batch")(lambda scores, labels: tf.gather(scores, labels, batch_dims=1))


@answers.right()
def by_pairs_of_indices(scores, labels):
    return tf.gather_nd(scores, tf.stack([tf.range(len(labels)), labels], axis=1))


answers.wrong("the best score instead", "correct")(lambda scores, labels: tf.reduce_max(scores, axis=1))


@answers.wrong("a loop over rows", "unlooped")
def row_by_row(scores, labels):
    return tf.stack([scores[i, labels[i]] for i in range(len(scores))])
