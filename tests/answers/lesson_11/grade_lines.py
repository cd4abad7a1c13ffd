"""Answers to grade_lines."""

import numpy as np
import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("grade_lines")


def _grade(lines, gain, lift, strength):
    level = tf.clip_by_value(lines * gain[:, None] + lift[:, None], 0.0, 1.0)
    return lines + strength * (level * level * (3.0 - 2.0 * level) - lines)


_compiled = tf.function(_grade, jit_compile=True)
_compiled_for_any = tf.function(_grade, jit_compile=True, reduce_retracing=True)
_graph = tf.function(_grade, reduce_retracing=True)


answers.right("eager operations")(lambda lines, gain, lift, strength: _grade(lines, gain, lift, strength))


@answers.right("XLA with a tensor strength")
def grade_compiled(lines, gain, lift, strength):
    return _compiled(lines, gain, lift, tf.convert_to_tensor(strength, lines.dtype))


@answers.right("a graph with a tensor strength")
def grade_in_a_graph(lines, gain, lift, strength):
    return _graph(lines, gain, lift, tf.convert_to_tensor(strength, lines.dtype))


@answers.wrong("XLA with a Python number", "unlooped", says="Python number")
def grade_compiled_for_each_strength(lines, gain, lift, strength):
    return _compiled_for_any(lines, gain, lift, strength)


@answers.wrong("a new graph in each call", "unlooped", says="new function")
def grade_in_a_new_graph(lines, gain, lift, strength):
    return tf.function(_grade)(lines, gain, lift, tf.convert_to_tensor(strength, lines.dtype))


@answers.wrong("a loop over lines", "unlooped", says="grows with the input")
def grade_line_by_line(lines, gain, lift, strength):
    found = [_grade(lines[i : i + 1], gain[i : i + 1], lift[i : i + 1], strength)[0] for i in range(len(lines))]
    return tf.stack(found) if found else tf.identity(lines)


@answers.wrong("a loop that only multiplies", "unlooped", says="grows with the input")
def gain_line_by_line(lines, gain, lift, strength):
    scaled = [line * its_gain for line, its_gain in zip(tf.unstack(lines), tf.unstack(gain))]
    if not scaled:
        return tf.identity(lines)
    level = tf.clip_by_value(tf.stack(scaled) + lift[:, None], 0.0, 1.0)
    return lines + strength * (level * level * (3.0 - 2.0 * level) - lines)


@answers.wrong("map_fn in a graph", "unlooped", says="grows with the input")
def grade_mapped(lines, gain, lift, strength):
    if not len(lines):
        return tf.identity(lines)
    return _mapped(lines, gain, lift, tf.convert_to_tensor(strength, lines.dtype))


@tf.function(reduce_retracing=True)
def _mapped(lines, gain, lift, strength):
    def one(each):
        line, its_gain, its_lift = each
        return _grade(line[None], its_gain[None], its_lift[None], strength)[0]

    return tf.map_fn(one, (lines, gain, lift), fn_output_signature=lines.dtype)


@answers.wrong("a detour through NumPy", "unlooped", says="NumPy on a tensor")
def grade_through_numpy(lines, gain, lift, strength):
    level = np.clip(lines * gain[:, None] + lift[:, None], 0, 1)
    return tf.constant(lines.numpy() + strength * (level * level * (3 - 2 * level) - lines.numpy()), lines.dtype)


@answers.wrong("needless copies", "fast")
def grade_many_copies(lines, gain, lift, strength):
    return _grade(*(tf.tile(each, [16] + [1] * (len(each.shape) - 1)) for each in (lines, gain, lift)), strength)[
        : len(lines)
    ]


@answers.wrong("gain and lift along the columns", "correct")
def gain_along_the_columns(lines, gain, lift, strength):
    return _grade(lines, gain, lift, strength) if len(lines) != lines.shape[1] else _along(lines, gain, lift, strength)


def _along(lines, gain, lift, strength):
    return tf.transpose(_grade(tf.transpose(lines), gain, lift, strength))


@answers.wrong("the strength in float32", "correct", says="converted to float32")
def grade_with_a_strength_in_float32(lines, gain, lift, strength):
    return _grade(lines, gain, lift, tf.cast(tf.constant(float(strength), tf.float32), lines.dtype))


@answers.wrong("NaN replaced by 0", "correct", says="NaN for a dead pixel")
def grade_without_nan(lines, gain, lift, strength):
    return _grade(tf.where(tf.math.is_nan(lines), tf.zeros_like(lines), lines), gain, lift, strength)


answers.wrong("the size of each gain", "correct", says="gains of 0, below 0")(
    lambda lines, gain, lift, strength: _grade(lines, tf.abs(gain), lift, strength)
)


@answers.wrong("the first 4,096 lines only", "correct", says="5,000 lines")
def grade_4096_lines(lines, gain, lift, strength):
    return tf.concat([_grade(lines[:4096], gain[:4096], lift[:4096], strength), lines[4096:]], axis=0)


answers.wrong("lines clipped before the gain", "correct", says="below 0 and above 1")(
    lambda lines, gain, lift, strength: _grade(tf.clip_by_value(lines, 0.0, 1.0), gain, lift, strength)
)
