"""Answers to slope_in_chunks."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("slope_in_chunks")


@answers.right("a tape per chunk")
def tape_per_chunk(x, weight, rows):
    total = tf.zeros_like(weight)
    for start in range(0, len(x), rows):
        with tf.GradientTape() as tape:
            tape.watch(weight)
            loss = tf.reduce_sum(tf.tanh(tf.matmul(x[start : start + rows], weight)) ** 2)
        total += tape.gradient(loss, weight)
    return total


@answers.wrong("one tape around all chunks", "unlooped", says="are alive at one time")
def one_tape(x, weight, rows):
    loss = 0.0
    with tf.GradientTape() as tape:
        tape.watch(weight)
        for start in range(0, len(x), rows):
            loss += tf.reduce_sum(tf.tanh(tf.matmul(x[start : start + rows], weight)) ** 2)
    return tape.gradient(loss, weight)


@answers.wrong("a loop over rows", "unlooped", says="grows with the input")
def row_by_row(x, weight, rows):
    return tape_per_chunk(x, weight, 1)


@answers.wrong("complete chunks only", "correct")
def complete_chunks(x, weight, rows):
    total = tf.zeros_like(weight)
    for begin in range(0, len(x) - rows + 1, rows):
        with tf.GradientTape() as tape:
            tape.watch(weight)
            loss = tf.reduce_sum(tf.tanh(x[begin : begin + rows] @ weight) ** 2)
        total += tape.gradient(loss, weight)
    return total


answers.wrong("at most 16 chunks", "correct", says="300 chunks")(
    lambda x, weight, rows: tape_per_chunk(x[: 16 * rows], weight, rows)
)


answers.wrong("a weight without its axes of size 1", "correct", says="a single weight")(
    lambda x, weight, rows: tf.squeeze(tape_per_chunk(x, weight, rows))
)
answers.wrong("the number of chunks plus 0.999, rounded down", "correct", says="a last chunk of one row")(
    lambda x, weight, rows: tape_per_chunk(x[: int(len(x) / rows + 0.999) * rows], weight, rows)
)
