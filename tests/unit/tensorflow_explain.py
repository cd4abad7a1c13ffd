"""Run by test_tensorflow.py: what ``explain`` makes of TensorFlow's code."""

import dataclasses
import tempfile

import numpy as np
import tensorflow as tf
from load_tolerance import in_one_of_three_attempts
from sample_limits import PEAKS

from course_utils import CourseError, explain, limits, read_trace
from course_utils.explaining import profiler

launches_s = dict.fromkeys(PEAKS.launches_s["torch"], 20e-6)
limits.load_peaks = lambda device, threads: dataclasses.replace(PEAKS, launches_s={"tensorflow": launches_s})
profiler.BUDGET_S = 0.1


def loop(x):
    total = tf.zeros_like(x[0])
    for i in range(x.shape[0]):
        total = total + x[i]
    return total


@in_one_of_three_attempts
def check_a_loop_of_small_operations():
    explanation = explain(loop, tf.random.normal((50, 10)))
    line = explanation.costliest
    assert explanation.first_call_s is None, "eager operations compile nothing"
    assert (line.source, line.reason) == ("total = total + x[i]", "launches"), line
    assert (line.counts.runs, line.counts.ops, line.counts.python_calls) == (50, 100, 0), line
    assert 50 * 40 <= line.counts.minimum_traffic.reads < 2 * 50 * 40


def masked(x):
    return tf.boolean_mask(x, x > 0)


def check_python_functions_around_operations_are_no_operator_calls():
    explanation = explain(masked, tf.ones(100), threads=3)
    (line,) = (line for line in explanation.lines if "boolean_mask" in line.source)
    assert "Python functions around them" in line.finding, line.finding
    assert any("instead of 3: TensorFlow's first operation" in note for note in explanation.notes), explanation.notes


def look_up(numbers, words):
    return numbers.lookup(words)


@in_one_of_three_attempts
def check_an_operation_on_many_strings_is_not_small():
    words = tf.strings.as_string(tf.range(50_000))
    numbers = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(words, tf.range(50_000)), -1)
    line = explain(look_up, numbers, words).costliest
    assert line.counts.reads >= 24 * 50_000 and line.reason != "launches", line


def product(a):
    b = tf.matmul(a, a)
    return float(tf.reduce_sum(b))


@in_one_of_three_attempts
def check_a_product():
    explanation = explain(product, tf.random.normal((500, 500)))
    assert explanation.costliest.source == "b = tf.matmul(a, a)", explanation
    assert explanation.costliest.counts.flops == 2 * 500**3, explanation
    assert explanation.lines[1].counts.syncs == 1


def table(rows):
    return tf.constant(rows)


@in_one_of_three_attempts
def check_a_list_that_becomes_a_tensor():
    line = explain(table, [[0.5] * 300] * 300).costliest
    assert line.reason == "python" and line.finding.startswith("converts Python objects (list)"), line


def rows_of(table, ids):
    return tf.gather(table, ids)


@in_one_of_three_attempts
def check_a_gather_from_a_variable():
    values, ids = tf.random.normal((20_000, 64)), tf.random.uniform((10_000,), 0, 20_000, tf.int32)
    counts = [explain(rows_of, table, ids).costliest.counts for table in (values, tf.Variable(values))]
    moved = 10_000 * 64 * 4
    assert all(moved <= each.reads <= 1.1 * moved and each.writes == moved for each in counts), counts
    assert all(0 < sum(each.operation_seconds.values()) for each in counts), counts


def embedded(table, ids):
    return tf.nn.embedding_lookup(table, ids)


def check_an_embedding_must_be_written_although_an_identity_returns_it():
    least = explain(embedded, tf.Variable(tf.ones((2000, 64))), tf.range(500)).costliest.counts.minimum_traffic
    assert least.writes == 500 * 64 * 4, least


def doubled_rows(x):
    return tf.reshape(x, [2 * tf.shape(x)[0], -1]) + 1.0


def check_a_line_that_asks_for_a_shape_also_reads_the_values():
    least = explain(doubled_rows, tf.ones((500, 64))).costliest.counts.minimum_traffic
    assert least.reads >= 500 * 64 * 4, least


def windows(x):
    return tf.reduce_mean(tf.signal.frame(x, 32, 1), 1)


@in_one_of_three_attempts
def check_windows():
    line = explain(windows, tf.random.normal((100_000,))).costliest
    assert line.reason == "traffic" and line.lesson.startswith("06"), line


@tf.function
def graph(x):
    for _ in tf.range(10):
        x = tf.sin(x)
    return x


def with_graph(x):
    y = graph(x)
    return y + 1.0


def check_a_graph_in_its_first_call():
    explanation = explain(with_graph, tf.random.normal((100_000,)))
    assert explanation.first_call_s > explanation.measured_s
    assert any("as they are written" in note for note in explanation.notes)


@in_one_of_three_attempts
def check_the_parts_of_a_graph():
    line = explain(with_graph, tf.random.normal((100_000,))).costliest
    assert line.source == "y = graph(x)" and line.counts.compiled_calls, line
    assert line.counts.launches == 1 and line.counts.ops >= 10
    assert "Sin" in [part.name for part in line.parts], line


def built_in_each_call(x):
    @tf.function
    def inner(x):
        for _ in range(10):
            x = tf.tanh(x)
        return x

    return inner(x)


def check_a_graph_that_each_call_builds():
    explanation = explain(built_in_each_call, tf.random.normal((8, 8)))
    line = explanation.costliest
    assert "TORCH_LOGS" not in str(explanation), explanation
    assert (line.source, line.reason, line.counts.traces) == ("return inner(x)", "unknown", 1), line
    assert "traces 1 graph in every call" in line.finding and "outside the call" in line.advice, line


@tf.function(jit_compile=True)
def fused(x):
    return tf.tanh(tf.exp(x) + 1.0)


def with_xla(x):
    return fused(x)


@in_one_of_three_attempts
def check_xla():
    line = explain(with_xla, tf.random.normal((1_000_000,))).costliest
    assert line.parts, "XLA's kernels, as far as this version of TensorFlow lists them"
    kernel = max(line.parts, key=lambda part: part.reads + part.writes)
    assert (kernel.reads, kernel.writes, kernel.functions) == (4_000_000, 4_000_000, ("exp", "tanh")), kernel


@tf.function(jit_compile=True)
def square_with_xla(x):
    return x @ x + x @ x


def check_equal_products_of_xla_count_once_and_no_shorter_dtype_is_advised():
    line = explain(square_with_xla, tf.random.normal((512, 512))).costliest
    assert line.counts.xla_calls == 1 and "float16" not in line.advice, line
    # TensorFlow 2.16 lets a library compute both products, one of them with the addition.
    products = line.counts.inner_works["custom-call"].calls if "custom-call" in line.counts.inner_works else 1
    assert line.counts.flops == products * 2 * 512**3, line


def add_up(values):
    return np.float32(sum(values.tolist()))


@tf.function
def with_python(x):
    return tf.numpy_function(add_up, [x], tf.float32) + 1.0


def with_python_in_a_graph(x):
    return with_python(x)


@in_one_of_three_attempts
def check_a_python_function_in_a_graph():
    line = explain(with_python_in_a_graph, tf.ones(200_000)).costliest
    assert line.reason == "python" and "a Python function that the graph calls (`PyFunc`)" in line.finding, line


@tf.function
def multiplied(x):
    return x @ x


def with_product(x):
    return multiplied(x)


@in_one_of_three_attempts
def check_a_product_in_a_graph():
    line = explain(with_product, tf.random.normal((500, 500))).costliest
    assert line.counts.flops == 2 * 500**3 and line.floor_s >= line.counts.flops / PEAKS.matmul["float32"], line
    assert "MatMul" in [part.name for part in line.parts], line


weights = tf.Variable(tf.ones((8, 8)))
optimizer = tf.keras.optimizers.Adam(0.1)


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return float(loss)


def encoded(labels):
    return tf.one_hot(labels, 100)


def check_an_operation_with_an_attribute_that_was_left_out():
    assert explain(encoded, tf.zeros(10_000, tf.int32)).costliest.counts.ops == 1, "the axis of one_hot"


def scores(x, y):
    return tf.einsum("...ij,kj->...ik", x, y)


def check_the_flops_of_an_einsum():
    line = explain(scores, tf.ones((2, 30, 50)), tf.ones((40, 50))).costliest
    assert line.counts.flops == 2 * 2 * 30 * 40 * 50, line


def smoothed(images, kernel):
    return tf.nn.depthwise_conv2d(images, kernel, [1, 1, 1, 1], "SAME")


def check_the_flops_of_a_depthwise_convolution():
    line = explain(smoothed, tf.ones((2, 10, 10, 3)), tf.ones((5, 4, 3, 1))).costliest
    # Without padding, the kernel's 5 × 4 values would meet 50 × 40 values; 6 × 4 of them lie in the padding.
    assert line.counts.flops == 2 * (50 - 6) * (40 - 4) * 2 * 3, line


def dilated(images, kernel):
    return tf.nn.conv2d(images, kernel, 1, "SAME", dilations=24)


def check_that_values_in_the_padding_of_a_dilated_convolution_are_not_needed():
    explanation = explain(dilated, tf.ones((2, 33, 33, 128)), tf.ones((3, 3, 128, 128)))
    assert explanation.costliest.counts.flops == 2 * 2 * 128 * 128 * (33 + 2 * 9) ** 2, explanation
    assert "too low" not in str(explanation), explanation


def check_a_training_step():
    explanation = explain(step, tf.ones((4, 8)))
    assert [line.source for line in explanation.lines if line.counts.syncs] == ["return float(loss)"], explanation
    assert np.array_equal(weights.numpy(), np.ones((8, 8))), "the variables are put back"
    assert sum(line.seconds for line in explanation.lines) > 0.85 * explanation.measured_s


def choose(logits):
    return tf.random.categorical(logits, 2)


def check_a_random_operation_is_timed_and_its_generator_is_left_alone():
    logits = tf.zeros((200, 500))
    tf.random.set_seed(5)
    expected = [choose(logits), choose(logits)]
    tf.random.set_seed(5)
    work = explain(choose, logits).costliest.counts
    assert work.operation_seconds["Multinomial"] > 0, work
    tf.random.set_seed(5)
    assert all(np.array_equal(each, choose(logits)) for each in expected)


def check_a_profiler_that_runs():
    with tempfile.TemporaryDirectory() as folder:
        with tf.profiler.experimental.Profile(folder), tf.profiler.experimental.Trace("around"):
            try:
                explain(product, tf.ones((2, 2)))
            except CourseError as error:
                assert str(error).startswith("tf.profiler is running, which would distort"), error
            else:
                raise AssertionError("explain ran inside a profiler")
            product(tf.ones((2, 2)))
        names = [event.name for event in read_trace(folder)]
    assert "around" in names and any("MatMul" in name for name in names), "the outer profiler is complete"


def two_convolutions(images, first, second):
    with tf.GradientTape() as tape:
        tape.watch([first, second])
        loss = tf.reduce_sum(tf.nn.conv2d(tf.nn.conv2d(images, first, 1, "SAME"), second, 1, "SAME"))
    return tape.gradient(loss, [first, second])


def check_the_sizes_in_a_gradient_are_not_cut():
    weights = tf.random.normal((3, 3, 3, 8)), tf.random.normal((3, 3, 8, 8))
    for images in (4, 6):  # A shape of four axes may look like one value for each of four images.
        explanation = explain(two_convolutions, tf.random.normal((images, 48, 48, 3)), *weights)
        assert any("Conv2DBackpropInput" in line.counts.operation_seconds for line in explanation.lines), explanation


check_a_profiler_that_runs()
check_a_loop_of_small_operations()
check_python_functions_around_operations_are_no_operator_calls()
check_an_operation_on_many_strings_is_not_small()
check_a_product()
check_a_list_that_becomes_a_tensor()
check_windows()
check_a_gather_from_a_variable()
check_an_embedding_must_be_written_although_an_identity_returns_it()
check_a_line_that_asks_for_a_shape_also_reads_the_values()
check_a_graph_in_its_first_call()
check_the_parts_of_a_graph()
check_a_graph_that_each_call_builds()
if not tf.__version__.startswith("2.16."):  # whose profile lists no kernel of XLA
    check_xla()
check_equal_products_of_xla_count_once_and_no_shorter_dtype_is_advised()
check_a_python_function_in_a_graph()
check_a_product_in_a_graph()
check_an_operation_with_an_attribute_that_was_left_out()
check_the_flops_of_an_einsum()
check_the_flops_of_a_depthwise_convolution()
check_that_values_in_the_padding_of_a_dilated_convolution_are_not_needed()
check_a_training_step()
check_a_random_operation_is_timed_and_its_generator_is_left_alone()
check_the_sizes_in_a_gradient_are_not_cut()
