"""Answers to grown."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("grown")


@tf.function
def _in_a_while_loop(start, growth):
    years = tf.shape(growth)[0]
    one_year = lambda year, y: (year + 1, growth[year] * y * (1.0 - y))
    return tf.while_loop(lambda year, y: year < years, one_year, (0, start))[1]


answers.right("a while_loop in a graph")(lambda start, growth: _in_a_while_loop(start, growth))


@answers.right("a loop over indices compiled by XLA")
@tf.function(reduce_retracing=True, jit_compile=True)
def by_xla(start, growth):
    for year in tf.range(tf.shape(growth)[0]):
        start = growth[year] * start * (1 - start)
    return start


@answers.wrong("float32 for every dtype", "correct", says="float64 values")
def in_float32(start, growth):
    return tf.cast(_in_a_while_loop(tf.cast(start, tf.float32), tf.cast(growth, tf.float32)), start.dtype)


def _grow(start, growth):
    for rate in growth:
        start = rate * start * (1.0 - start)
    return start


@answers.wrong("eager operations on all islands", "unlooped", says="A call of a graph counts as one")
def without_a_graph(start, growth):
    return _grow(start, growth)


@answers.wrong("a new graph in each call", "unlooped", says="a new function")
def a_new_graph(start, growth):
    return tf.function(_grow)(start, growth)


@answers.wrong("at most seven years", "correct")
@tf.function(reduce_retracing=True)
def seven_years(start, growth):
    for year in tf.range(tf.minimum(tf.size(growth), 7)):
        start = growth[year] * start * (1.0 - start)
    return start


answers.wrong("a signature of float32", "correct", says="The input_signature of")(
    tf.function(_in_a_while_loop.python_function, input_signature=[tf.TensorSpec([None])] * 2)
)


@answers.wrong("the first 60 years", "correct", says="300 years")
def sixty_years(start, growth):
    return _in_a_while_loop(start, growth[:60])


@answers.wrong("at most 100 islands", "correct", says="300 islands")
@tf.function(reduce_retracing=True)
def of_100_islands(start, growth):
    for rate in growth:
        start = rate * start * (1.0 - start)
    return tf.where(tf.range(tf.size(start)) < 100, start, 0.0)
