"""Answers to replica_loss."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("replica_loss")


@answers.right("a sum of divided losses")
def each_divided(per_example, global_batch):
    return tf.reduce_sum(per_example / global_batch)


@answers.wrong("a loop over losses", "unlooped")
def a_loop(per_example, global_batch):
    total = tf.zeros([], per_example.dtype)
    for loss in tf.unstack(per_example):
        total = total + loss
    return total / global_batch


@answers.wrong("stop_gradient", "correct", says="such as `tf.stop_gradient`")
def stopped(per_example, global_batch):
    return tf.reduce_sum(tf.stop_gradient(per_example)) / global_batch


answers.wrong("the number of examples in float16", "correct", says="float64")(
    lambda per_example, global_batch: (
        tf.reduce_sum(per_example) / tf.cast(tf.constant(global_batch, tf.float16), per_example.dtype)
    )
)

answers.wrong("a divisor in float32", "correct", says="2²⁴ + 1 examples")(
    lambda per_example, global_batch: (
        tf.reduce_sum(per_example) / tf.cast(tf.cast(global_batch, tf.float32), per_example.dtype)
    )
)
