"""Run by test_explain_tensorflow.py in a process of its own: what ``explain`` makes of TensorFlow's code."""

import dataclasses

import numpy as np
import tensorflow as tf
from made_up_limits import PEAKS

from course_utils import explain, limits
from course_utils.explaining import profiler

launches_s = dict.fromkeys(PEAKS.launches_s["torch"], 20e-6)
limits.load_peaks = lambda device, threads: dataclasses.replace(PEAKS, launches_s={"tensorflow": launches_s})
profiler.BUDGET_S = 0.1


def loop(x):
    total = tf.zeros_like(x[0])
    for i in range(x.shape[0]):
        total = total + x[i]
    return total


explanation = explain(loop, tf.random.normal((50, 10)))
assert (explanation.costliest.source, explanation.costliest.reason) == ("total = total + x[i]", "launches"), explanation
assert (explanation.costliest.counts.runs, explanation.costliest.counts.ops) == (50, 100), explanation
assert 50 * 40 <= explanation.costliest.counts.minimum_traffic.reads < 2 * 50 * 40


def product(a):
    b = tf.matmul(a, a)
    return float(tf.reduce_sum(b))


explanation = explain(product, tf.random.normal((500, 500)))
assert explanation.costliest.source == "b = tf.matmul(a, a)" and explanation.costliest.counts.flops == 2 * 500**3, (
    explanation
)
assert explanation.lines[1].counts.syncs == 1


def windows(x):
    return tf.reduce_mean(tf.signal.frame(x, 32, 1), 1)


explanation = explain(windows, tf.random.normal((100_000,)))
assert explanation.costliest.reason == "traffic" and explanation.costliest.lesson.startswith("06"), explanation


@tf.function
def graph(x):
    for _ in tf.range(10):
        x = tf.sin(x)
    return x


def with_graph(x):
    y = graph(x)
    return y + 1.0


explanation = explain(with_graph, tf.random.normal((100_000,)))
assert explanation.costliest.source == "y = graph(x)" and explanation.costliest.counts.compiled_calls, explanation
assert explanation.costliest.counts.launches == 1 and explanation.costliest.counts.ops >= 10
assert any("as they are written" in note for note in explanation.notes)

assert explanation.first_call_s > explanation.measured_s
assert "Sin" in [part.name for part in explanation.costliest.parts], explanation


@tf.function(jit_compile=True)
def fused(x):
    return tf.tanh(tf.exp(x) + 1.0)


def with_xla(x):
    return fused(x)


explanation = explain(with_xla, tf.random.normal((1_000_000,)))
assert explanation.costliest.parts, "XLA's kernels, as far as this version of TensorFlow lists them"


@tf.function
def multiplied(x):
    return x @ x


def with_product(x):
    return multiplied(x)


explanation = explain(with_product, tf.random.normal((500, 500)))
assert explanation.costliest.counts.flops == 2 * 500**3 and explanation.costliest.floor_s > 1e-3, explanation
assert "MatMul" in [part.name for part in explanation.costliest.parts], explanation

weights = tf.Variable(tf.ones((8, 8)))
optimizer = tf.keras.optimizers.Adam(0.1)


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return float(loss)


explanation = explain(step, tf.ones((4, 8)))
assert [line.source for line in explanation.lines if line.counts.syncs] == ["return float(loss)"], explanation
assert np.array_equal(weights.numpy(), np.ones((8, 8))), "the variables are put back"
assert sum(line.seconds for line in explanation.lines) > 0.85 * explanation.measured_s
