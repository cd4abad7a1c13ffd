"""Answers to mask_scores."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("mask_scores")

answers.right("by where")(lambda scores, padding: tf.where(padding, tf.constant(float("-inf"), scores.dtype), scores))


@answers.wrong("mask arithmetic", "correct")
def a_mask_times_infinity(scores, padding):
    return scores - tf.cast(padding, scores.dtype) * float("inf")


@answers.wrong("a large number", "correct")
def nearly_infinite(scores, padding):
    return tf.where(padding, tf.constant(-1e9, scores.dtype), scores)


@answers.wrong("a loop over scores", "unlooped", says="grows with the input")
def score_by_score(scores, padding):
    lowest = tf.constant(float("-inf"), scores.dtype)
    return tf.stack([lowest if padded else score for score, padded in zip(scores, padding)])


answers.wrong("at most 1,000 scores", "correct", says="4,100 scores")(
    lambda scores, padding: tf.concat(
        [tf.where(padding[:1000], tf.constant(float("-inf"), scores.dtype), scores[:1000]), scores[1000:]], 0
    )
)
