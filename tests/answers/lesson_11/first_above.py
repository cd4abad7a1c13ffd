"""Answers to first_above."""

import numpy as np
import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("first_above")


def _is_nan(x):
    return tf.math.is_nan(tf.cast(x, tf.float64))


@answers.right("the least column index above")
def first_by_numbers(x, threshold):
    columns = x.shape[1]
    numbers = tf.range(columns, dtype=tf.int64)
    first = tf.reduce_min(tf.where(x > threshold, numbers, tf.constant(columns, tf.int64)), axis=1)
    return tf.where(first < columns, first, tf.constant(-1, tf.int64))


@answers.right("argmax with a column added")
def first_by_argmax(x, threshold):
    # A last column of True gives argmax something to find in every row.
    above = tf.pad(tf.cast(x > threshold, tf.int32), [[0, 0], [0, 1]], constant_values=1)
    first = tf.argmax(above, axis=1)
    return tf.where(first == x.shape[1], tf.constant(-1, tf.int64), first)


@answers.right("a count of the columns before")
def first_by_counting(x, threshold):
    before = tf.math.cumprod(tf.cast(x <= threshold, tf.int64) + tf.cast(_is_nan(x), tf.int64), axis=1)
    first = tf.reduce_sum(before, axis=1)
    return tf.where(first < x.shape[1], first, tf.constant(-1, tf.int64))


@answers.right("the least column index, in a graph")
@tf.function
def first_in_a_graph(x, threshold):
    return first_by_numbers(x, threshold)


@answers.right("vectorized_map in a graph")
@tf.function
def first_vectorized(x, threshold):
    columns = tf.shape(x)[1]
    numbers = tf.range(columns)
    first = tf.vectorized_map(lambda row: tf.reduce_min(tf.where(row > threshold, numbers, columns)), x)
    return tf.cast(tf.where(first < columns, first, -1), tf.int64)


@answers.wrong("the index of the largest value", "correct")
def largest_above(x, threshold):
    return tf.where(tf.reduce_any(x > threshold, axis=1), tf.argmax(x, axis=1), tf.constant(-1, tf.int64))


@answers.wrong("a loop over rows", "unlooped")
def first_row_by_row(x, threshold):
    indices = [tf.where(row > threshold)[:1, 0] for row in x]
    found = [index[0] if len(index) else tf.constant(-1, tf.int64) for index in indices]
    return tf.stack(found) if found else tf.zeros([0], tf.int64)


@answers.wrong("map_fn in a graph", "unlooped")
@tf.function(reduce_retracing=True)
def first_mapped(x, threshold):
    numbers = tf.range(tf.shape(x)[1], dtype=tf.int64)
    above = lambda row: tf.reduce_min(tf.where(row > threshold, numbers, tf.int64.max))
    first = tf.map_fn(above, x, fn_output_signature=tf.int64)
    return tf.where(first < tf.int64.max, first, tf.constant(-1, tf.int64))


@answers.wrong("a loop over columns", "unlooped")
def first_column_by_column(x, threshold):
    first = tf.fill([x.shape[0]], tf.constant(-1, tf.int64))
    for j in reversed(range(x.shape[1])):
        first = tf.where(x[:, j] > threshold, tf.constant(j, tf.int64), first)
    return first


@answers.wrong("the last of several writes, in a graph", "correct", says="several values to one position")
@tf.function(reduce_retracing=True)
def first_written_last(x, threshold):
    places = tf.reverse(tf.where(x > threshold), [0])
    first = tf.fill(tf.shape(x)[:1], tf.constant(-1, tf.int64))
    return tf.raw_ops.TensorScatterUpdate(tensor=first, indices=places[:, :1], updates=places[:, 1])


@answers.wrong("NumPy's own argmax", "unlooped", says="NumPy on a tensor")
def first_by_numpy_argmax(x, threshold):
    above = tf.pad(x > threshold, [[0, 0], [0, 1]], constant_values=True)
    first = tf.constant(np.argmax(above, axis=1), tf.int64)
    return tf.where(first == x.shape[1], tf.constant(-1, tf.int64), first)


@answers.wrong("an error without columns", "correct")
def first_by_argmax_only(x, threshold):
    above = tf.cast(x > threshold, tf.int32)
    return tf.where(tf.reduce_any(x > threshold, axis=1), tf.argmax(above, axis=1), tf.constant(-1, tf.int64))


@answers.wrong("values equal to the threshold count", "correct")
def not_below(x, threshold):
    return first_by_numbers(-tf.cast(x < threshold, tf.int32), -0.5)


answers.wrong("NaN counts as above", "correct")(lambda x, t: first_by_numbers(tf.cast(~(x <= t), tf.float32), 0.5))


@answers.wrong("columns counted in float16", "correct", says="40,001 columns")
def first_by_half_weights(x, threshold):
    columns = x.shape[1]
    weights = tf.cast(x > threshold, tf.float16) * tf.cast(tf.range(columns, 0, -1), tf.float16)
    largest = tf.reduce_max(tf.pad(weights, [[0, 0], [0, 1]]), axis=1)
    return tf.where(largest > 0, columns - tf.cast(largest, tf.int64), tf.constant(-1, tf.int64))


answers.wrong("int32 indices", "correct", says="dtype")(lambda x, t: tf.cast(first_by_numbers(x, t), tf.int32))
answers.wrong("counted from 1", "correct")(lambda x, t: first_by_argmax(x, t) + 1)
answers.wrong("the other axis", "correct")(lambda x, t: first_by_numbers(tf.transpose(x), t))
answers.wrong("a list", "correct", says="list")(lambda x, t: first_by_numbers(x, t).numpy().tolist())


@answers.wrong("a threshold rounded to float32", "correct", says="`tf.cast(threshold, x.dtype)` rounds")
def rounded_threshold(x, threshold):
    return first_by_numbers(x, tf.cast(threshold, x.dtype))


answers.wrong("compared in float64", "correct", says="beyond float64")(
    lambda x, t: first_by_numbers(tf.cast(x, tf.float64), float(t))
)


@answers.wrong("indices in float16", "correct", says="40,001 columns")
def first_by_half_indices(x, threshold):
    numbers = tf.cast(tf.range(x.shape[1]), tf.float16)
    first = tf.reduce_min(tf.where(x > threshold, numbers, tf.float16.max), axis=1)
    return tf.where(first < tf.float16.max, tf.cast(first, tf.int64), tf.constant(-1, tf.int64))


@answers.wrong("int8 counts", "correct", says="40,001 columns")
def first_by_small_counts(x, threshold):
    before = tf.cumsum(tf.cast(x > threshold, tf.int8), axis=1) == 0
    first = tf.reduce_sum(tf.cast(before, tf.int64), axis=1)
    return tf.where(first < x.shape[1], first, tf.constant(-1, tf.int64))


answers.wrong("NaN replaced by 0", "correct", says="NaN and a negative threshold")(
    lambda x, t: first_by_numbers(tf.where(_is_nan(x), tf.zeros_like(x), x), t)
)


@answers.wrong("the next integer as the limit", "correct", says="largest int32")
def first_at_next_integer(x, threshold):
    above = x >= threshold + 1 if x.dtype.is_integer else x > threshold
    return first_by_numbers(tf.cast(above, tf.float32), 0.5)


answers.wrong("the first 4,096 rows only", "correct", says="5,000 rows")(
    lambda x, threshold: tf.concat(
        [first_by_numbers(x[:4096], threshold), tf.zeros([max(len(x) - 4096, 0)], tf.int64)], 0
    )
)


@answers.wrong("the largest finite number as the threshold", "correct", says="an infinite threshold")
def first_at_a_finite_threshold(x, threshold):
    return first_by_numbers(x, min(threshold, 1e38) if x.dtype.is_floating else threshold)


answers.wrong("no threshold below 0 for integers", "correct", says="negative integers beyond float64")(
    lambda x, threshold: first_by_numbers(x, max(threshold, 0) if x.dtype.is_integer else threshold)
)
