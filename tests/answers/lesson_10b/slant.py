"""Answers to slant."""

import math

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("slant")


@answers.right("computed positions and gather")
def by_places(table):
    rows, columns = table.shape
    i, d = tf.range(rows)[None], tf.range(rows + columns - 1)[:, None]
    exists = (d - i >= 0) & (d - i < columns)
    cells = tf.gather(tf.reshape(table, [-1]), i * columns + tf.clip_by_value(d - i, 0, columns - 1))
    return tf.where(exists, cells, tf.constant(math.inf, table.dtype))


answers.wrong("transposed", "correct")(lambda table: tf.transpose(by_places(table)))


@answers.wrong("a loop over rows", "unlooped", says="grows with the input")
def row_by_row(table):
    last = len(table) - 1
    shifted = [tf.pad(row, [[i, last - i]], constant_values=math.inf) for i, row in enumerate(tf.unstack(table))]
    return tf.stack(shifted, axis=1)


@answers.wrong("a Python list of all cells", "unlooped", says="makes 600 pieces: the number grows with the input")
def a_list_of_all_cells(table):
    rows, columns = table.shape
    cells, nothing = tf.unstack(tf.reshape(table, [-1])), tf.constant(math.inf, table.dtype)
    places = [(i, d - i) for d in range(rows + columns - 1) for i in range(rows)]
    moved = [cells[i * columns + j] if 0 <= j < columns else nothing for i, j in places]
    return tf.reshape(tf.stack(moved), [-1, rows])


@answers.wrong("infinity added to the first cell", "correct", says="infinity and NaN")
def infinity_added(table):
    rows, columns = table.shape
    row = tf.range(rows)
    column = tf.range(rows + columns - 1)[:, None] - row
    exists = (column >= 0) & (column < columns)
    cells = tf.gather(tf.reshape(table, [-1]), tf.where(exists, row * columns + column, 0))
    return cells + tf.where(exists, tf.constant(0, table.dtype), tf.constant(math.inf, table.dtype))


@answers.wrong("1e30 in place of infinity until the end", "correct", says="the largest float32")
def by_a_large_number(table):
    fronts = by_places(table)
    return tf.where(fronts > 1e30, tf.constant(math.inf, table.dtype), fronts)


answers.wrong("a single number for a single cell", "correct", says="a single cell")(
    lambda table: table[0, 0] if table.shape == (1, 1) else by_places(table)
)
