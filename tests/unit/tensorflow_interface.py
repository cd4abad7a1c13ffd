"""TensorFlow implements every method of ``Framework``. test_tensorflow.py runs this file."""

import os
import sys

import numpy as np
import tensorflow as tf

from course_utils import frameworks
from course_utils.frameworks import devices, tensor_trees
from course_utils.frameworks.accelerator_interface import DEFAULT_FLUSH_BYTES
from course_utils.frameworks.tensorflow import TensorflowAccelerator
from course_utils.limits.benchmark_kernels import kernels_of
from course_utils.sandbox.restore_settings import restore_settings
from course_utils.sandbox.time_limits import TimeLimitReached, cancel_graphs_after

tensorflow = frameworks.by_name("tensorflow")
x = tf.constant([1.0, 2.0])

assert frameworks.loaded() == (tensorflow,)
assert frameworks.of(x) is tensorflow and tensorflow.library is tf

# types
assert tensor_trees.is_tensor(x) and tensor_trees.is_tensor(tf.Variable(x))
assert not tensor_trees.is_tensor(tf.float32) and not tensor_trees.is_generator(tf.random.Generator.from_seed(1))
assert tensorflow.type_phrase(x) == "a TensorFlow tensor"
assert tensorflow.why_unsupported(x, "a TensorFlow tensor") is None
assert tensorflow.why_unsupported(tf.Variable(x), "a TensorFlow tensor").endswith(
    "Variable, not a plain tensor with values; expected a TensorFlow tensor"
)

# values and copies
half = tf.cast(x, tf.bfloat16)
assert tensor_trees.dtype_name(half) == "bfloat16" and tensor_trees.to_numpy(half).dtype == np.float32
assert tensor_trees.upcast((half, [x, 3]))[0].dtype == tf.float64
assert not tensor_trees.has_changed(x, tensor_trees.copy_inputs((x,))[0]) and tensor_trees.has_changed(x, x + 1)
assert not tensor_trees.shares_memory(x, x) and tensor_trees.overwrite((x,), (x + 1,))[0][0] == 2.0

# gradients of floating-point inputs, with the weights that every framework uses
gradients = tensorflow.gradients(lambda a, n: [a * n, tf.constant([5])], (x, 3), seed=4)
assert np.allclose(gradients[0], 3 * tensorflow.random_weights([x], 4)[0]) and gradients[1] is None

# the process
tensorflow.seed(3)
drawn = tf.random.uniform([4])
tensorflow.seed(3)
generator = tf.random.get_global_generator()
state = generator.state.numpy()
with restore_settings():
    tf.random.normal([9])  # not the operation below, because each kernel has a counter that nothing restores
    generator.normal([9])
assert np.array_equal(generator.state, state)
assert np.array_equal(tf.random.uniform([4]), drawn)
draw_in_graph = tf.function(lambda: tf.random.uniform([4]))
for draw in (lambda: tf.random.uniform([4]), draw_in_graph):
    draws = []
    for number in (3, 4, 5):
        tensorflow.reseed(number)
        draws.append(tuple(draw().numpy()))
    assert len(set(draws)) == 3
with tensorflow.threads(1) as in_force:
    assert in_force >= 1
assert tensorflow.thread_count() is None
assert tensorflow.is_out_of_memory(tf.errors.ResourceExhaustedError(None, None, "all gone"))

# devices
assert tensorflow.accelerators() == [] or tensorflow.describe("cuda:0")
assert os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] == "true", "the first tensor would take the whole card"
assert tf.config.experimental.tensor_float_32_execution_enabled()
with tensorflow.full_precision():
    assert not tf.config.experimental.tensor_float_32_execution_enabled()
assert tf.config.experimental.tensor_float_32_execution_enabled()
if not tensorflow.accelerators():
    tensorflow.accelerators = lambda: ["cuda:0"]  # TensorFlow lists the card and does not use it.
    assert devices.available() == ("cpu",) and list(devices.broken()) == ["cuda:0"]
    assert "computes on the CPU instead" in devices.broken()["cuda:0"].reason
    del tensorflow.accelerators
assert tensorflow.synchronizers("cpu") == []
tf.config.experimental.set_synchronous_execution(False)
assert [synchronize() for synchronize in tensorflow.synchronizers("cpu")] == [None]
tf.config.experimental.set_synchronous_execution(True)
with tensorflow.device_scope("cpu"):
    assert "CPU" in (x + 1).device

# uncompiled graphs run without their optimizer, and with it afterward
is_unoptimized = lambda: tf.config.optimizer.get_experimental_options().get("disable_meta_optimizer", False)
with tensorflow.compiler.run_uncompiled():
    assert is_unoptimized()
assert not is_unoptimized()

# a flush writes every byte, each time
assert tensorflow.accelerator("cpu") is None and tensorflow.accelerator("mps") is None
accelerator = TensorflowAccelerator(tensorflow, "cpu")
assert accelerator.flushed.numpy().nbytes == DEFAULT_FLUSH_BYTES
with accelerator.device_scope():
    for _ in range(2):
        accelerator.flushed.assign(tf.ones_like(accelerator.flushed))
        accelerator.flush_caches()
        assert not tf.reduce_any(accelerator.flushed != 0)
assert accelerator.event_pair() is None


@tf.function
def endless():
    return tf.while_loop(lambda i: i >= 0, lambda i: i % 7, [tf.constant(1)])


try:
    with cancel_graphs_after(0.5):
        endless()
except TimeLimitReached:
    pass
else:
    raise AssertionError("an endless graph was not stopped")

# the kernels that measure the limits start an operation and no other Python code


def python_calls(run) -> int:
    """Return the number of Python functions that a second call of ``run`` enters."""
    entered = []
    run()
    sys.setprofile(lambda frame, event, arg: entered.append(frame) if event == "call" else None)
    try:
        run()
    finally:
        sys.setprofile(None)
    return len(entered)


for kernels in kernels_of("tensorflow", "cpu").memory(64).values():
    assert all(python_calls(kernel.run) <= python_calls(lambda: tf.negative(x)) for kernel in kernels)
