"""Answers to mask_scores."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("mask_scores")


@answers.right()
def by_where(scores, padding):
    return tf.where(padding, tf.constant(float("-inf"), scores.dtype), scores)


@answers.wrong("mask arithmetic", "correct")
def a_mask_times_infinity(scores, padding):
    return scores - tf.cast(padding, scores.dtype) * float("inf")


@answers.wrong(line="correct", says="The padding is kept")
def the_padding_kept(scores, padding):
    return tf.where(padding, scores, tf.constant(float("-inf"), scores.dtype))


@answers.wrong("a large number", "correct")
def nearly_infinite(scores, padding):
    return tf.where(padding, tf.constant(-1e9, scores.dtype), scores)
