"""Answers to own_matrices."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("own_matrices")

answers.right("batched matvec")(lambda matrices, vectors: tf.linalg.matvec(matrices, vectors))
answers.right("one-column matrices")(lambda matrices, vectors: tf.matmul(matrices, vectors[:, :, None])[:, :, 0])
answers.wrong("the vectors as one matrix", "correct")(lambda matrices, vectors: tf.matmul(matrices, vectors))


@answers.wrong("map_fn", "unlooped", says="grows with the input")
def by_map_fn(matrices, vectors):
    return tf.map_fn(lambda pair: tf.linalg.matvec(*pair), (matrices, vectors), fn_output_signature=matrices.dtype)


@answers.wrong("a loop over the rows of the matrices", "unlooped", says="grows with the input")
def row_by_row(matrices, vectors):
    rows = tf.unstack(matrices, axis=1)
    return tf.stack([tf.einsum("nj,nj->n", row, vectors) for row in rows], axis=1)


@answers.wrong("0 in place of NaN times 0", "correct", says="a matrix with NaN")
def without_nan(matrices, vectors):
    return tf.reduce_sum(tf.math.multiply_no_nan(matrices, vectors[:, None]), axis=2)


answers.wrong("axes of one element removed", "correct", says="a single matrix")(
    lambda matrices, vectors: tf.squeeze(tf.matmul(matrices, vectors[:, :, None]))
)
