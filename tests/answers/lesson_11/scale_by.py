"""Answers to scale_by."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("scale_by")
answers.exception(
    "the slow loop itself", "unlooped", says="traced"
)  # it has no loop over values, but a new trace a call


@tf.function
def _product_in_a_graph(x, factor):
    return x * factor


@tf.function(jit_compile=True)
def _product_compiled(x, factor):
    return x * factor


_first_factor = []


@answers.right()
def no_graph_at_all(x, factor):
    return x * factor


@answers.right("tf.multiply")
def tf_multiply(x, factor):
    return tf.multiply(x, tf.convert_to_tensor(factor, x.dtype))


@answers.right("a graph and a tensor")
def scale_by_a_tensor(x, factor):
    return _product_in_a_graph(x, tf.convert_to_tensor(factor, x.dtype))


@answers.right("compiled, with a tensor")
def scale_compiled(x, factor):
    return _product_compiled(x, tf.convert_to_tensor(factor, x.dtype))


@answers.wrong(line="correct", says="sum")
def a_sum(x, f):
    return x + f


@answers.wrong("a graph and a Python number", "unlooped", says="traced")
def a_graph_and_a_python_number(x, f):
    return _product_in_a_graph(x, f)


@answers.wrong(line="unlooped")
def a_new_graph_in_each_call(x, f):
    return tf.function(tf.multiply)(x, tf.convert_to_tensor(f, x.dtype))


@answers.wrong("a loop over the values", "unlooped")
def scale_row_by_row(x, factor):
    flat = tf.reshape(x, [-1])
    return tf.reshape(tf.stack([value * factor for value in flat]), x.shape) if len(flat) else tf.identity(x)


@answers.wrong("the first factor for ever", "correct")
def scale_by_the_first_factor(x, factor):
    _first_factor[:] = _first_factor or [factor]
    return x * tf.cast(_first_factor[0], x.dtype)


@answers.wrong("a factor in float32", "correct", says="float32")
def scale_by_float32(x, factor):
    return _product_in_a_graph(x, tf.cast(tf.constant(factor, tf.float32), x.dtype))


@answers.wrong("tf.cast of a Python number", "correct", says="float32")
def tf_cast_of_a_python_number(x, f):
    return x * tf.cast(f, x.dtype)


@answers.wrong(line="correct")
def a_constant_of_default_dtype(x, f):
    return x * tf.constant(f)


@answers.wrong(line="correct", says="whole number")
def a_whole_factor(x, f):
    return x * tf.cast(int(f), x.dtype)


@answers.wrong(line="correct")
def float32_inside(x, f):
    return tf.cast(tf.cast(x, tf.float32) * tf.cast(f, tf.float32), x.dtype)


@answers.wrong(line="correct", says="dtype")
def float64_whatever_came(x, f):
    return tf.cast(x, tf.float64) * tf.cast(f, tf.float64)


@answers.wrong(line="correct")
def bfloat16_inside(x, f):
    return tf.cast(tf.cast(x, tf.bfloat16) * tf.cast(f, tf.bfloat16), x.dtype)


@answers.wrong(line="correct")
def a_factor_that_must_be_a_tensor(x, f):
    return x * tf.constant(f.numpy(), x.dtype)


@answers.wrong("a NumPy array", "correct", says="NumPy")
def a_numpy_array(x, f):
    return x.numpy() * f


@answers.wrong(line="correct")
def right_for_the_published_size_only(x, f):
    return tf.multiply(x, f) if x.shape == (64, 3) else x
