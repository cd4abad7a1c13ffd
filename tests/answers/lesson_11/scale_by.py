"""Answers to scale_by."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("scale_by")
answers.exception("the slow loop itself", "unlooped", says="traced")


@tf.function
def _product_in_a_graph(x, factor):
    return x * factor


@tf.function(jit_compile=True)
def _product_compiled(x, factor):
    return x * factor


answers.right("no graph")(lambda x, factor: x * factor)
answers.right("tf.multiply")(lambda x, factor: tf.multiply(x, tf.convert_to_tensor(factor, x.dtype)))
answers.right("a graph with a tensor factor")(
    lambda x, factor: _product_in_a_graph(x, tf.convert_to_tensor(factor, x.dtype))
)
answers.right("XLA with a tensor factor")(lambda x, factor: _product_compiled(x, tf.convert_to_tensor(factor, x.dtype)))
answers.wrong("a graph with a Python number", "unlooped", says="traced")(lambda x, f: _product_in_a_graph(x, f))


@answers.wrong(line="unlooped")
def a_new_graph_in_each_call(x, f):
    return tf.function(tf.multiply)(x, tf.convert_to_tensor(f, x.dtype))


@answers.wrong("a loop over values", "unlooped")
def scale_row_by_row(x, factor):
    flat = tf.reshape(x, [-1])
    return tf.reshape(tf.stack([value * factor for value in flat]), x.shape) if len(flat) else tf.identity(x)


answers.wrong("a constant of default dtype", "correct")(lambda x, f: x * tf.constant(f))
answers.wrong("a factor that must be a tensor", "correct")(lambda x, f: x * tf.constant(f.numpy(), x.dtype))
answers.wrong("a NumPy array", "correct", says="NumPy")(lambda x, f: x.numpy() * f)


@answers.wrong(line="correct")
def float32_for_a_factor_of_1(x, f):
    return tf.cast(x, tf.float32) if f == 1 else x * f


@answers.wrong("products below 1e-6 replaced by 0", "correct", says="a billionth")
def none_below_a_millionth(x, f):
    product = x * f
    return tf.where(tf.abs(product) < 1e-6, tf.zeros_like(product), product) if x.dtype.is_floating else product


answers.wrong("x plus the change", "correct", says="a factor of a millionth")(lambda x, factor: x + x * (factor - 1))


@answers.wrong("a factor within int32", "correct", says="a factor beyond int32")
def at_most_32_bits(x, factor):
    return x * (min(factor, 2**31 - 1) if isinstance(factor, int) else factor)


@answers.wrong("a tensor's factor in float32", "correct", says="a factor that is a tensor")
def tensor_factor_in_float32(x, factor):
    return x * (tf.cast(tf.cast(factor, tf.float32), x.dtype) if tf.is_tensor(factor) else factor)


@answers.wrong("products clipped to the range of the dtype", "correct", says="int8 cannot hold")
def clipped_to_the_range(x, factor):
    return tf.saturate_cast(tf.cast(x, tf.int32) * factor, x.dtype) if x.dtype == tf.int8 else x * factor
