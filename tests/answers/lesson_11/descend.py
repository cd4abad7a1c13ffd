"""Answers to descend."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("descend")
answers.exception(
    "the slow loop itself", "unlooped", says="traced"
)  # it has no loop over values, but a new trace a call


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


def _descend_in(dtype, x, rate):
    return tf.cast(_in_one_graph(tf.cast(x, dtype), tf.cast(rate, dtype)), x.dtype)


@answers.right("a graph and a tensor")
def descend_in_a_graph(x, rate):
    return _in_one_graph(x, tf.convert_to_tensor(rate, x.dtype))


@answers.right()
def a_loop_in_a_graph(x, rate):
    return _in_a_loop(x, tf.convert_to_tensor(rate, x.dtype))


@answers.right("compiled, with a tensor")
def compiled_with_a_tensor(x, rate):
    return _compiled(x, tf.convert_to_tensor(rate, x.dtype))


@answers.wrong("climbing", "correct", says="climbs")
def climb(x, rate):
    return descend_in_a_graph(x, -rate)


@answers.wrong("a graph and a Python number", "unlooped", says="traced")
@tf.function
def a_graph_and_a_python_number(x, rate):
    return _downhill(x, rate)


@answers.wrong(line="unlooped", says="traced")
def a_new_graph_in_each_call(x, rate):
    return tf.function(_downhill)(x, tf.convert_to_tensor(rate, x.dtype))


@answers.wrong("a loop over the values", "unlooped")
def descend_row_by_row(x, rate):
    flat = tf.reshape(x, [-1])
    values = [descend_in_a_graph(value, rate) for value in flat]
    return tf.reshape(tf.stack(values), x.shape) if values else tf.identity(x)


@answers.wrong(line="unlooped", says="Python starts")
def no_graph_at_all(x, rate):
    return _downhill(x, rate)


@answers.wrong(line="unlooped", says="Python starts")
def a_loop_without_a_graph(x, rate):
    return _downhill(x, tf.convert_to_tensor(rate, x.dtype))


@answers.wrong("the first rate for ever", "correct")
def descend_at_the_first_rate(x, rate):
    _first_rate[:] = _first_rate or [rate]
    return _in_one_graph(x, tf.cast(_first_rate[0], x.dtype))


@answers.wrong(line="correct", says="float32")
def a_rate_in_float32(x, rate):
    return _in_one_graph(x, tf.cast(tf.constant(rate, tf.float32), x.dtype))


@answers.wrong("tf.cast of a Python number", "correct", says="float32")
def tf_cast_of_a_python_number(x, r):
    return _in_one_graph(x, tf.cast(r, x.dtype))


@answers.wrong(line="correct")
def a_constant_of_default_dtype(x, rate):
    return _in_one_graph(x, tf.constant(rate))


@answers.wrong(line="correct", says="one step")
def one_step(x, rate):
    return x - rate * (x + tf.sin(2.0 * x))


@answers.wrong(line="correct", says="too few")
def nine_steps(x, rate):
    for _ in range(9):
        x = x - rate * (x + tf.sin(2.0 * x))
    return x


@answers.wrong(line="correct")
def float32_inside(x, rate):
    return _descend_in(tf.float32, x, rate)


@answers.wrong(line="correct")
def bfloat16_inside(x, rate):
    return _descend_in(tf.bfloat16, x, rate)


@answers.wrong(line="correct", says="dtype")
def float64_whatever_came(x, rate):
    return _in_one_graph(tf.cast(x, tf.float64), tf.cast(rate, tf.float64))


@answers.wrong(line="correct")
def a_rate_that_must_be_a_tensor(x, r):
    return _in_one_graph(x, tf.constant(r.numpy(), x.dtype))


@answers.wrong("a NumPy array", "correct", says="NumPy")
def a_numpy_array(x, rate):
    return descend_in_a_graph(x, rate).numpy()


@answers.wrong(line="correct")
def right_for_the_published_size_only(x, rate):
    return descend_in_a_graph(x, rate) if x.shape == (64, 3) else x
