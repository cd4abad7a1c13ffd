"""Answers to savings."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("savings")


@answers.wrong("one interest for all", "correct", says="5 %")
def one_interest(paid):
    kept, balance = [], 0.0
    for payment in paid.numpy().tolist():
        balance = balance * 1.01 + payment
        kept.append(balance)
    return tf.constant(kept, paid.dtype)


@answers.wrong("a running sum", "correct", says="without interest")
def running_sum(paid):
    return tf.cumsum(paid)


@answers.wrong("a tensor in each year", "unlooped")
def on_tensors(paid):
    kept, balance = [], tf.zeros([], paid.dtype)
    for payment in tf.unstack(paid):
        balance = balance * (1.05 if balance > 100.0 else 1.01) + payment
        kept.append(balance)
    return tf.stack(kept)
