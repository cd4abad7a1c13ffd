"""Answers to descend."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("descend")
# The slow loop has no loop over values, but each call traces it again.
answers.exception("the slow loop itself", "unlooped", says="traced")


def _downhill(x, rate):
    for _ in range(10):
        x = x - rate * (x + tf.sin(2.0 * x))
    return x


_in_one_graph = tf.function(_downhill)
_compiled = tf.function(_downhill, jit_compile=True)


@tf.function
def _in_a_loop(x, rate):
    for _ in tf.range(10):
        x = x - rate * (x + tf.sin(2.0 * x))
    return x


_first_rate = []


@answers.right("a graph with a tensor rate")
def descend_in_a_graph(x, rate):
    return _in_one_graph(x, tf.convert_to_tensor(rate, x.dtype))


answers.right("a loop in a graph, with a tensor rate")(
    lambda x, rate: _in_a_loop(x, tf.convert_to_tensor(rate, x.dtype))
)
answers.right("XLA with a tensor rate")(lambda x, rate: _compiled(x, tf.convert_to_tensor(rate, x.dtype)))


@answers.wrong("a graph with a Python number", "unlooped", says="traced")
@tf.function
def a_graph_and_a_python_number(x, rate):
    return _downhill(x, rate)


@answers.wrong(line="unlooped", says="traced")
def a_new_graph_in_each_call(x, rate):
    return tf.function(_downhill)(x, tf.convert_to_tensor(rate, x.dtype))


@answers.wrong("a loop over values", "unlooped")
def descend_row_by_row(x, rate):
    flat = tf.reshape(x, [-1])
    values = [descend_in_a_graph(value, rate) for value in flat]
    return tf.reshape(tf.stack(values), x.shape) if values else tf.identity(x)


answers.wrong("no graph", "unlooped", says="Python starts")(lambda x, rate: _downhill(x, rate))


@answers.wrong(line="unlooped", says="Python starts")
def a_loop_without_a_graph(x, rate):
    return _downhill(x, tf.convert_to_tensor(rate, x.dtype))


@answers.wrong("the first call's rate", "correct")
def descend_at_the_first_rate(x, rate):
    _first_rate[:] = _first_rate or [rate]
    return _in_one_graph(x, tf.cast(_first_rate[0], x.dtype))


@tf.function
def _until_flat(x, rate):
    for _ in tf.range(10):
        slope = x + tf.sin(2.0 * x)
        x = tf.where(tf.abs(slope) < 1e-2, x, x - rate * slope)
    return x


@answers.wrong("no step if the slope is small", "correct")
def descend_until_flat(x, rate):
    return _until_flat(x, tf.convert_to_tensor(rate, x.dtype))


answers.wrong("a constant of default dtype", "correct")(lambda x, rate: _in_one_graph(x, tf.constant(rate)))
answers.wrong("a rate that must be a tensor", "correct")(lambda x, r: _in_one_graph(x, tf.constant(r.numpy(), x.dtype)))
answers.wrong("a NumPy array", "correct", says="NumPy")(lambda x, rate: descend_in_a_graph(x, rate).numpy())


answers.wrong("a rate of 0.2 at most", "correct", says="the integer rate 1")(
    lambda x, rate: descend_in_a_graph(x, rate if tf.is_tensor(rate) else min(rate, 0.2))
)
