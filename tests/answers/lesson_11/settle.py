"""Answers to settle."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("settle")
answers.without("float32 for every input dtype", "rounded to float32 inside")
answers.exception("nothing returned", "correct", says="expected a tuple")

ANY_LENGTH = [tf.TensorSpec([None]), tf.TensorSpec([]), tf.TensorSpec([], tf.int32)]


def _all_at_once(x, tolerance, limit):
    def step(iteration, x, steps, moving):
        stepped = tf.cos(x)
        still = moving & (abs(stepped - x) >= tolerance)
        return iteration + 1, tf.where(moving, stepped, x), steps + tf.cast(moving, tf.int32), still

    continues = lambda iteration, x, steps, moving: (iteration < limit) & tf.reduce_any(moving)
    state = 0, x, tf.zeros_like(x, tf.int32), tf.ones_like(x, tf.bool)
    return tf.while_loop(continues, step, state)[1:3]


_in_one_graph = tf.function(_all_at_once, input_signature=ANY_LENGTH)
_retracing_less = tf.function(_all_at_once, reduce_retracing=True)
_for_each_length = tf.function(_all_at_once)


@answers.right("one graph for all lengths")
def settle_in_a_graph(x, tolerance, limit):
    return _in_one_graph(x, tolerance, limit)


@answers.right("an AutoGraph loop")
@tf.function(input_signature=ANY_LENGTH)
def settle_by_autograph(x, tolerance, limit):
    steps, moving = tf.zeros_like(x, tf.int32), tf.ones_like(x, tf.bool)
    for _ in tf.range(limit):
        if not tf.reduce_any(moving):
            break
        stepped = tf.cos(x)
        still = tf.logical_and(moving, tf.logical_not(tf.abs(stepped - x) < tolerance))
        x, steps, moving = tf.where(moving, stepped, x), tf.where(moving, steps + 1, steps), still
    return x, steps


@answers.right("reduce_retracing")
def settle_retracing_less(x, tolerance, limit):
    return _retracing_less(x, tf.constant(tolerance), tf.constant(limit))


@answers.wrong("a graph for each length", "unlooped", says="input_signature")
def settle_for_each_length(x, tolerance, limit):
    return _for_each_length(x, tf.constant(tolerance), tf.constant(limit))


@answers.wrong("a graph for each tolerance", "unlooped", says="Python number")
def settle_with_python_numbers(x, tolerance, limit):
    return _for_each_length(x, tolerance, limit)


@answers.wrong("no graph", "unlooped", says="Python starts")
def settle_without_a_graph(x, tolerance, limit):
    return _all_at_once(x, tolerance, limit)


@answers.wrong("map_fn in a graph", "unlooped", says="grows with the input")
@tf.function(input_signature=ANY_LENGTH)
def settle_mapped(x, tolerance, limit):
    def one(value):
        found, steps = _all_at_once(value[None], tolerance, limit)
        return found[0], steps[0]

    return tf.map_fn(one, x, fn_output_signature=(tf.float32, tf.int32))


@answers.wrong("no break before the limit", "unlooped", says="at most 500 are allowed")
@tf.function(input_signature=ANY_LENGTH)
def settle_to_the_limit(x, tolerance, limit):
    steps, moving = tf.zeros_like(x, tf.int32), tf.ones_like(x, tf.bool)
    for _ in tf.range(limit):
        stepped = tf.cos(x)
        still = moving & ~(abs(stepped - x) < tolerance)
        x, steps, moving = tf.where(moving, stepped, x), steps + tf.cast(moving, tf.int32), still
    return x, steps


@answers.wrong(line="correct")
def the_largest_move_decides(x, tolerance, limit):
    steps = 0
    while steps < limit:
        before, x = x, tf.cos(x)
        steps += 1
        if tf.reduce_max(abs(x - before)) < tolerance:
            break
    return x, tf.fill([len(x)], steps)


@answers.wrong(line="correct", says="dtype")
def steps_in_float32(x, tolerance, limit):
    values, steps = settle_in_a_graph(x, tolerance, limit)
    return values, tf.cast(steps, tf.float32)


@answers.wrong("the steps first", "correct", says="dtype")
def steps_before_values(x, tolerance, limit):
    return settle_in_a_graph(x, tolerance, limit)[::-1]


@answers.wrong("values without steps", "correct", says="tuple")
def values_alone(x, tolerance, limit):
    return settle_in_a_graph(x, tolerance, limit)[0]


@answers.wrong(line="correct")
def at_least_one_step(x, tolerance, limit):
    return settle_in_a_graph(x, tolerance, max(limit, 1))


@answers.wrong("stops at a move equal to the tolerance", "correct", says="as long as the tolerance")
@tf.function(input_signature=ANY_LENGTH)
def settle_at_the_tolerance(x, tolerance, limit):
    steps, moving = tf.zeros_like(x, tf.int32), tf.ones_like(x, tf.bool)
    for _ in tf.range(limit):
        stepped = tf.cos(x)
        still = moving & (tf.abs(stepped - x) > tolerance)
        x, steps, moving = tf.where(moving, stepped, x), tf.where(moving, steps + 1, steps), still
    return x, steps


@answers.wrong("a rounded tolerance", "correct", says="a small tolerance")
def settle_with_four_digits(x, tolerance, limit):
    return _in_one_graph(x, round(tolerance, 4), limit)


@answers.wrong("the first 4,096 values only", "correct", says="more than 5,000 values")
def settle_4096_values(x, tolerance, limit):
    values, steps = _in_one_graph(x[:4096], tolerance, limit)
    return tf.concat([values, x[4096:]], 0), tf.concat([steps, tf.zeros_like(x[4096:], tf.int32)], 0)


@answers.wrong("200 steps at most", "correct", says="takes 600 steps")
def settle_in_200_steps(x, tolerance, limit):
    return _in_one_graph(x, tolerance, min(limit, 200))
