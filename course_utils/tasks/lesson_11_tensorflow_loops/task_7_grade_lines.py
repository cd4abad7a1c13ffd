"""A chain of elementwise operations, as close to memory speed as possible: work for one memory pass, written as a dozen
passes.

All inputs that change from call to call are tensors, except one Python number, for which a compiler would trace again.
"""

from __future__ import annotations

from math import nan

import tensorflow as tf

from course_utils.limits.cost import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import uniform

COLUMNS = 8192


def grade_lines_slow(lines, gain, lift, strength):
    """Return each line with its gain and lift, clipped, bent to an S-curve, and mixed with the original line."""
    graded = []
    for line, line_gain, line_lift in zip(lines, gain, lift):
        level = tf.clip_by_value(line * line_gain + line_lift, 0.0, 1.0)
        curve = level * level * (3.0 - 2.0 * level)
        graded.append(line + strength * (curve - line))
    return tf.stack(graded) if graded else tf.identity(lines)


def _inputs(rows, columns, generator, strength=None, dtype=tf.float32):
    return (
        uniform(generator, 0.0, 1.0, rows, columns, dtype=dtype),
        uniform(generator, 0.5, 2.0, rows, dtype=dtype),
        uniform(generator, -0.3, 0.3, rows, dtype=dtype),
        float(generator.uniform(0.2, 0.8)) if strength is None else strength,
    )


def _case(name, rows, columns, **details):
    return Case(name, lambda generator: _inputs(rows, columns, generator, **details))


def _with_a_dead_pixel(generator):
    lines, *others = _inputs(2, 3, generator)
    return tf.tensor_scatter_nd_update(lines, [[1, 0]], [nan]), *others


def _elementwise(lines, gain, lift, strength):
    level = tf.clip_by_value(lines * gain[:, None] + lift[:, None], 0.0, 1.0)
    curve = level * level * (3.0 - 2.0 * level)
    return lines + strength * (curve - lines)


_graph, _compiled = tf.function(_elementwise), tf.function(_elementwise, jit_compile=True)


def _with_a_tensor(function):
    return lambda lines, gain, lift, strength: function(lines, gain, lift, tf.convert_to_tensor(strength, lines.dtype))


def _s_curve(level):
    return level * level * (3.0 - 2.0 * level)


def _without_clip(lines, gain, lift, strength):
    return lines + strength * (_s_curve(lines * gain[:, None] + lift[:, None]) - lines)


def _clip_after_curve(lines, gain, lift, strength):
    curve = tf.clip_by_value(_s_curve(lines * gain[:, None] + lift[:, None]), 0.0, 1.0)
    return lines + strength * (curve - lines)


def _lift_before_gain(lines, gain, lift, strength):
    level = tf.clip_by_value((lines + lift[:, None]) * gain[:, None], 0.0, 1.0)
    return lines + strength * (_s_curve(level) - lines)


def _without_curve(lines, gain, lift, strength):
    level = tf.clip_by_value(lines * gain[:, None] + lift[:, None], 0.0, 1.0)
    return lines + strength * (level - lines)


TASK = Task(
    id="grade_lines",
    title="A dozen operations in one pass",
    points=6,
    level=3,
    framework="tensorflow",
    slow=grade_lines_slow,
    reference=_elementwise,
    inputs=lambda size, generator: _inputs(size, COLUMNS, generator),
    edge_cases=(
        _case("no lines", 0, 4),
        _case("lines without pixels", 2, 0),
        _case("one pixel", 1, 1),
        _case("as many lines as pixels per line", 4, 4),
        _case("a strength of 0", 2, 3, strength=0.0),
        _case("the integer strength 1", 2, 3, strength=1),
        _case("the integer strength 0", 2, 3, strength=0),
        _case("5,000 lines of one pixel", 5000, 1),
        _case("a line of 10,000 pixels", 1, 10_000),
        Case(
            "gains of 0, below 0 and far above 1",
            lambda _: (
                tf.constant([[0.25, 0.5, 0.75], [0.75, 0.5, 0.25], [0.5, 0.5, 1.0]]),
                tf.constant([0.0, -2.0, 512.0]),
                tf.constant([0.5, 1.75, -255.75]),
                0.3,
            ),
        ),
        Case(
            "float64 lines below 0 and above 1",
            lambda _: (
                tf.constant([[-0.7, 0.2], [1.8, 0.9]], tf.float64),
                tf.constant([1.0, 0.5], tf.float64),
                tf.constant([0.9, 0.05], tf.float64),
                0.3,
            ),
        ),
        _case("float64 values", 2, 3, strength=0.1, dtype=tf.float64),
        Case("NaN for a dead pixel", _with_a_dead_pixel),
    ),
    worst=(
        Case(
            "lines that are clipped everywhere",
            lambda g: (uniform(g, 0.4, 1.0, 3, 4), tf.fill([3], 9.0), tf.constant([1.0, -9.0, 0.0]), 0.5),
        ),
    ),
    sizes=(1, 3),  # A compiler needs time for each shape.
    count_sizes=(2, 32),
    race_size=64,
    story=prose(
        """
        A line-scan camera records a moving belt, line after line of 8,192 pixels. The lamp flickers, so each line is
        multiplied by its own `gain`, and its own `lift` is added. The result is clipped to 0 … 1, bent to an S-curve
        for contrast, and mixed with the original line; the operator sets the mix, `strength`, with a slider. Write `grade_lines(lines, gain, lift,
        strength)`: all lines at once, as close to the limit as you can.
        """
    ),
    rules=prose(
        """
        - `lines` is a float32 or float64 matrix; `gain` and `lift` are vectors of its dtype with one value per line.
          `strength` is a Python number from 0 to 1 that changes in each call. The result has the shape and dtype of
          `lines`.
        - The check counts traces in four calls, each with a new strength. An answer without a graph passes too.
        - The limit counts one read and one write of each value. The card shows your share of that limit. How close can
          you get? Each separate operation is another memory pass.
        """
    ),
    limits=(at_most(24, "ops"), at_most(0, "syncs"), at_most(1, "traces")),
    target=3.0,
    cost=lambda size: Cost(reads=4 * COLUMNS * size + 8 * size, writes=4 * COLUMNS * size),
    ways={
        "elementwise": _elementwise,
        "elementwise in tf.function": _with_a_tensor(_graph),
        "XLA": _with_a_tensor(_compiled),
    },
    hints=items(
        """
        - First remove the loop. Which shape must `gain` have so that it broadcasts over the pixels of its own line?
        - `gain[:, None]` has shape (lines, 1). Without a loop there are about a dozen operations, and most of them
          read and write a whole matrix. Which tool of the lesson fuses them into a single pass?
        - Put `@tf.function(jit_compile=True)` above a function of four tensors, outside `grade_lines`. Call it with
          `tf.convert_to_tensor(strength, lines.dtype)`: a Python number would cause a trace and a compilation in
          each call.
        """
    ),
    mistakes=(
        Mistake("Nothing is clipped: the level must stay between 0 and 1.", _without_clip),
        Mistake("The curve is clipped instead of the level: clip first, then apply the S-curve.", _clip_after_curve),
        Mistake("The lift is added before the gain: multiply first, then add.", _lift_before_gain),
        Mistake("The S-curve is missing: it is level² · (3 − 2·level).", _without_curve),
        Mistake(
            "The strength is inverted: at 0 the line stays unchanged.",
            lambda lines, gain, lift, strength: _elementwise(lines, gain, lift, 1 - strength),
        ),
        Mistake(
            "This is the curve only, as with a strength of 1: mix it with the original line.",
            lambda lines, gain, lift, strength: _elementwise(lines, gain, lift, 1.0),
        ),
        Mistake(
            "The strength was converted to float32: `tf.convert_to_tensor(strength, lines.dtype)` keeps all digits.",
            lambda lines, gain, lift, strength: _elementwise(
                lines, gain, lift, tf.cast(tf.cast(strength, tf.float32), lines.dtype)
            ),
        ),
    ),
)
