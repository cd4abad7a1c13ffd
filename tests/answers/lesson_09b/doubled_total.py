"""Answers to doubled_total."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("doubled_total")


@answers.wrong(line="correct", says="first round only")
def one_round(x):
    return tf.concat([x[:1], x[1:] + x[:-1]], axis=0)


@answers.wrong(line="correct", says="lacks the row itself")
def without_the_row(x):
    return tf.cumsum(x, axis=0, exclusive=True)


@answers.wrong("a loop", "unlooped")
def row_after_row(x):
    return tf.scan(lambda total, row: total + row, x)
