"""Answers to unscale_gradients."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("unscale_gradients")


@answers.right("one test of all values")
def as_one_vector(gradients, scale):
    values = tf.concat([tf.reshape(gradient, [-1]) for gradient in gradients], axis=0)
    finite = tf.reduce_all(tf.math.is_finite(values))
    return [tf.cast(gradient, tf.float32) / scale for gradient in gradients], finite


@answers.wrong("a branch in Python", "unlooped", says=".numpy()")
def branch_in_python(gradients, scale):
    finite = all(tf.reduce_all(tf.math.is_finite(gradient)).numpy() for gradient in gradients)
    return [tf.cast(gradient, tf.float32) / scale for gradient in gradients], tf.constant(finite)


def _unscale(gradients, scale):
    return [tf.cast(gradient, tf.float32) / scale for gradient in gradients]


@answers.wrong("the scale in float16", "correct", says="a scale of 70,000")
def scale_in_half_precision(gradients, scale):
    unscaled = _unscale(gradients, tf.cast(tf.constant(scale, tf.float16), tf.float32))
    return unscaled, tf.reduce_all([tf.reduce_all(tf.math.is_finite(each)) for each in unscaled])


@answers.wrong("the first and the last gradient tested", "correct", says="nine gradients")
def first_and_last(gradients, scale):
    ends = tf.math.is_finite(tf.concat([tf.reshape(each, [-1]) for each in (gradients[0], gradients[-1])], axis=0))
    return _unscale(gradients, scale), tf.reduce_all(ends)


@answers.wrong("two gradients tested", "correct", says="nine gradients")
def first_two(gradients, scale):
    return _unscale(gradients, scale), tf.reduce_all([tf.reduce_all(tf.math.is_finite(each)) for each in gradients[:2]])


@answers.wrong("finite below 65,000", "correct", says="the largest float16")
def below_a_limit(gradients, scale):
    return _unscale(gradients, scale), tf.reduce_all([tf.reduce_all(tf.abs(each) < 65_000) for each in gradients])


@answers.right("neither NaN nor infinite")
def neither_nan_nor_infinite(gradients, scale):
    unscaled = _unscale(gradients, scale)
    bad = [tf.reduce_any(tf.math.is_nan(each) | tf.math.is_inf(each)) for each in unscaled]
    return unscaled, tf.logical_not(tf.reduce_any(bad))


@answers.wrong("only infinity tested", "correct", says="NaN counts as finite here")
def infinity_only(gradients, scale):
    unscaled = _unscale(gradients, scale)
    return unscaled, ~tf.reduce_any([tf.reduce_any(tf.math.is_inf(gradient)) for gradient in unscaled])


@answers.wrong("a check that raises an error", "unlooped", says="(tf.debugging.check_numerics())")
def checked_by_an_error(gradients, scale):
    unscaled = _unscale(gradients, scale)
    try:
        finite = all(tf.debugging.check_numerics(each, "") is not None for each in unscaled)
    except tf.errors.InvalidArgumentError:
        finite = False
    return unscaled, tf.constant(finite)


@answers.wrong("only the first row of a matrix is tested", "correct", says="the last row of a matrix")
def first_row_tested(gradients, scale):
    unscaled = [tf.cast(gradient, tf.float32) / scale for gradient in gradients]
    tested = [each[:1] if len(each.shape) > 1 else each for each in unscaled]
    return unscaled, tf.reduce_all(tf.stack([tf.reduce_all(tf.math.is_finite(each)) for each in tested]))
