"""Answers to shrunk_by_xla."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("shrunk_by_xla")

_any_limit = tf.function(
    lambda x, limit: tf.sign(x) * tf.nn.relu(tf.abs(x) - limit),
    input_signature=[tf.TensorSpec([None]), tf.TensorSpec([])],
    jit_compile=True,
)
answers.right("an input_signature, which converts the number")(lambda x, limit: _any_limit(x, limit))
answers.wrong("no graph", "unlooped", says="Python starts")(lambda x, limit: tf.sign(x) * tf.nn.relu(tf.abs(x) - limit))

_per_limit = tf.function(lambda x, limit: tf.sign(x) * tf.nn.relu(tf.abs(x) - limit), jit_compile=True)
answers.wrong("a trace for each limit", "unlooped", says="trace")(lambda x, limit: _per_limit(x, limit))

answers.wrong("two operations without a graph", "unlooped", says="Python starts")(
    lambda x, limit: x - tf.clip_by_value(x, -limit, limit)
)

_any_tensor = tf.function(lambda x, limit: x - tf.clip_by_value(x, -limit, limit), jit_compile=True)
answers.wrong("a limit that is float32 only if the number is a float", "correct", says="an integer limit")(
    lambda x, limit: _any_tensor(x, tf.constant(limit))
)

_not_by_xla = tf.function(lambda x, limit: x - tf.clip_by_value(x, -limit, limit))
answers.wrong("a graph without XLA", "unlooped", says="XLA compiles nothing")(
    lambda x, limit: _not_by_xla(x, tf.constant(limit, x.dtype))
)


@answers.wrong("a detour through NumPy", "unlooped", says="hands a tensor's values to Python")
def in_numpy(x, limit):
    values = x.numpy()
    return tf.constant(values - values.clip(-limit, limit), x.dtype)


_by_ratio = tf.function(
    lambda x, limit: x * tf.nn.relu(1 - limit / (tf.abs(x) + 1e-6)),
    input_signature=[tf.TensorSpec([None]), tf.TensorSpec([])],
    jit_compile=True,
)
answers.wrong("1e-6 added to the divisor", "correct")(lambda x, limit: _by_ratio(x, limit))

_by_quotient = tf.function(
    lambda x, limit: x * tf.nn.relu(1 - limit / tf.abs(x)),
    input_signature=[tf.TensorSpec([None]), tf.TensorSpec([])],
    jit_compile=True,
)
answers.wrong("a division by 0", "correct", says="a limit of 0")(lambda x, limit: _by_quotient(x, limit))
