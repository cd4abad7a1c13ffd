"""Answers to row_gradients."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("row_gradients")


@answers.right("scatter_nd")
def by_scatter(indices, values):
    distinct, labels = tf.unique(indices)
    return distinct, tf.scatter_nd(labels[:, None], values, [tf.size(distinct), values.shape[1]])


@answers.wrong("one mask per index", "unlooped", says="grows with the input")
def index_by_index(indices, values):
    distinct, _ = tf.unique(indices)
    sums = [tf.reduce_sum(tf.where((indices == each)[:, None], values, 0), axis=0) for each in distinct]
    return distinct, tf.stack(sums) if sums else tf.zeros([0, values.shape[1]], values.dtype)


@answers.wrong("sorted indices", "correct")
def in_ascending_order(indices, values):
    distinct, labels = tf.unique(indices)
    order = tf.argsort(distinct)
    sums = tf.math.unsorted_segment_sum(values, labels, tf.size(distinct))
    return tf.gather(distinct, order), tf.gather(sums, order)


@answers.wrong("int32 indices", "correct", says="64-bit")
def indices_of_32_bits(indices, values):
    distinct, sums = by_scatter(tf.cast(indices, tf.int32), values)
    return tf.cast(distinct, indices.dtype), sums


@answers.wrong("a loop over columns", "unlooped", says="grows with the input")
def column_by_column(indices, values):
    distinct, labels = tf.unique(indices)
    columns = tf.unstack(values, axis=1)
    return distinct, tf.stack([tf.math.unsorted_segment_sum(each, labels, tf.size(distinct)) for each in columns], 1)


@answers.wrong("sums without their one column", "correct", says="one column")
def squeezed_sums(indices, values):
    distinct, sums = by_scatter(indices, values)
    return distinct, tf.squeeze(sums, axis=-1) if values.shape[1] == 1 else sums


answers.wrong("the first 1,024 rows only", "correct", says="1,030 rows")(
    lambda indices, values: by_scatter(indices[:1024], values[:1024])
)
