"""Answers to state_after_all."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("state_after_all")


@answers.right()
@tf.function(input_signature=[tf.TensorSpec([None, 3])])
def by_autograph(x):
    state = tf.zeros([3])
    for row in x:
        state = 0.5 * state + row
    return state


@answers.wrong("a graph for each length", "unlooped", says="input_signature")
@tf.function
def unrolled(x):
    state = tf.zeros([3])
    for row in tf.unstack(x):
        state = 0.5 * state + row
    return state


@answers.wrong("a loop in NumPy", "unlooped", says="hands a tensor's values to Python")
def in_numpy(x):
    state = 0.0
    for row in x.numpy():
        state = 0.5 * state + row
    return tf.constant(state)


@answers.right("one weight per row")
@tf.function(input_signature=[tf.TensorSpec([None, 3])])
def by_weights(x):
    rows = tf.shape(x)[0]
    age = tf.cast(rows - 1 - tf.range(rows), x.dtype)
    return tf.reduce_sum(0.5 ** age[:, None] * x, axis=0)


@answers.wrong("weights that overflow", "correct", says="three hundred rows")
@tf.function(input_signature=[tf.TensorSpec([None, 3])])
def by_growing_weights(x):
    last = tf.cast(tf.shape(x)[0] - 1, x.dtype)
    weights = 2.0 ** tf.range(last + 1)
    return tf.reduce_sum(weights[:, None] * x, axis=0) * 0.5**last


@answers.wrong("the last 64 rows only", "correct", says="120 rows")
@tf.function(input_signature=[tf.TensorSpec([None, 3])])
def of_the_last_rows(x):
    return by_weights(x[-64:])


_kept = tf.Variable(tf.zeros([3]))


@answers.wrong("a variable that keeps its state", "correct")
@tf.function(input_signature=[tf.TensorSpec([None, 3])])
def into_a_variable(x):
    for row in x:
        _kept.assign(0.5 * _kept + row)
    return _kept.read_value()


@answers.wrong("the first 500 rows only", "correct", says="five thousand rows")
@tf.function(input_signature=[tf.TensorSpec([None, 3])])
def state_after_500_rows(x):
    state = tf.zeros([3])
    for row in x[:500]:
        state = 0.5 * state + row
    return state
