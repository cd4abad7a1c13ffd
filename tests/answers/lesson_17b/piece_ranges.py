"""Answers to piece_ranges."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("piece_ranges")


@answers.right("the elements of each piece on the first axis")
def elements_on_the_first_axis(windows, width):
    pieces = tf.transpose(tf.reshape(windows, [windows.shape[0], windows.shape[1] // width, width]), [2, 0, 1])
    return tf.reduce_max(pieces, 0) - tf.reduce_min(pieces, 0)


@answers.wrong("a loop over pieces", "unlooped", says="a loop still runs over it")
def piece_by_piece(windows, width):
    pieces = tf.split(windows, windows.shape[1] // width, axis=1)
    return tf.stack([tf.reduce_max(each, axis=1) - tf.reduce_min(each, axis=1) for each in pieces], axis=1)


@answers.right("tf.signal.frame")
def by_frame(windows, width):
    pieces = tf.signal.frame(windows, width, width)
    return tf.reduce_max(pieces, axis=-1) - tf.reduce_min(pieces, axis=-1)


@answers.wrong("a loop over windows", "unlooped", says="grows with the input")
def window_by_window(windows, width):
    pieces = [tf.reshape(window, [-1, width]) for window in tf.unstack(windows)]
    return tf.stack([tf.reduce_max(each, axis=1) - tf.reduce_min(each, axis=1) for each in pieces])


@answers.wrong("values up to 1e9", "correct", says="about 1e30")
def up_to_1e9(windows, width):
    pieces = tf.reshape(windows, [windows.shape[0], -1, width])
    return tf.maximum(tf.reduce_max(pieces, 2), -1e9) - tf.minimum(tf.reduce_min(pieces, 2), 1e9)


@answers.wrong("a loop over the values of a piece", "unlooped", says="grows with the input")
def value_by_value(windows, width):
    low = high = windows[:, ::width]
    for k in range(1, width):
        low, high = tf.minimum(low, windows[:, k::width]), tf.maximum(high, windows[:, k::width])
    return high - low
