"""TensorFlow functions as learners write them (eager, graphs, and with XLA), each with the line that costs most and the
reason, as a person judged.

As a script, run by test_tensorflow.py, it asserts that `explain` agrees.
"""

import math
from unittest.mock import patch

import tensorflow as tf
from explained_case import Case, find_undisturbed, messages

from course_utils.explaining import profiler


def sum_of_squares(values):
    total = tf.constant(0.0)
    for i in range(len(values)):
        total += values[i] * values[i]  # costliest of sum_of_squares
    return total


def mean_loss(losses):
    total = 0.0
    for loss in losses:
        total += loss.numpy()  # costliest of mean_loss
    return total / len(losses)


def standardize(pixels, mean, deviation, gain, offset):
    scaled = (pixels - mean) / deviation * gain + offset  # costliest of standardize
    return scaled[:10]


def best_matches(queries, keys):
    scores = tf.matmul(queries, keys, transpose_b=True)  # costliest of best_matches
    return tf.reduce_max(scores, axis=1)


def to_decibels(power):
    levels = tf.constant([10 * math.log10(value) for value in power.numpy().tolist()])  # costliest of to_decibels
    return levels - tf.reduce_max(levels)


def color_shift(images):
    return tf.image.adjust_hue(images, 0.05)  # costliest of color_shift


def thumbnails(images, size):
    small = []
    for image in images:
        small.append(tf.image.resize(image, (size, size)))  # costliest of thumbnails
    return small


@tf.function
def normalize_pixels(pixels, mean, deviation):
    return (tf.cast(pixels, tf.float32) - mean) / deviation


def normalized(pixels, mean, deviation):
    images = normalize_pixels(pixels, mean, deviation)  # costliest of normalized
    return images[0]


def total_by_user(ratings, users, count):
    return tf.math.unsorted_segment_sum(ratings, users, count)  # costliest of total_by_user


@tf.function
def spread(indices, values, features, rounds):
    links = tf.SparseTensor(indices, values, (1000, 1000))
    for _ in tf.range(rounds):
        features = tf.ensure_shape(tf.sparse.sparse_dense_matmul(links, features), (1000, 16))
    return features


def spread_twice(indices, values, features):
    features = spread(indices, values, features, tf.constant(2))  # costliest of spread_twice
    return tf.nn.l2_normalize(features, 1)


@tf.function
def square_root(x):
    _, root = tf.while_loop(lambda i, _: i < 500, lambda i, root: (i + 1, 0.5 * (root + x / root)), (0, x))
    return root


def roots(x):
    root = square_root(x)  # costliest of roots
    return root * root


@tf.function(jit_compile=True)
def several_logs(x):
    for _ in range(6):
        x = tf.math.log1p(tf.exp(-tf.abs(x)))
    return x


def compiled_logs(x):
    return several_logs(x)  # costliest of compiled_logs


def pairwise_products(x, weights, y):
    return tf.einsum("bi,oij,bj->bo", x, weights, y)  # costliest of pairwise_products


def load(pipeline):
    total = 0.0
    for batch in pipeline:  # costliest of load
        total += tf.reduce_mean(batch)
    return total


def enlarged(images):
    return tf.data.Dataset.from_tensor_slices(images).map(lambda image: tf.image.resize(image, (256, 256))).batch(8)


def normal(*shape):
    return tf.random.stateless_normal(shape, seed=(1, 2))


def case(function, make_inputs, **reasons):
    return Case(function.__name__, __file__, function, make_inputs, reasons)


def whole(*shape, below, dtype=tf.int32):
    return tf.random.stateless_uniform(shape, (3, 4), maxval=below, dtype=dtype)


CASES = [
    case(
        sum_of_squares,
        lambda: (normal(100),),
        launches="each value takes four small operations",
    ),
    case(
        mean_loss,
        lambda: (list(normal(2000)),),
        syncs="each iteration reads one value, and does nothing else",
    ),
    case(
        standardize,
        lambda: (normal(2_000_000), 0.1, 1.2, 0.5, 0.5),
        traffic="four operations read and write the whole array four times",
        allocation="each of the four fills a new buffer",
    ),
    case(
        best_matches,
        lambda: (normal(512, 1024), normal(512, 1024)),
        limit="a matrix product runs at the peak of the processor",
        compute="below the peak, the multiplications still take the time",
    ),
    case(
        to_decibels,
        lambda: (tf.abs(normal(10_000)) + 1e-3,),
        python="Python computes with one number after the other",
    ),
    case(
        color_shift,
        lambda: (tf.abs(normal(8, 128, 128, 3)),),
        compute="a pixel takes far longer than a copy of it, however few there are",
    ),
    case(
        thumbnails,
        lambda: (list(normal(4, 256, 256, 3)), 1024),
        compute="half the image takes half the time, so the calls aren't the cost",
    ),
    case(
        normalized,
        lambda: (whole(8, 384, 384, 3, below=256), normal(3), normal(3)),
        compute="with three channels an element takes many times as long as with a scalar, also in the cache",
    ),
    case(
        total_by_user,
        lambda: (normal(200_000, 8), whole(200_000, below=8), 8),
        compute="a row takes as long with 1,000 rows as with 200,000",
    ),
    case(
        spread_twice,
        lambda: (whole(200_000, 2, below=1000, dtype=tf.int64), normal(200_000), normal(1000, 16)),
        compute="all rows fit the cache, and half the entries take half the time",
    ),
    case(
        roots,
        lambda: (tf.abs(normal(1000)) + 1.0,),
        launches="1,500 operations on 4 KB each",
    ),
    case(
        compiled_logs,
        lambda: (normal(1000, 500),),
        compute="twelve elementary functions for each value that is read and written once",
    ),
    case(
        pairwise_products,
        lambda: (normal(256, 64), normal(32, 64, 64), normal(256, 64)),
        compute="67 million multiplications with 2 MB of values",
        limit="the multiplications may run at the peak of the processor",
    ),
    case(
        load,
        lambda: (enlarged(normal(64, 64, 64, 3)),),
        unknown="the pipeline's functions run in other threads; Python only waits",
    ),
]


if __name__ == "__main__":
    with patch.object(profiler, "BUDGET_S", 0.3):
        findings = [find_undisturbed(case) for case in CASES]
    misses = messages(finding.miss(case) for finding, case in zip(findings, CASES, strict=True))
    gaps = messages(finding.gap() for finding in findings)
    assert len(misses) <= 1, "\n".join(misses)
    assert not gaps, "\n".join(gaps)
