"""Answers to repeated_sqrt."""

import numpy as np
import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("repeated_sqrt")


@answers.right("tf.while_loop")
def sqrt_while_loop(x, steps):
    return tf.while_loop(lambda i, root: i < steps, lambda i, root: (i + 1, tf.sqrt(root)), [0, x])[1]


@answers.right("tf.while_loop in a graph")
@tf.function
def sqrt_in_a_graph(x, steps):
    return sqrt_while_loop(x, steps)


@answers.right("an AutoGraph loop")
@tf.function
def sqrt_by_autograph(x, steps):
    for _ in tf.range(steps):
        x = tf.sqrt(x)
    return x


@answers.right("an XLA-compiled loop")
@tf.function(jit_compile=True)
def sqrt_compiled(x, steps):
    for _ in tf.range(steps):
        x = tf.sqrt(x)
    return x


@answers.right("a Python loop over steps")
def sqrt_in_python(x, steps):
    x = tf.identity(x)
    for _ in range(int(steps)):
        x = tf.sqrt(x)
    return x


@answers.right("one power")
def sqrt_as_one_power(x, steps):
    half = tf.constant(0.5, x.dtype)
    return tf.pow(x, tf.pow(half, tf.cast(steps, x.dtype)))


@answers.right("slow matrices at small sizes only")
def sqrt_of_matrices(x, steps):
    if len(x) < 60:
        return sqrt_while_loop(x, steps)
    for _ in range(int(steps)):
        x = tf.linalg.diag_part(tf.sqrt(tf.linalg.diag(x)))
    return x


@answers.wrong("map_fn in a graph", "unlooped")
@tf.function
def sqrt_mapped_in_a_graph(x, steps):
    return tf.map_fn(lambda value: sqrt_while_loop(value, steps), x)


@answers.wrong("a Python loop over values", "unlooped")
def sqrt_value_by_value(x, steps):
    if not len(x):
        return tf.identity(x)
    return tf.stack([sqrt_in_python(value, steps) for value in x])


@answers.wrong("chunks of 32 values", "unlooped", says="such as a loop over blocks")
def power_of_chunks(x, steps):
    flat = tf.reshape(x, [-1])
    chunks = [sqrt_as_one_power(flat[start : start + 32], steps) for start in range(0, len(flat), 32)]
    return tf.reshape(tf.concat([flat[:0], *chunks], 0), x.shape)


@answers.wrong("one power for each value", "unlooped", says="grows with the input")
def power_value_by_value(x, steps):
    values = tf.unstack(tf.reshape(x, [-1]))
    powers = [tf.pow(value, 0.5 ** int(steps)) if int(steps) else value for value in values]
    return tf.reshape(tf.stack(powers), x.shape) if powers else tf.identity(x)


@answers.wrong("a new graph in each call", "unlooped", says="traced")
def sqrt_traced_each_time(x, steps):
    return tf.function(sqrt_while_loop)(x, steps)


answers.wrong("at least one step", "correct")(lambda x, steps: sqrt_while_loop(x, tf.maximum(steps, 1)))
answers.wrong("the absolute value of x", "correct")(lambda x, steps: sqrt_while_loop(tf.abs(x), steps))
answers.wrong("at most 26 steps", "correct")(lambda x, steps: sqrt_in_python(x, min(int(steps), 26)))
answers.wrong("a fixed number of steps", "correct")(lambda x, steps: sqrt_while_loop(x, 8))
answers.wrong("steps that must be a tensor", "correct")(lambda x, steps: sqrt_while_loop(x, int(steps.numpy())))
answers.wrong("steps that must be a number", "correct")(lambda x, steps: sqrt_in_python(x, steps * 1.0 and 2))
answers.wrong("counter and result", "correct", says="tuple")(lambda x, steps: (steps, sqrt_while_loop(x, steps)))
answers.wrong("a NumPy array", "correct", says="NumPy")(lambda x, steps: sqrt_while_loop(x, steps).numpy())


@answers.wrong("a detour through NumPy", "unlooped", says=".numpy() hands")
def sqrt_through_numpy(x, steps):
    root = x.numpy()
    with np.errstate(all="ignore"):
        for _ in range(int(steps)):
            root = np.sqrt(root)
    return tf.constant(root)


answers.wrong("at most 4,096 values", "correct", says="5,000 values")(
    lambda x, steps: tf.concat([sqrt_while_loop(x[:4096], steps), x[4096:]], axis=0)
)
