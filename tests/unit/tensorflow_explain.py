"""Run by test_explain_tensorflow.py in a process of its own: what ``explain`` makes of TensorFlow's code."""

import dataclasses

import numpy as np
import tensorflow as tf
from made_up_limits import PEAKS

from course_utils import explain, limits
from course_utils.explaining import profiler

starts = dict.fromkeys(PEAKS.starts_s["torch"], 20e-6)
limits.known = lambda device, threads: dataclasses.replace(PEAKS, starts_s={"tensorflow": starts})
profiler.BUDGET_S = 0.1


def loop(x):
    total = tf.zeros_like(x[0])
    for i in range(x.shape[0]):
        total = total + x[i]
    return total


bill = explain(loop, tf.random.normal((50, 10)))
assert (bill.costliest.source, bill.costliest.reason) == ("total = total + x[i]", "launches"), bill
assert (bill.costliest.counts.runs, bill.costliest.counts.ops) == (50, 100), bill
assert 50 * 40 <= bill.costliest.counts.least.reads < 2 * 50 * 40


def product(a):
    b = tf.matmul(a, a)
    return float(tf.reduce_sum(b))


bill = explain(product, tf.random.normal((500, 500)))
assert bill.costliest.source == "b = tf.matmul(a, a)" and bill.costliest.counts.flops == 2 * 500**3, bill
assert bill.lines[1].counts.waits == 1


def windows(x):
    return tf.reduce_mean(tf.signal.frame(x, 32, 1), 1)


bill = explain(windows, tf.random.normal((100_000,)))
assert bill.costliest.reason == "passes" and bill.costliest.lesson.startswith("06"), bill


@tf.function
def graph(x):
    for _ in tf.range(10):
        x = tf.sin(x)
    return x


def with_graph(x):
    y = graph(x)
    return y + 1.0


bill = explain(with_graph, tf.random.normal((100_000,)))
assert bill.costliest.source == "y = graph(x)" and bill.costliest.counts.compiled, bill
assert bill.costliest.counts.launches == 1 and bill.costliest.counts.ops >= 10
assert any("seen as a whole" in note for note in bill.notes)

weights = tf.Variable(tf.ones((8, 8)))
optimizer = tf.keras.optimizers.Adam(0.1)


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return float(loss)


bill = explain(step, tf.ones((4, 8)))
assert [line.source for line in bill.lines if line.counts.waits] == ["return float(loss)"], bill
assert np.array_equal(weights.numpy(), np.ones((8, 8))), "the variables are put back"
assert sum(line.seconds for line in bill.lines) > 0.85 * bill.measured_s
