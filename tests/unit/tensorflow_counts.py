"""Counts of TensorFlow's graphs and eager code. test_tensorflow.py runs this file."""

import operator
import threading
from contextlib import nullcontext
from multiprocessing.pool import ThreadPool

import numpy as np
import tensorflow as tf
from keras import ops as keras_ops

from course_utils.counting import count

rows = {size: tf.random.normal((size, 4)) for size in (8, 32)}


def counts_at(function, size):
    function(rows[size])
    return count(function, rows[size])[1]


def growth(function):
    return counts_at(function, 32).ops - counts_at(function, 8).ops


def graph(function):
    return tf.function(function, input_signature=[tf.TensorSpec([None, 4])])


def taped(x, tape):
    with tape:
        if hasattr(tape, "watch"):
            tape.watch(x)
        return tf.reduce_sum(tf.sin(tf.exp(tf.exp(x))))


def while_loop(x):
    total = tf.zeros_like(x[0])
    for row in tf.range(tf.shape(x)[0]):
        total += x[row]
    return total


def write_tensor_array(x):
    count = tf.shape(x)[0]
    body = lambda row, results: (row + 1, results.write(row, x[row] * 2))
    return tf.while_loop(lambda row, results: row < count, body, (0, tf.TensorArray(tf.float32, size=count)))[1].stack()


assert counts_at(lambda x: x * 2 + 1, 8).ops == 2
assert counts_at(lambda x: x * 2 + 1, 8).bytes == 2 * 8 * 4 * 4
assert counts_at(lambda x: x * 2 + 1, 8).peak == 2 * 8 * 4 * 4
assert counts_at(lambda x: tf.reshape(x * 2, (-1,)) + 1, 8).peak == 2 * 8 * 4 * 4
assert counts_at(lambda x: [x + 1 for _ in range(5)], 8).peak == 5 * 8 * 4 * 4
assert counts_at(lambda x: [tf.reduce_sum(x[:4] + 1, 0) for _ in range(5)], 8).peak < 4 * 8 * 4 * 4
assert counts_at(graph(lambda x: x * 2 + 1), 8).peak == 8 * 4 * 4

# TensorFlow's pieces share the memory of the whole if they are whole rows of 64 bytes; other slices are copies.
wide = tf.random.normal((8, 16))
for cut in (lambda x: x[2:5], lambda x: tf.split(x, 4), lambda x: tf.split(x, [3, 5]), tf.unstack):
    assert count(cut, wide)[1].bytes == 0
for cut in (lambda x: x[:, :4], lambda x: x[::2], lambda x: tf.split(x, 4, axis=1)):
    assert count(cut, wide)[1].bytes > 0
assert counts_at(lambda x: x[1:], 8).bytes == 7 * 4 * 4
assert (
    counts_at(lambda x: taped(x, tf.GradientTape()), 8).peak
    >= counts_at(lambda x: taped(x, nullcontext()), 8).peak + 8 * 4 * 4
)
assert growth(lambda x: x * 2 + 1) == 0
assert growth(graph(lambda x: x * 2 + 1)) == 0
assert growth(graph(lambda x: tf.vectorized_map(lambda row: row * 2, x))) == 0
assert growth(graph(lambda x: tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2, lambda: x + 1))) == 0
assert growth(lambda x: tf.stack([row * 2 for row in x])) >= 24
assert growth(lambda x: tf.map_fn(lambda row: row * 2, x)) >= 24
assert growth(graph(lambda x: tf.map_fn(lambda row: row * 2, x))) >= 24
assert growth(graph(lambda x: tf.scan(lambda total, row: total + row, x))) >= 24
assert growth(graph(while_loop)) >= 24
assert growth(graph(write_tensor_array)) >= 24
assert growth(tf.function(lambda x: tf.stack([row * 2 for row in tf.unstack(x)]))) >= 24
assert growth(tf.function(while_loop, jit_compile=True)) >= 24

assert counts_at(lambda x: x * 2 + 1, 8).launches == 2
assert counts_at(graph(lambda x: x * 2 + 1), 8).launches == 1
assert counts_at(graph(while_loop), 32).launches == 1
assert counts_at(tf.function(while_loop, jit_compile=True), 32).launches == 1
assert counts_at(lambda x: tf.stack([graph(lambda row: row + 1)(row) for row in (x, x)]), 8).launches == 3

assert counts_at(lambda x: x.numpy(), 8).sync_causes == (".numpy()",)
assert counts_at(lambda x: [float(value) for row in np.asarray(x) for value in row], 8).sync_causes == (
    "NumPy on a tensor",
)
dlpack = ["from_dlpack"] if hasattr(tf.constant(0), "__dlpack__") else []  # TensorFlow 2.16 lacks it.
for name in ("asanyarray", "ascontiguousarray", "frombuffer", *dlpack):
    assert counts_at(lambda x, name=name: getattr(np, name)(x), 8).sync_causes == ("NumPy on a tensor",), name
assert counts_at(lambda x: np.array(x[0, 0]), 8).sync_causes == (".numpy() of one value",)
assert counts_at(lambda x: np.sin(x), 8).sync_causes == ("NumPy on a tensor",)
assert counts_at(lambda x: np.add.reduce(x), 8).sync_causes == ("NumPy on a tensor",)
assert counts_at(lambda x: np.add(x, x, dtype=np.float64), 8).sync_causes == ("NumPy on a tensor",)
assert counts_at(lambda x: np.sum(x), 8).syncs == 1
assert counts_at(lambda x: np.stack([np.argmax(x, 1), np.zeros(8)]), 8).sync_causes == ("NumPy on a tensor",)
assert counts_at(lambda x: np.exp(x[0, 0]), 8).sync_causes == (".numpy() of one value",)
assert counts_at(lambda x: x * np.array([1.0, 2.0, 3.0], np.float32)[0], 8).sync_causes == ()

# If the left operand is an array and the right one a tensor, the tensor computes the result, counted or not.
ones = np.ones((8, 4), np.float32)
for operation in (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
    lambda array, x: array.T @ x,
    lambda array, x: (array > 0) & (x > 0),
    lambda array, x: (array > 0) | (x > 0),
    lambda array, x: (array > 0) ^ (x > 0),
):
    uncounted = operation(ones, rows[8])
    counted, counts = count(operation, ones, rows[8])
    assert type(counted) is type(uncounted) and (np.asarray(counted) == np.asarray(uncounted)).all(), operation
    # NumPy 1 checks whether an exponent is an integer, which reads the tensor.
    reads = operation is operator.pow and np.lib.NumpyVersion(np.__version__) < "2.0.0"
    assert counts.sync_causes == (("int()",) if reads else ()), operation
assert not hasattr(tf.Tensor, "__array_ufunc__") and not hasattr(rows[8], "__array_function__")
assert counts_at(lambda x: float(x[0, 0]), 8).sync_causes == ("float()",)
assert counts_at(lambda x: x[0, 0].numpy(), 8).sync_causes == (".numpy() of one value",)
assert counts_at(lambda x: list(range(tf.shape(x)[0])), 8).sync_causes == ("int()",)
assert counts_at(lambda x: 1 if x[0, 0] > 0 else 2, 8).sync_causes == ("a branch on a tensor",)
assert counts_at(lambda x: f"{x}", 8).sync_causes == counts_at(str, 8).sync_causes == ("print()",)
assert counts_at(lambda x: tf.get_static_value(x), 8).sync_causes == ("tf.get_static_value()",)
assert counts_at(lambda x: tf.debugging.check_numerics(x, ""), 8).sync_causes == ("tf.debugging.check_numerics()",)
assert counts_at(lambda x: tf.Variable(x).numpy(), 8).sync_causes == (".numpy()",)
assert counts_at(lambda x: tf.map_fn(lambda row: tf.constant(row.numpy()), x), 8).sync_causes == (
    "a branch on a tensor",
    ".numpy()",
)
assert counts_at(lambda x: [float(value) for value in x[0]], 8).syncs == 4
assert counts_at(graph(lambda x: tf.numpy_function(np.sin, [x], tf.float32)), 8).sync_causes == (
    "Python inside a graph",
)

# A pipeline's functions run in its own threads, where they are not counted.
squares_of_rows = lambda x: tf.data.Dataset.from_tensor_slices(x).map(tf.square).batch(100)
assert counts_at(lambda x: next(iter(squares_of_rows(x))), 8).threads == 1
assert counts_at(lambda x: squares_of_rows(x).get_single_element(), 8).threads == 1

# Reads that TensorFlow makes for itself do not count.
assert counts_at(lambda x: tf.vectorized_map(lambda row: row * 2, x), 8).sync_causes == ()
assert counts_at(lambda x: tf.zeros([tf.shape(x)[0], 1]), 8).sync_causes == ()
assert counts_at(lambda x: tf.reshape(x, [tf.shape(x)[0] * 4]), 8).sync_causes == ()
assert counts_at(lambda x: keras_ops.max(x, axis=1), 8).sync_causes == ()
assert counts_at(lambda x: tf.debugging.assert_less(x, 99.0), 8).sync_causes == ("a branch on a tensor",)

# Arguments, results of counted operations, and copies of both by other methods are no unseen results.
for result in (
    lambda x: x,
    lambda x: x.cpu(),
    lambda x: (x + 1).cpu(),
    tf.function(tf.square),
    lambda x: (x * 2, tf.constant(8)),
):
    assert counts_at(result, 8).unseen_results == 0
assert counts_at(lambda x: tf.constant(np.array(memoryview(x))), 8).unseen_results == 1
with ThreadPool(1) as pool:
    assert counts_at(lambda x: pool.apply(tf.square, (x,)), 8).unseen_results == 1

# A value that a graph uses is read when the graph is traced, in the first call.
factors = tf.constant([1.0, 2.0])
assert counts_at(tf.function(lambda x: x * factors.numpy()[0]), 8).sync_causes == ()
assert count(tf.function(lambda x: x * factors.numpy()[0]), rows[8])[1].sync_causes == (".numpy()",)

scaled = tf.function(lambda x, factor: x * factor)
assert count(lambda: [scaled(rows[8], float(factor)) for factor in range(4)])[1].traces == 4
assert count(lambda: [scaled(rows[8], tf.constant(float(factor))) for factor in range(4)])[1].traces == 1
assert count(lambda: [scaled(rows[8], tf.constant(float(factor))) for factor in range(4)])[1].traces == 0

variable = tf.Variable(0.0)
step = tf.function(lambda: variable.assign_add(1.0))
step()
assert count(step)[1].ops >= 1

# A read of a variable shares its memory until a part of the variable is written; then each read copies it.
table = tf.Variable(tf.zeros([1024, 64]))
assert count(lambda: [table.value() for _ in range(4)])[1].bytes == 0


def assign_slices():
    for k in range(4):
        table[k : k + 1].assign(tf.ones([1, 64]))


copied = count(assign_slices)[1].bytes
assert 3 * 2**18 <= copied < 3 * 2**18 + 2**14, copied

# NumPy's functions are replaced only while a count runs, also if two counts overlap, and only the counting thread
# reports.
array, asarray = np.array, np.asarray
first, second = (threading.Event() for _ in range(2))
counted = []


def count_in_thread():
    def wait(x):
        first.set()
        second.wait(10)
        return np.asarray(x)

    counted.append(count(wait, rows[8])[1])


thread = threading.Thread(target=count_in_thread)
thread.start()
first.wait(10)
assert np.asarray is not asarray
assert count(np.asarray, rows[8])[1].sync_causes == ("NumPy on a tensor",)
second.set()
thread.join()
assert counted[0].syncs == 1 and counted[0].sync_causes == ("NumPy on a tensor",)
assert np.array is array and np.asarray is asarray
