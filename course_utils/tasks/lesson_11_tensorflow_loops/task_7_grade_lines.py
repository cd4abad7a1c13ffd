"""A chain of elementwise operations, as near to the speed of memory as it goes: the work is one pass, written as a dozen.

What changes from call to call is a tensor already, but for one Python number, for which a compiler would trace each call anew.
"""

from __future__ import annotations

import tensorflow as tf

from course_utils.limits.cost import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import uniform
from course_utils.tasks.unwrap import items, prose

COLUMNS = 8192


def grade_lines_slow(lines, gain, lift, strength):
    """Each line with its gain and lift, clipped, bent to an S, and mixed with the line itself, line after line."""
    graded = []
    for line, its_gain, its_lift in zip(lines, gain, lift):
        level = tf.clip_by_value(line * its_gain + its_lift, 0.0, 1.0)
        curve = level * level * (3.0 - 2.0 * level)
        graded.append(line + strength * (curve - line))
    return tf.stack(graded) if graded else tf.identity(lines)


def _graded(rows, columns, generator, strength=None, dtype=tf.float32):
    return (
        uniform(generator, 0.0, 1.0, rows, columns, dtype=dtype),
        uniform(generator, 0.5, 2.0, rows, dtype=dtype),
        uniform(generator, -0.3, 0.3, rows, dtype=dtype),
        float(generator.uniform(0.2, 0.8)) if strength is None else strength,
    )


def _case(name, rows, columns, **details):
    return Case(name, lambda generator: _graded(rows, columns, generator, **details))


def _direct(lines, gain, lift, strength):
    level = tf.clip_by_value(lines * gain[:, None] + lift[:, None], 0.0, 1.0)
    curve = level * level * (3.0 - 2.0 * level)
    return lines + strength * (curve - lines)


_graph, _compiled = tf.function(_direct), tf.function(_direct, jit_compile=True)


def _with_a_tensor(function):
    return lambda lines, gain, lift, strength: function(lines, gain, lift, tf.convert_to_tensor(strength, lines.dtype))


def _s_curve(level):
    return level * level * (3.0 - 2.0 * level)


def _without_clip(lines, gain, lift, strength):
    return lines + strength * (_s_curve(lines * gain[:, None] + lift[:, None]) - lines)


def _clipped_last(lines, gain, lift, strength):
    curve = tf.clip_by_value(_s_curve(lines * gain[:, None] + lift[:, None]), 0.0, 1.0)
    return lines + strength * (curve - lines)


def _lifted_first(lines, gain, lift, strength):
    level = tf.clip_by_value((lines + lift[:, None]) * gain[:, None], 0.0, 1.0)
    return lines + strength * (_s_curve(level) - lines)


def _without_curve(lines, gain, lift, strength):
    level = tf.clip_by_value(lines * gain[:, None] + lift[:, None], 0.0, 1.0)
    return lines + strength * (level - lines)


TASK = Task(
    id="grade_lines",
    title="A dozen operations, one pass",
    points=6,
    level=3,
    framework="tensorflow",
    slow=grade_lines_slow,
    inputs=lambda size, generator: _graded(size, COLUMNS, generator),
    edge_cases=(
        _case("no lines", 0, 4),
        _case("lines without pixels", 2, 0),
        _case("one pixel", 1, 1),
        _case("as many lines as pixels in each", 4, 4),
        _case("a strength of 0", 2, 3, strength=0.0),
        _case("a strength that is the whole number 1", 2, 3, strength=1),
        _case("float64 values", 2, 3, strength=0.1, dtype=tf.float64),
    ),
    sizes=(1, 3),  # a compiler takes its time for each shape
    count_sizes=(2, 6),
    race_size=64,
    timeout_s=12.0,
    story=prose(
        """
        A line-scan camera looks at a belt that runs by, line after line of 8,192 pixels. The lamp flickers, so each line has a `gain` and a
        `lift` of its own. The line is clipped to 0 … 1, bent to an S for contrast, and mixed with what it was; how much, the operator says with a
        slider, `strength`. Write `grade_lines(lines, gain, lift, strength)`: all lines at once, as near to the limit as you can.
        """
    ),
    rules=prose(
        """
        - `lines` is a matrix of floating-point numbers; `gain` and `lift` are vectors of its dtype, one number for each line. `strength` is a
        Python number, new in each call. The result has the shape and the dtype of `lines`.
        - A few tensor operations, however many lines there are, and four calls with four new strengths are traced once, or not at all.
        - The points are for that. Then the card shows what share of the limit you reach: the lines read once, the result written once. How near do you
        come? Each operation that runs by itself is another pass.
        """
    ),
    limits=(at_most(24, "ops"), at_most(0, "syncs"), at_most(1, "traces")),
    target=3.0,
    cost=lambda size: Cost(reads=4 * COLUMNS * size + 8 * size, writes=4 * COLUMNS * size),
    ways={"direct": _direct, "direct in a graph": _with_a_tensor(_graph), "XLA": _with_a_tensor(_compiled)},
    hints=items(
        """
        - First get rid of the loop: which shape must `gain` have, so that it meets each pixel of its own line?
        - `gain[:, None]` has the shape (lines, 1). Without a loop there are a dozen operations, and each one reads and writes a whole
          matrix. Which tool of the lesson makes a single pass of them?
        - `@tf.function(jit_compile=True)` on a function of four tensors, made once. `grade_lines` calls it with
          `tf.convert_to_tensor(strength, lines.dtype)`: a Python number would be traced, and compiled, anew in each call.
        """
    ),
    mistakes=(
        Mistake("Nothing is clipped; the level is to stay between 0 and 1.", _without_clip),
        Mistake("It is clipped after it is bent; first clip, then bend.", _clipped_last),
        Mistake("The lift is added before the gain multiplies; it comes after.", _lifted_first),
        Mistake("The S is missing: the curve is level² · (3 − 2·level).", _without_curve),
        Mistake(
            "The strength works the wrong way round: at 0 the line stays as it is.",
            lambda lines, gain, lift, strength: _direct(lines, gain, lift, 1 - strength),
        ),
        Mistake(
            "This is the curve alone, as with a strength of 1.",
            lambda lines, gain, lift, strength: _direct(lines, gain, lift, 1.0),
        ),
    ),
)
