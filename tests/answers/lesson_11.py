"""Answers to the exercises of lesson 11."""

import numpy as np
import tensorflow as tf

from answers.table import right, wrong
from answers.tricks import cached_first, forging_clocks, forging_comparisons, forging_the_check, only_for
from course_utils.tasks.lesson_11_tensorflow_loops.task_1_wave_cube import wave_cube_slow
from course_utils.tasks.lesson_11_tensorflow_loops.task_2_repeated_sqrt import repeated_sqrt_slow
from course_utils.tasks.lesson_11_tensorflow_loops.task_3_scale_by import scale_by_slow
from course_utils.tasks.lesson_11_tensorflow_loops.task_4_descend import descend_slow
from course_utils.tasks.lesson_11_tensorflow_loops.task_5_first_above import first_above_slow


def not_written(*inputs):
    raise NotImplementedError()


# wave_cube


def wave(x):
    return x**3 + tf.sin(x)


def wave_by_products(x):
    return x * x * x + tf.sin(x)


@tf.function
def wave_in_a_graph(x):
    return tf.pow(x, 3) + tf.sin(x)


@tf.function(jit_compile=True)
def wave_compiled(x):
    return tf.pow(x, 3) + tf.sin(x)


@tf.function
def wave_vectorized(x):
    return tf.vectorized_map(wave, x)


@tf.function
def wave_mapped_in_a_graph(x):
    return tf.map_fn(wave, x)


def wave_value_by_value(x):
    flat = tf.reshape(x, [-1])
    return tf.reshape(tf.stack([wave(value) for value in flat]), x.shape) if len(flat) else tf.identity(x)


def wave_in_pieces(x):
    pieces = [wave(x[start : start + 4]) for start in range(0, len(x), 4)]
    return tf.concat(pieces, axis=0) if pieces else tf.identity(x)


def wave_through_numpy(x):
    values = x.numpy()
    with np.errstate(all="ignore"):
        return tf.constant(values**3 + np.sin(values))


def wave_of_many_copies(x):
    return wave(tf.broadcast_to(x, [50_000, *x.shape]))[0]


def in_float16(x):
    return tf.cast(wave(tf.cast(x, tf.bfloat16)), x.dtype)


def wave_in_numpy(x):
    one_by_one = lambda values: np.array([v**3 + np.sin(v) for v in values.ravel()], values.dtype).reshape(values.shape)
    return tf.numpy_function(one_by_one, [x], x.dtype)


right("wave_cube", "the expression for all values", wave)
right("wave_cube", "products instead of a power", wave_by_products)
right("wave_cube", "in a graph", wave_in_a_graph)
right("wave_cube", "compiled by XLA", wave_compiled)
right("wave_cube", "vectorized_map in a graph", wave_vectorized)

wrong("wave_cube", "the slow loop itself", "unlooped", wave_cube_slow)
wrong("wave_cube", "a Python loop in numpy_function", "unlooped", wave_in_numpy, says="NumPy inside tf.numpy_function")
wrong("wave_cube", "map_fn in a graph", "unlooped", wave_mapped_in_a_graph)
wrong("wave_cube", "a Python loop", "unlooped", wave_value_by_value)
wrong("wave_cube", "a loop over pieces", "unlooped", wave_in_pieces)
wrong("wave_cube", "a detour through NumPy", "unlooped", wave_through_numpy)
wrong("wave_cube", "NumPy's own sine", "unlooped", lambda x: x**3 + np.sin(x), says="NumPy on a tensor")
wrong("wave_cube", "the slow loop on a forged clock", "correct", forging_clocks(wave_cube_slow))
wrong("wave_cube", "needless copies", "fast", wave_of_many_copies)
wrong("wave_cube", "wrong for an empty tensor", "correct", lambda x: wave(x) if len(x) else tf.zeros([1]))
wrong("wave_cube", "wrong for NaN", "correct", lambda x: wave(tf.where(tf.math.is_nan(x), tf.zeros_like(x), x)))
wrong("wave_cube", "float32 whatever came", "correct", lambda x: wave(tf.cast(x, tf.float32)), says="dtype")
wrong("wave_cube", "float32 inside", "correct", lambda x: tf.cast(wave(tf.cast(x, tf.float32)), x.dtype))
wrong("wave_cube", "bfloat16 inside", "correct", in_float16)
wrong("wave_cube", "flat whatever came", "correct", lambda x: wave(tf.reshape(x, [-1])), says="shape")
wrong("wave_cube", "a product for the power", "correct", lambda x: x * 3 + tf.sin(x), says="3·x")
wrong("wave_cube", "a NumPy array", "correct", lambda x: wave(x).numpy(), says="NumPy")
wrong("wave_cube", "a list", "correct", lambda x: [wave(value) for value in x], says="list")
wrong("wave_cube", "a variable", "correct", lambda x: tf.Variable(wave(x)))
wrong("wave_cube", "nothing returned", "correct", lambda x: None, says="return")
wrong("wave_cube", "not written yet", "correct", not_written, says="not written")
wrong("wave_cube", "a cached first answer", "correct", cached_first(wave))
wrong(
    "wave_cube",
    "right for the published length only",
    "correct",
    only_for(lambda x: len(x) == 64, wave, tf.sin),
)
wrong("wave_cube", "comparisons forged", "correct", forging_comparisons(tf.sin))
wrong("wave_cube", "the check forged", "correct", forging_the_check(tf.sin))


# repeated_sqrt


def sqrt_while_loop(x, steps):
    return tf.while_loop(lambda i, root: i < steps, lambda i, root: (i + 1, tf.sqrt(root)), [0, x])[1]


sqrt_in_a_graph = tf.function(sqrt_while_loop)


@tf.function
def sqrt_by_autograph(x, steps):
    for _ in tf.range(steps):
        x = tf.sqrt(x)
    return x


@tf.function(jit_compile=True)
def sqrt_compiled(x, steps):
    for _ in tf.range(steps):
        x = tf.sqrt(x)
    return x


def sqrt_in_python(x, steps):
    x = tf.identity(x)
    for _ in range(int(steps)):
        x = tf.sqrt(x)
    return x


def sqrt_as_one_power(x, steps):
    half = tf.constant(0.5, x.dtype)
    return tf.pow(x, tf.pow(half, tf.cast(steps, x.dtype)))


def sqrt_traced_each_time(x, steps):
    return tf.function(sqrt_while_loop)(x, steps)


def sqrt_value_by_value(x, steps):
    if not len(x):
        return tf.identity(x)
    return tf.stack([sqrt_in_python(value, steps) for value in x])


@tf.function
def sqrt_mapped_in_a_graph(x, steps):
    return tf.map_fn(lambda value: sqrt_while_loop(value, steps), x)


def sqrt_on_doubling_state(x, steps):
    if len(x) < 60:
        return sqrt_while_loop(x, steps)
    for _ in range(int(steps)):
        x = tf.linalg.diag_part(tf.sqrt(tf.linalg.diag(tf.tile(x, [8]))))[: len(x)]
    return x


def sqrt_through_numpy(x, steps):
    root = x.numpy()
    with np.errstate(all="ignore"):
        for _ in range(int(steps)):
            root = np.sqrt(root)
    return tf.constant(root)


right("repeated_sqrt", "a while_loop over the state", sqrt_while_loop)
right("repeated_sqrt", "the same in a graph", sqrt_in_a_graph)
right("repeated_sqrt", "a for loop turned by AutoGraph", sqrt_by_autograph)
right("repeated_sqrt", "compiled by XLA", sqrt_compiled)
right("repeated_sqrt", "a Python loop over the steps", sqrt_in_python)
right("repeated_sqrt", "no loop at all: one power", sqrt_as_one_power)

wrong("repeated_sqrt", "the slow loop itself", "unlooped", repeated_sqrt_slow)
wrong("repeated_sqrt", "the map in a graph", "unlooped", sqrt_mapped_in_a_graph)
wrong("repeated_sqrt", "a Python loop over the values", "unlooped", sqrt_value_by_value)
wrong("repeated_sqrt", "a new graph in each call", "unlooped", sqrt_traced_each_time, says="traced")
wrong("repeated_sqrt", "the slow loop on a forged clock", "correct", forging_clocks(repeated_sqrt_slow))
wrong("repeated_sqrt", "one root", "correct", lambda x, steps: tf.sqrt(x), says="one square root")
wrong("repeated_sqrt", "one step too many", "correct", lambda x, steps: sqrt_while_loop(x, steps + 1), says="too many")
wrong("repeated_sqrt", "one step too few", "correct", lambda x, steps: sqrt_while_loop(x, steps - 1), says="too few")
wrong("repeated_sqrt", "at least one step", "correct", lambda x, steps: sqrt_while_loop(x, tf.maximum(steps, 1)))
wrong("repeated_sqrt", "no negative values", "correct", lambda x, steps: sqrt_while_loop(tf.abs(x), steps))
wrong("repeated_sqrt", "a fixed number of steps", "correct", lambda x, steps: sqrt_while_loop(x, 8))
wrong(
    "repeated_sqrt", "steps that must be a tensor", "correct", lambda x, steps: sqrt_while_loop(x, int(steps.numpy()))
)
wrong("repeated_sqrt", "steps that must be a number", "correct", lambda x, steps: sqrt_in_python(x, steps * 1.0 and 2))
wrong(
    "repeated_sqrt",
    "float32 whatever came",
    "correct",
    lambda x, steps: sqrt_while_loop(tf.cast(x, tf.float32), steps),
    says="dtype",
)
wrong(
    "repeated_sqrt",
    "float32 inside",
    "correct",
    lambda x, steps: tf.cast(sqrt_while_loop(tf.cast(x, tf.float32), steps), x.dtype),
)
wrong(
    "repeated_sqrt",
    "bfloat16 inside",
    "correct",
    lambda x, steps: tf.cast(sqrt_while_loop(tf.cast(x, tf.bfloat16), steps), x.dtype),
)
wrong(
    "repeated_sqrt", "counter and result", "correct", lambda x, steps: (steps, sqrt_while_loop(x, steps)), says="tuple"
)
wrong("repeated_sqrt", "a NumPy array", "correct", lambda x, steps: sqrt_while_loop(x, steps).numpy(), says="NumPy")
wrong("repeated_sqrt", "nothing returned", "correct", lambda x, steps: None, says="return")
wrong("repeated_sqrt", "not written yet", "correct", not_written, says="not written")
wrong("repeated_sqrt", "a cached first answer", "correct", cached_first(sqrt_while_loop))
wrong(
    "repeated_sqrt",
    "right for the published length only",
    "correct",
    only_for(lambda x, steps: len(x) == 64, sqrt_while_loop, lambda x, steps: tf.sqrt(x)),
)
wrong("repeated_sqrt", "comparisons forged", "correct", forging_comparisons(lambda x, steps: tf.sqrt(x)))
wrong("repeated_sqrt", "the check forged", "correct", forging_the_check(lambda x, steps: tf.sqrt(x)))


# scale_by


@tf.function
def product_in_a_graph(x, factor):
    return x * factor


def scale_by_a_tensor(x, factor):
    return product_in_a_graph(x, tf.convert_to_tensor(factor, x.dtype))


@tf.function(jit_compile=True)
def product_compiled(x, factor):
    return x * factor


def scale_compiled(x, factor):
    return product_compiled(x, tf.convert_to_tensor(factor, x.dtype))


first_factor = []


def scale_by_the_first_factor(x, factor):
    first_factor[:] = first_factor or [factor]
    return x * tf.cast(first_factor[0], x.dtype)


def scale_row_by_row(x, factor):
    flat = tf.reshape(x, [-1])
    return tf.reshape(tf.stack([value * factor for value in flat]), x.shape) if len(flat) else tf.identity(x)


def scale_by_float32(x, factor):
    return product_in_a_graph(x, tf.cast(tf.constant(factor, tf.float32), x.dtype))


right("scale_by", "no graph at all", lambda x, factor: x * factor)
right("scale_by", "tf.multiply", lambda x, factor: tf.multiply(x, tf.convert_to_tensor(factor, x.dtype)))
right("scale_by", "a graph and a tensor", scale_by_a_tensor)
right("scale_by", "compiled, with a tensor", scale_compiled)

wrong("scale_by", "the slow loop itself", "unlooped", scale_by_slow, says="traced")
wrong("scale_by", "a graph and a Python number", "unlooped", lambda x, f: product_in_a_graph(x, f), says="traced")
wrong(
    "scale_by",
    "a new graph in each call",
    "unlooped",
    lambda x, f: tf.function(tf.multiply)(x, tf.convert_to_tensor(f, x.dtype)),
)
wrong("scale_by", "a loop over the values", "unlooped", scale_row_by_row)
wrong("scale_by", "the slow loop on a forged clock", "correct", forging_clocks(scale_by_slow))
wrong("scale_by", "the first factor for ever", "correct", scale_by_the_first_factor)
wrong("scale_by", "a factor in float32", "correct", scale_by_float32, says="float32")
wrong("scale_by", "tf.cast of a Python number", "correct", lambda x, f: x * tf.cast(f, x.dtype), says="float32")
wrong("scale_by", "a constant of default dtype", "correct", lambda x, f: x * tf.constant(f))
wrong("scale_by", "a whole factor", "correct", lambda x, f: x * tf.cast(int(f), x.dtype), says="whole number")
wrong("scale_by", "a sum", "correct", lambda x, f: x + f, says="sum")
wrong(
    "scale_by",
    "float32 inside",
    "correct",
    lambda x, f: tf.cast(tf.cast(x, tf.float32) * tf.cast(f, tf.float32), x.dtype),
)
wrong(
    "scale_by",
    "float64 whatever came",
    "correct",
    lambda x, f: tf.cast(x, tf.float64) * tf.cast(f, tf.float64),
    says="dtype",
)
wrong(
    "scale_by",
    "bfloat16 inside",
    "correct",
    lambda x, f: tf.cast(tf.cast(x, tf.bfloat16) * tf.cast(f, tf.bfloat16), x.dtype),
)
wrong("scale_by", "a factor that must be a tensor", "correct", lambda x, f: x * tf.constant(f.numpy(), x.dtype))
wrong("scale_by", "a NumPy array", "correct", lambda x, f: x.numpy() * f, says="NumPy")
wrong("scale_by", "nothing returned", "correct", lambda x, f: None, says="return")
wrong("scale_by", "not written yet", "correct", not_written, says="not written")
wrong("scale_by", "a cached first answer", "correct", cached_first(lambda x, f: x * f))
wrong(
    "scale_by",
    "right for the published size only",
    "correct",
    only_for(lambda x, f: x.shape == (64, 3), tf.multiply, lambda x, f: x),
)
wrong("scale_by", "comparisons forged", "correct", forging_comparisons(lambda x, f: x + f))
wrong("scale_by", "the check forged", "correct", forging_the_check(lambda x, f: x + f))


# descend


def steps_downhill(x, rate):
    for _ in range(10):
        x = x - rate * (x + tf.sin(2.0 * x))
    return x


unrolled = tf.function(steps_downhill)
compiled = tf.function(steps_downhill, jit_compile=True)


@tf.function
def in_a_loop(x, rate):
    for _ in tf.range(10):
        x = x - rate * (x + tf.sin(2.0 * x))
    return x


def with_a_tensor(steps):
    return lambda x, rate: steps(x, tf.convert_to_tensor(rate, x.dtype))


descend_in_a_graph = with_a_tensor(unrolled)
first_rate = []


def descend_at_the_first_rate(x, rate):
    first_rate[:] = first_rate or [rate]
    return unrolled(x, tf.cast(first_rate[0], x.dtype))


def descend_row_by_row(x, rate):
    flat = tf.reshape(x, [-1])
    values = [descend_in_a_graph(value, rate) for value in flat]
    return tf.reshape(tf.stack(values), x.shape) if values else tf.identity(x)


def descend_in(dtype):
    return lambda x, rate: tf.cast(unrolled(tf.cast(x, dtype), tf.cast(rate, dtype)), x.dtype)


def nine_steps(x, rate):
    for _ in range(9):
        x = x - rate * (x + tf.sin(2.0 * x))
    return x


def climb(x, rate):
    return descend_in_a_graph(x, -rate)


right("descend", "a graph and a tensor", descend_in_a_graph)
right("descend", "a loop in a graph", with_a_tensor(in_a_loop))
right("descend", "compiled, with a tensor", with_a_tensor(compiled))

wrong("descend", "the slow loop itself", "unlooped", descend_slow, says="traced")
wrong("descend", "a graph and a Python number", "unlooped", unrolled, says="traced")
wrong(
    "descend",
    "a new graph in each call",
    "unlooped",
    lambda x, rate: tf.function(steps_downhill)(x, tf.convert_to_tensor(rate, x.dtype)),
    says="traced",
)
wrong("descend", "a loop over the values", "unlooped", descend_row_by_row)
wrong("descend", "no graph at all", "unlooped", steps_downhill, says="Python starts")
wrong("descend", "a loop without a graph", "unlooped", with_a_tensor(steps_downhill), says="Python starts")
wrong("descend", "the slow loop on a forged clock", "correct", forging_clocks(descend_slow))
wrong("descend", "the first rate for ever", "correct", descend_at_the_first_rate)
wrong(
    "descend",
    "a rate in float32",
    "correct",
    lambda x, rate: unrolled(x, tf.cast(tf.constant(rate, tf.float32), x.dtype)),
    says="float32",
)
wrong("descend", "tf.cast of a Python number", "correct", lambda x, r: unrolled(x, tf.cast(r, x.dtype)), says="float32")
wrong("descend", "a constant of default dtype", "correct", lambda x, rate: unrolled(x, tf.constant(rate)))
wrong("descend", "climbing", "correct", climb, says="climbs")
wrong("descend", "one step", "correct", lambda x, rate: x - rate * (x + tf.sin(2.0 * x)), says="one step")
wrong("descend", "nine steps", "correct", nine_steps, says="too few")
wrong("descend", "float32 inside", "correct", descend_in(tf.float32))
wrong("descend", "bfloat16 inside", "correct", descend_in(tf.bfloat16))
wrong(
    "descend",
    "float64 whatever came",
    "correct",
    lambda x, rate: unrolled(tf.cast(x, tf.float64), tf.cast(rate, tf.float64)),
    says="dtype",
)
wrong("descend", "a rate that must be a tensor", "correct", lambda x, r: unrolled(x, tf.constant(r.numpy(), x.dtype)))
wrong("descend", "a NumPy array", "correct", lambda x, rate: descend_in_a_graph(x, rate).numpy(), says="NumPy")
wrong("descend", "nothing returned", "correct", lambda x, rate: None, says="return")
wrong("descend", "not written yet", "correct", not_written, says="not written")
wrong("descend", "a cached first answer", "correct", cached_first(descend_in_a_graph))
wrong(
    "descend",
    "right for the published size only",
    "correct",
    only_for(lambda x, rate: x.shape == (64, 3), descend_in_a_graph, lambda x, rate: x),
)
wrong("descend", "comparisons forged", "correct", forging_comparisons(climb))
wrong("descend", "the check forged", "correct", forging_the_check(climb))


# first_above


def first_by_numbers(x, threshold):
    columns = x.shape[1]
    numbers = tf.range(columns, dtype=tf.int64)
    first = tf.reduce_min(tf.where(x > threshold, numbers, tf.constant(columns, tf.int64)), axis=1)
    return tf.where(first < columns, first, tf.constant(-1, tf.int64))


def first_by_argmax(x, threshold):
    # One column of True at the end: argmax then has something to find in every row.
    above = tf.pad(tf.cast(x > threshold, tf.int32), [[0, 0], [0, 1]], constant_values=1)
    first = tf.argmax(above, axis=1)
    return tf.where(first == x.shape[1], tf.constant(-1, tf.int64), first)


def is_nan(x):
    return tf.math.is_nan(tf.cast(x, tf.float64))


def first_by_counting(x, threshold):
    before = tf.math.cumprod(tf.cast(x <= threshold, tf.int64) + tf.cast(is_nan(x), tf.int64), axis=1)
    first = tf.reduce_sum(before, axis=1)
    return tf.where(first < x.shape[1], first, tf.constant(-1, tf.int64))


first_in_a_graph = tf.function(first_by_numbers)


@tf.function
def first_vectorized(x, threshold):
    columns = tf.shape(x)[1]
    numbers = tf.range(columns)
    first = tf.vectorized_map(lambda row: tf.reduce_min(tf.where(row > threshold, numbers, columns)), x)
    return tf.cast(tf.where(first < columns, first, -1), tf.int64)


def first_row_by_row(x, threshold):
    indices = [tf.where(row > threshold)[:1, 0] for row in x]
    found = [index[0] if len(index) else tf.constant(-1, tf.int64) for index in indices]
    return tf.stack(found) if found else tf.zeros([0], tf.int64)


def first_column_by_column(x, threshold):
    first = tf.fill([x.shape[0]], tf.constant(-1, tf.int64))
    for j in reversed(range(x.shape[1])):
        first = tf.where(x[:, j] > threshold, tf.constant(j, tf.int64), first)
    return first


def first_through_numpy(x, threshold):
    above = x.numpy() > threshold
    padded = np.pad(above, [[0, 0], [0, 1]], constant_values=True)
    first = padded.argmax(axis=1)
    return tf.constant(np.where(first == x.shape[1], -1, first), tf.int64)


def first_by_numpy_argmax(x, threshold):
    above = tf.pad(x > threshold, [[0, 0], [0, 1]], constant_values=True)
    first = tf.constant(np.argmax(above, axis=1), tf.int64)
    return tf.where(first == x.shape[1], tf.constant(-1, tf.int64), first)


@tf.function
def first_mapped(x, threshold):
    numbers = tf.range(tf.shape(x)[1], dtype=tf.int64)
    above = lambda row: tf.reduce_min(tf.where(row > threshold, numbers, tf.int64.max))
    first = tf.map_fn(above, x, fn_output_signature=tf.int64)
    return tf.where(first < tf.int64.max, first, tf.constant(-1, tf.int64))


def first_by_argmax_only(x, threshold):
    above = tf.cast(x > threshold, tf.int32)
    return tf.where(tf.reduce_any(x > threshold, axis=1), tf.argmax(above, axis=1), tf.constant(-1, tf.int64))


def largest_above(x, threshold):
    return tf.where(tf.reduce_any(x > threshold, axis=1), tf.argmax(x, axis=1), tf.constant(-1, tf.int64))


def not_below(x, threshold):
    return first_by_numbers(-tf.cast(x < threshold, tf.int32), -0.5)


right("first_above", "the least number of those above", first_by_numbers)
right("first_above", "argmax with a column added", first_by_argmax)
right("first_above", "how many come before", first_by_counting)
right("first_above", "in a graph", first_in_a_graph)

wrong("first_above", "the slow loop itself", "unlooped", first_above_slow)
wrong("first_above", "compared in float32", "correct", lambda x, t: first_above_slow(tf.cast(x, tf.float32), t))
wrong("first_above", "a loop over rows", "unlooped", first_row_by_row)
wrong("first_above", "a map over rows in a graph", "unlooped", first_mapped)
wrong("first_above", "a loop over columns", "unlooped", first_column_by_column)
wrong("first_above", "a detour through NumPy", "unlooped", first_through_numpy)
wrong("first_above", "NumPy's own argmax", "unlooped", first_by_numpy_argmax, says="NumPy on a tensor")
wrong("first_above", "the slow loop on a forged clock", "correct", forging_clocks(first_above_slow))
wrong("first_above", "no answer without columns", "correct", first_by_argmax_only)
wrong("first_above", "0 where none is", "correct", lambda x, t: tf.argmax(tf.cast(x > t, tf.int32), axis=1), says="-1")
wrong("first_above", "where the largest is", "correct", largest_above)
wrong("first_above", "values equal to the threshold", "correct", not_below)
wrong(
    "first_above", "NaN taken for above", "correct", lambda x, t: first_by_numbers(tf.cast(~(x <= t), tf.float32), 0.5)
)
wrong("first_above", "int32 indices", "correct", lambda x, t: tf.cast(first_by_numbers(x, t), tf.int32), says="dtype")
wrong("first_above", "counted from 1", "correct", lambda x, t: first_by_argmax(x, t) + 1)
wrong("first_above", "the other axis", "correct", lambda x, t: first_by_numbers(tf.transpose(x), t))
wrong("first_above", "a list", "correct", lambda x, t: first_by_numbers(x, t).numpy().tolist(), says="list")
wrong("first_above", "nothing returned", "correct", lambda x, t: None, says="return")
wrong("first_above", "not written yet", "correct", not_written, says="not written")
wrong("first_above", "a cached first answer", "correct", cached_first(first_by_numbers))
wrong(
    "first_above",
    "right for the published size only",
    "correct",
    only_for(lambda x, t: len(x) == 64, first_by_numbers, largest_above),
)
wrong("first_above", "comparisons forged", "correct", forging_comparisons(largest_above))
wrong("first_above", "the check forged", "correct", forging_the_check(largest_above))
