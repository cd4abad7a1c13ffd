"""Answers to wave_cube."""

import numpy as np
import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("wave_cube")


@answers.right("the expression for all values")
def wave(x):
    return x**3 + tf.sin(x)


answers.right("products instead of a power")(lambda x: x * x * x + tf.sin(x))


@answers.right("a graph")
@tf.function
def wave_in_a_graph(x):
    return tf.pow(x, 3) + tf.sin(x)


@answers.right("XLA")
@tf.function(jit_compile=True)
def wave_compiled(x):
    return tf.pow(x, 3) + tf.sin(x)


@answers.right("vectorized_map in a graph")
@tf.function
def wave_vectorized(x):
    return tf.vectorized_map(wave, x)


@answers.right("vectorized_map in a graph of any length")
@tf.function(reduce_retracing=True)
def wave_vectorized_for_any_length(x):
    return tf.vectorized_map(wave, x)


@answers.wrong("a Python loop in numpy_function", "unlooped", says="NumPy inside tf.numpy_function")
def wave_in_numpy(x):
    one_by_one = lambda values: np.array([v**3 + np.sin(v) for v in values.ravel()], values.dtype).reshape(values.shape)
    return tf.numpy_function(one_by_one, [x], x.dtype)


@answers.wrong("map_fn in a graph", "unlooped")
@tf.function(reduce_retracing=True)
def wave_mapped_in_a_graph(x):
    return tf.map_fn(wave, x)


@answers.wrong("eager vectorized_map", "unlooped", says="tf.vectorized_map traces in each call unless")
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


answers.wrong("NumPy's own sine", "unlooped", says="NumPy on a tensor")(lambda x: x**3 + np.sin(x))
answers.wrong("needless copies", "fast")(
    lambda x: wave(tf.broadcast_to(x, [40_000 if len(x) < 100 else 1, *x.shape]))[0]
)
answers.wrong("wrong for an empty tensor", "correct")(lambda x: wave(x) if len(x) else tf.zeros([1]))
answers.wrong("wrong for NaN", "correct")(lambda x: wave(tf.where(tf.math.is_nan(x), tf.zeros_like(x), x)))
answers.wrong("flattened", "correct", says="shape")(lambda x: wave(tf.reshape(x, [-1])))
answers.wrong("a NumPy array", "correct", says="NumPy")(lambda x: wave(x).numpy())
answers.wrong("a list", "correct", says="list")(lambda x: [wave(value) for value in x])
answers.wrong("a variable", "correct")(lambda x: tf.Variable(wave(x)))


@answers.wrong("the sine alone for small values", "correct")
def small_values_without_their_cube(x):
    return tf.where(tf.abs(x) < 0.01, x, wave(x))


@answers.wrong("results below 1e-6 replaced by 0", "correct", says="a billionth")
def none_below_a_millionth(x):
    result = wave(x)
    return tf.where(tf.abs(result) < 1e-6, tf.zeros_like(result), result)


answers.wrong("the first 4,096 values only", "correct", says="5,000 values")(
    lambda x: tf.concat([wave(x[:4096]), x[4096:]], axis=0)
)
