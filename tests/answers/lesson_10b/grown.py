"""Answers to grown."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("grown")


@tf.function
def _in_a_while_loop(start, growth):
    years = tf.shape(growth)[0]
    one_year = lambda year, y: (year + 1, growth[year] * y * (1.0 - y))
    return tf.while_loop(lambda year, y: year < years, one_year, (0, start))[1]


@answers.right("a while_loop in a graph")
def in_a_while_loop(start, growth):
    return _in_a_while_loop(start, growth)


@answers.wrong("a year too few", "correct", says="last year is missing")
def one_year_less(start, growth):
    return _in_a_while_loop(start, growth[:-1])


@answers.wrong("without the limit of the land", "correct", says="1 − y")
def without_limit(start, growth):
    return start * tf.reduce_prod(growth)


@answers.wrong("all islands, without a graph", "unlooped", says="A graph is started once")
def without_a_graph(start, growth):
    for rate in growth:
        start = rate * start * (1.0 - start)
    return start
