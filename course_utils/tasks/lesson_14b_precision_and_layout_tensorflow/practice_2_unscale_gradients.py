"""Practice: the second half of loss scaling: float32 gradients without the scale, and whether all are finite."""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import uniform


def unscale_gradients_slow(gradients, scale):
    """Return each float16 gradient as float32, divided by scale, and whether all values of all gradients are finite."""
    unscaled, finite = [], tf.constant(True)
    for gradient in gradients:
        wide = tf.cast(gradient, tf.float32) / scale
        unscaled.append(wide)
        for value in tf.unstack(tf.reshape(wide, [-1])):
            finite = tf.logical_and(finite, tf.math.is_finite(value))
    return unscaled, finite


SCALE = 2.0**15


def _gradients(generator, size, scale=SCALE):
    """Return two float16 gradients whose values divided by the scale are too small for float16."""
    shapes = (size,), (size, 2)
    return [uniform(generator, 1e-4, 9e-4, *shape, dtype=tf.float16) for shape in shapes], scale


def _with(first, second):
    return lambda _: ([tf.constant(first, tf.float16), tf.constant(second, tf.float16)], SCALE)


def _unscaled(gradients, scale):
    return [tf.cast(gradient, tf.float32) / scale for gradient in gradients]


def _all_finite(gradients):
    return tf.reduce_all([tf.reduce_all(tf.math.is_finite(gradient)) for gradient in gradients])


TASK = Task(
    id="unscale_gradients",
    title="Gradients without their scale",
    points=0,
    level=1,
    framework="tensorflow",
    slow=unscale_gradients_slow,
    reference=lambda gradients, scale: (_unscaled(gradients, scale), _all_finite(gradients)),
    inputs=lambda size, generator: _gradients(generator, size),
    tolerance=1e-6,
    of_each_value=True,
    edge_cases=(
        Case("infinity in the first gradient", _with([1.0, inf], [2.0])),
        Case("infinity in the second gradient", _with([1.0], [inf, 2.0])),
        Case("infinity in the last row of a matrix", _with([1.0], [[1.0, 2.0], [3.0, inf]])),
        Case("infinity in the last of 5,000 values", _with([*[1.0] * 4999, inf], [2.0])),
        Case("gradients without a dimension and with three", _with(3.0, [[[1.0, 2.0], [4.0, 5.0]]])),
        Case("NaN in the first gradient", _with([nan, 2.0], [1.0])),
        Case("negative infinity", _with([1.0, -inf], [2.0])),
        Case("the largest float16, whose sum exceeds float16", _with([65504.0, 65504.0], [-65504.0])),
        Case("gradients of 0", _with([0.0], [0.0, 0.0])),
        Case("a scale of 1", lambda g: _gradients(g, 3, 1.0)),
        Case("a scale of a half", lambda g: _gradients(g, 3, 0.5)),
        Case("a scale of 70,000.5, which float16 cannot represent", lambda g: _gradients(g, 3, 70_000.5)),
        Case("the integer scale 2,000,000", lambda g: _gradients(g, 3, 2_000_000)),
        Case("a single gradient", lambda _: ([tf.constant([3.0, inf], tf.float16)], SCALE)),
        Case(
            "nine gradients, of which the seventh contains NaN",
            lambda _: ([tf.constant([nan if each == 6 else each, 2.0], tf.float16) for each in range(9)], SCALE),
        ),
    ),
    worst="Each value is divided on its own.",
    limits=(at_most(24, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The gradients are divided in float16, in which small values become 0: cast to float32 first.",
            lambda gradients, scale: (
                [tf.cast(gradient / tf.cast(scale, tf.float16), tf.float32) for gradient in gradients],
                _all_finite(gradients),
            ),
        ),
        Mistake(
            "The gradients still have their scale: divide them by `scale`.",
            lambda gradients, scale: (
                [tf.cast(gradient, tf.float32) for gradient in gradients],
                _all_finite(gradients),
            ),
        ),
        Mistake(
            "The test misses a value that isn't finite: test each value of each gradient, not only the first gradient.",
            lambda gradients, scale: (_unscaled(gradients, scale), _all_finite(gradients[:1])),
        ),
        Mistake(
            "NaN counts as finite here: `tf.math.is_finite` is False for NaN, too.",
            lambda gradients, scale: (
                _unscaled(gradients, scale),
                ~tf.reduce_any([tf.reduce_any(tf.math.is_inf(gradient)) for gradient in gradients]),
            ),
        ),
        Mistake(
            "The second result is True although a value isn't finite: all values must pass `tf.math.is_finite`.",
            lambda gradients, scale: (_unscaled(gradients, scale), tf.constant(True)),
        ),
    ),
)
