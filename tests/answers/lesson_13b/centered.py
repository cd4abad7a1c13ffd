"""Answers to centered."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("centered")

answers.right("expand_dims of the mean")(lambda x: x - tf.expand_dims(tf.reduce_mean(x, axis=-1), -1))
answers.wrong("the means along the wrong axis", "correct")(lambda x: x - tf.reduce_mean(x, axis=0))


@answers.wrong("a loop over samples", "unlooped", says="a loop still runs over it")
def one_by_one(x):
    if len(x.shape) == 1:
        return x - tf.reduce_mean(x)
    return tf.stack([one_by_one(sample) for sample in x])


@answers.right("vectors and matrices only")
def of_two_ranks(x):
    return x - (tf.reduce_mean(x) if len(x.shape) == 1 else tf.reduce_mean(x, axis=1, keepdims=True))


@answers.wrong("the mean of a vector as a Python number", "unlooped", says="For a vector: Python waits for values once")
def with_a_python_number(x):
    return x - (float(tf.reduce_mean(x)) if len(x.shape) == 1 else tf.reduce_mean(x, axis=1, keepdims=True))


@answers.wrong("samples of one value unchanged", "correct", says="samples of one value")
def unless_it_has_one_value(x):
    return x - tf.reduce_mean(x, axis=-1, keepdims=True) if x.shape[-1] > 1 else tf.identity(x)


@answers.wrong("values read through a protocol buffer", "unlooped", says="tf.make_tensor_proto() hands")
def through_a_buffer(x):
    array = tf.make_ndarray(tf.make_tensor_proto(x))
    return tf.constant(array - array.mean(-1, keepdims=True))
