"""Answers to wave_cube."""

import numpy as np
import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("wave_cube")


@answers.right("the expression for all values")
def wave(x):
    return x**3 + tf.sin(x)


@answers.right("products instead of a power")
def wave_by_products(x):
    return x * x * x + tf.sin(x)


@answers.right("in a graph")
@tf.function
def wave_in_a_graph(x):
    return tf.pow(x, 3) + tf.sin(x)


@answers.right("compiled by XLA")
@tf.function(jit_compile=True)
def wave_compiled(x):
    return tf.pow(x, 3) + tf.sin(x)


@answers.right("vectorized_map in a graph")
@tf.function
def wave_vectorized(x):
    return tf.vectorized_map(wave, x)


@answers.wrong(line="correct", says="3·x")
def a_product_for_the_power(x):
    return x * 3 + tf.sin(x)


@answers.wrong("a Python loop in numpy_function", "unlooped", says="NumPy inside tf.numpy_function")
def wave_in_numpy(x):
    one_by_one = lambda values: np.array([v**3 + np.sin(v) for v in values.ravel()], values.dtype).reshape(values.shape)
    return tf.numpy_function(one_by_one, [x], x.dtype)


@answers.wrong("map_fn in a graph", "unlooped")
@tf.function
def wave_mapped_in_a_graph(x):
    return tf.map_fn(wave, x)


@answers.wrong(
    "eager vectorized_map", "unlooped", says="tf.vectorized_map traces in each call unless it stands in a tf.function"
)
def wave_vectorized_without_a_graph(x):
    return tf.vectorized_map(wave, x) if len(x) else tf.identity(x)


@answers.wrong("a Python loop", "unlooped")
def wave_value_by_value(x):
    flat = tf.reshape(x, [-1])
    return tf.reshape(tf.stack([wave(value) for value in flat]), x.shape) if len(flat) else tf.identity(x)


@answers.wrong("a loop over pieces", "unlooped")
def wave_in_pieces(x):
    pieces = [wave(x[start : start + 4]) for start in range(0, len(x), 4)]
    return tf.concat(pieces, axis=0) if pieces else tf.identity(x)


@answers.wrong("a detour through NumPy", "unlooped")
def wave_through_numpy(x):
    values = x.numpy()
    with np.errstate(all="ignore"):
        return tf.constant(values**3 + np.sin(values))


@answers.wrong("NumPy's own sine", "unlooped", says="NumPy on a tensor")
def numpys_own_sine(x):
    return x**3 + np.sin(x)


@answers.wrong("needless copies", "fast")
def wave_of_many_copies(x):
    return wave(tf.broadcast_to(x, [8_000, *x.shape]))[0]


@answers.wrong(line="correct")
def wrong_for_an_empty_tensor(x):
    return wave(x) if len(x) else tf.zeros([1])


@answers.wrong("wrong for NaN", "correct")
def wrong_for_nan(x):
    return wave(tf.where(tf.math.is_nan(x), tf.zeros_like(x), x))


@answers.wrong(line="correct", says="dtype")
def float32_whatever_came(x):
    return wave(tf.cast(x, tf.float32))


@answers.wrong(line="correct")
def float32_inside(x):
    return tf.cast(wave(tf.cast(x, tf.float32)), x.dtype)


@answers.wrong("bfloat16 inside", "correct")
def in_float16(x):
    return tf.cast(wave(tf.cast(x, tf.bfloat16)), x.dtype)


@answers.wrong(line="correct", says="shape")
def flat_whatever_came(x):
    return wave(tf.reshape(x, [-1]))


@answers.wrong("a NumPy array", "correct", says="NumPy")
def a_numpy_array(x):
    return wave(x).numpy()


@answers.wrong(line="correct", says="list")
def a_list(x):
    return [wave(value) for value in x]


@answers.wrong(line="correct")
def a_variable(x):
    return tf.Variable(wave(x))


@answers.wrong(line="correct")
def right_for_the_published_length_only(x):
    return wave(x) if len(x) == 64 else tf.sin(x)
