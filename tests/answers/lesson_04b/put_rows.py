"""Answers to put_rows."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("put_rows")


@answers.right("one gather of all rows")
def by_gather(table, indices, rows):
    count = len(table)
    order = tf.tensor_scatter_nd_update(tf.range(count), indices[:, None], count + tf.range(len(rows)))
    return tf.gather(tf.concat([table, rows], 0), order)


@answers.wrong("a loop over rows", "unlooped", says="the number grows with the input")
def one_by_one(table, indices, rows):
    for k in range(len(rows)):
        table = tf.tensor_scatter_nd_update(table, indices[k, None, None], rows[k, None])
    return table


@answers.wrong("a loop over columns", "unlooped", says="grows with the input")
def column_by_column(table, indices, rows):
    columns = zip(tf.unstack(table, axis=1), tf.unstack(rows, axis=1))
    return tf.stack([tf.tensor_scatter_nd_update(old, indices[:, None], new) for old, new in columns], axis=1)


@answers.wrong("the new rows as they are if all are new", "correct", says="new integers in each row")
def only_new_rows(table, indices, rows):
    return rows if len(rows) == len(table) > 1 else tf.tensor_scatter_nd_update(table, indices[:, None], rows)
