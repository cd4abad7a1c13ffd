"""Five eager TensorFlow functions as learners write them, each with the line that costs most and why, as a person
judged.

Run by test_explain_blind.py in a process of its own: prints as JSON where `explain` judges otherwise.
"""

import json
import math

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


def normal(*shape):
    return tf.random.stateless_normal(shape, seed=(1, 2))


def case(function, make_inputs, **reasons):
    return Case(function.__name__, __file__, function, make_inputs, reasons)


CASES = [
    case(
        sum_of_squares,
        lambda: (normal(100),),
        launches="each value starts four small operations",
    ),
    case(
        mean_loss,
        lambda: (list(normal(2000)),),
        syncs="each turn asks for one value, and does nothing else",
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
        limit="a matrix product runs at what the processor can do",
        compute="what it falls short of that, the multiplications cost",
    ),
    case(
        to_decibels,
        lambda: (tf.abs(normal(10_000)) + 1e-3,),
        python="Python computes with one number after the other",
    ),
]


if __name__ == "__main__":
    # With one thread, the limits are those that the tests of torch have measured.
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    profiler.BUDGET_S = 0.3
    findings = [find_undisturbed(case) for case in CASES]
    misses = messages(finding.miss(case) for finding, case in zip(findings, CASES, strict=True))
    print(json.dumps({"misses": misses, "gaps": messages(finding.gap() for finding in findings)}))
