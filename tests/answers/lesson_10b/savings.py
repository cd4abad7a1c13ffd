"""Answers to savings."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("savings")


@answers.wrong("tensors instead of Python numbers", "unlooped")
def on_tensors(paid):
    kept, balance = [], tf.zeros([], paid.dtype)
    for payment in tf.unstack(paid):
        balance = balance * (1.05 if balance > 100.0 else 1.01) + payment
        kept.append(balance)
    return tf.stack(kept)
