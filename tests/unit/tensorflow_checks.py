"""Run by test_tensorflow.py: a TensorFlow answer is judged as a torch one is."""

from dataclasses import replace

import tensorflow as tf

from course_utils import tasks
from course_utils.judging import Answer, judge
from course_utils.tasks import Case, Mistake, Task
from course_utils.tasks.at_most import at_most

NO_WAIT = at_most(0, "syncs")

# test_tensorflow.py asserts that the check hides warnings of frequent tracing. The calls after it may cause some.
scale_by = tasks.load("scale_by")
assert "traced" in judge(scale_by, Answer(scale_by.slow, scale_by)).message
print("judged")
for factor in range(9):
    scale_by.slow(tf.ones([2]), float(factor))


def squares_slow(x):
    """Return the square of each value of x, shape (rows, columns), row by row."""
    rows = []
    for row in range(x.shape[0]):
        rows.append(x[row] * x[row])
    return tf.stack(rows) if rows else x


def normal(*shape, dtype=tf.float32):
    return lambda generator: (tf.constant(generator.standard_normal(shape), dtype),)


TASK = Task(
    id="squares",
    title="Squares",
    points=1,
    level=1,
    framework="tensorflow",
    slow=squares_slow,
    inputs=lambda size, generator: normal(size, 3)(generator),
    edge_cases=(Case("no rows", normal(0, 3)), Case("float64 values", normal(2, 3, dtype=tf.float64))),
    limits=(at_most(4, "ops"), NO_WAIT),
    mistakes=(Mistake("This is twice each value.", lambda x: x + x),),
    gradients=True,
    may_alias=True,
    timeout_s=20.0,
)


def refused(answer, line, says, task=TASK):
    verdict = judge(task, Answer(answer, task))
    assert not verdict.right, f"{says}: passed"
    assert verdict.lines[-1].name == line and says in verdict.message, verdict.message


def passes(answer, task=TASK):
    verdict = judge(task, Answer(answer, task))
    assert verdict.right, verdict.message


def hoarding():
    tensors = []
    while True:
        tensors.append(tf.ones([10**7]))


never_empty = replace(TASK, edge_cases=())  # For no rows, map_fn returns another shape.

passes(lambda x: x * x)
passes(tf.square)
passes(tf.function(lambda x: x * x), replace(TASK, limits=(*TASK.limits, at_most(1, "traces"))))
passes(
    tf.function(lambda x: tf.vectorized_map(lambda row: row * row, x)),
    replace(never_empty, limits=(at_most(30, "ops"), NO_WAIT)),
)
passes(
    lambda x: tf.vectorized_map(lambda row: row * row, x), replace(never_empty, limits=(at_most(30, "ops"), NO_WAIT))
)
passes(lambda x: x * x + tf.zeros([tf.shape(x)[0], 1], x.dtype), replace(TASK, limits=(at_most(5, "ops"), NO_WAIT)))
passes(lambda x: x * x, replace(TASK, race_size=200, target=3.0))

refused(squares_slow, "unlooped", "the number grows with the input")
refused(lambda x: tf.map_fn(lambda row: row * row, x), "unlooped", "grows", never_empty)
refused(tf.function(lambda x: tf.map_fn(lambda row: row * row, x)), "unlooped", "grows", never_empty)
refused(lambda x: tf.constant((x.numpy() ** 2), x.dtype), "correct", "the gradients")
refused(lambda x: tf.constant((x.numpy() ** 2), x.dtype), "unlooped", ".numpy()", replace(TASK, gradients=False))
refused(
    lambda x: x * x if tf.size(x) < 99 else tf.square(x),
    "unlooped",
    "once at size 8 and once at size 64 (a branch on a tensor)",
    replace(TASK, gradients=False),
)
refused(lambda x: (x * x).numpy(), "correct", "the result is a NumPy array; expected a TensorFlow tensor")
refused(lambda x: tf.Variable(x * x), "correct", "a TensorFlow ResourceVariable")
refused(lambda x: tf.cast(x * x, tf.float32), "correct", "has dtype float32; expected float64")
refused(lambda x: x + x, "correct", "This is twice each value.")
refused(lambda x: tf.cast(tf.cast(x, tf.float16) ** 2, x.dtype), "correct", "lower precision")
refused(lambda x: tf.stop_gradient(x) * x, "correct", "For the gradients of a random input")
refused(lambda x: tf.transpose(x * x), "correct", "shape")
# TensorFlow waits ten seconds for free memory, longer than the check does.
refused(lambda x: tf.zeros([10**6, 10**6]), "correct", "more memory than an exercise", replace(TASK, timeout_s=1.0))
refused(lambda x: hoarding(), "correct", "more memory than an exercise may take")
refused(lambda x: tf.linalg.matmul(x, x), "correct", "InvalidArgumentError")


@tf.function
def endless(x):
    return tf.while_loop(lambda i, values: i < 3, lambda i, values: (i, values + 1), [0, x])[1]


refused(endless, "correct", "was stopped", replace(TASK, timeout_s=1.0))
# A call that takes little time may be stopped while it is counted, because it has many operations. The message blames its
# loop, and does not call it endless.
refused(
    tf.function(lambda x: tf.map_fn(lambda row: row * row, x)),
    "unlooped",
    "the number grows with the input, so a loop still runs over it",
    replace(never_empty, gradients=False, count_sizes=(8, 10_000)),
)
# If the task draws lengths, the message on too many traces mentions lengths.
new_lengths = replace(
    TASK,
    slow=tf.square,
    inputs=lambda size, generator: normal(size + int(generator.integers(size, 99_999)), 3)(generator),
    limits=(at_most(1, "traces"),),
    gradients=False,
)
refused(
    tf.function(lambda x: x * x), "unlooped", "Four calls with new shapes and values were traced 4 times", new_lengths
)
passes(tf.function(lambda x: x * x, reduce_retracing=True), new_lengths)


@tf.function
def times_a_constant(x):
    return x * tf.constant(2.0)


@tf.function
def reshaped(x):
    return tf.reshape(x, [tf.size(x) + 1])


refused(
    times_a_constant,
    "correct",
    "`return x * tf.constant(2.0)`, raised TypeError: Input 'y' of 'Mul' Op has type float32 that does not match type "
    "float64 of argument 'x'. TensorFlow does not combine float32 with float64:",
    replace(TASK, slow=lambda x: x * 2),
)
refused(reshaped, "correct", "raised ValueError: Cannot reshape a tensor with 3 elements to shape [4] (4 elements).")
refused(
    lambda x: tf.argmax(x[:, :0], axis=1),
    "correct",
    "raised InvalidArgumentError: Reduction axis 1 is empty in shape [1,0].\n",
)
refused(
    lambda x: x * tf.constant(2.0, tf.float64), "correct", "float32 tensor with one of float64: give both one dtype"
)

scaled = tf.function(lambda x, factor: x * x * factor)
steps = iter(range(10_000))
refused(
    lambda x: scaled(x, 1.0 + 0.0 * next(steps)),
    "unlooped",
    "traced",
    replace(TASK, limits=(*TASK.limits, at_most(0, "traces")), gradients=False),
)

seeded = tf.random.Generator.from_seed(3)
tf.random.set_global_generator(seeded)
tf.random.set_seed(5)
wanted = tf.random.uniform([2]).numpy().tolist(), seeded.uniform([2]).numpy().tolist()
tf.random.set_global_generator(tf.random.Generator.from_seed(3))
tf.random.set_seed(5)


def reseeding(x):
    tf.random.set_seed(1)
    tf.random.get_global_generator().uniform([4])
    return x * x


judge(TASK, Answer(reseeding, TASK))
assert (
    tf.random.uniform([2]).numpy().tolist(),
    tf.random.get_global_generator().uniform([2]).numpy().tolist(),
) == wanted


def eager_from_now_on(x):
    tf.config.run_functions_eagerly(True)
    return x * x


refused(eager_from_now_on, "correct", "leaves tf.config.functions_run_eagerly() at True: restore the setting")
assert not tf.config.functions_run_eagerly()


def with_a_layer(x):
    tf.keras.layers.Dense(1)
    return x * x


# The layer fixes Keras's policy at the value that an unset policy has.
passes(with_a_layer)


def mixed_from_now_on(x):
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    return x * x


refused(mixed_from_now_on, "correct", "leaves keras.config.dtype_policy() at mixed_float16: restore the setting")
assert tf.keras.layers.Dense(1).compute_dtype == "float32"


# An answer must not leave graphs compiled or optimized in another way, or operations in another mode.
def compiled_from_now_on(x):
    tf.config.optimizer.set_jit("autoclustering")
    return x * x


def unfolded_from_now_on(x):
    tf.config.optimizer.set_experimental_options({"constant_folding": False})
    return x * x


def deterministic_from_now_on(x):
    tf.config.experimental.enable_op_determinism()
    return x * x


def asynchronous_from_now_on(x):
    tf.config.experimental.set_synchronous_execution(False)
    return x * x


for _ in range(2):  # The second check finds the change, too, so the first one has undone it.
    refused(compiled_from_now_on, "correct", "leaves tf.config.optimizer.get_jit() at autoclustering: restore")
    refused(unfolded_from_now_on, "correct", "leaves tf.config.optimizer.get_experimental_options() at")
    refused(deterministic_from_now_on, "correct", "leaves tf.config.experimental.enable_op_determinism() at True")
    refused(asynchronous_from_now_on, "correct", "leaves tf.config.experimental.get_synchronous_execution() at False")


# An answer must not leave a mode in which operations raise an error at infinity, or combine dtypes or slice as NumPy does.
def checked_from_now_on(x):
    tf.debugging.enable_check_numerics()
    return x * x


def as_numpy_from_now_on(x):
    tf.experimental.numpy.experimental_enable_numpy_behavior()
    return x * x


def slices_as_numpy_from_now_on(x):
    tf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode="off")
    return x * x


refused(checked_from_now_on, "correct", "leaves tf.debugging.enable_check_numerics() at True: restore the setting")
refused(as_numpy_from_now_on, "correct", "leaves the dtype_conversion_mode of tf.experimental.numpy at legacy: restore")
# The answer before this one has turned on NumPy's slices, too, so they count as changed only if the check turned them off again.
slices = "leaves tf.experimental.numpy.experimental_enable_numpy_behavior() at True: restore"
refused(slices_as_numpy_from_now_on, "correct", slices)
with_infinity = replace(TASK, edge_cases=(Case("infinity", lambda _: (tf.constant([[float("inf")]]),)),))
tf.debugging.enable_check_numerics()
refused(lambda x: x * x, "correct", "For infinity, even the slow loop returns no result", with_infinity)
# A loop that only moves values runs with infinity, but the course's own operations that place it do not.
moved = replace(with_infinity, slow=lambda x: tf.reverse(x, [0]), mistakes=(), limits=())
refused(lambda x: tf.reverse(x, [0]), "correct", "tf.debugging.disable_check_numerics() allows infinity", moved)
tf.debugging.disable_check_numerics()
