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


@answers.wrong("balances of at most 1e12", "correct", says="1,000 years")
def limited(paid):
    balances, balance = [], 0.0
    for payment in paid.numpy().tolist():
        balance = min(balance * (1.05 if balance > 100.0 else 1.01) + payment, 1e12)
        balances.append(balance)
    return tf.constant(balances, paid.dtype)


@answers.wrong("the higher interest above 100.01 only", "correct", says="near 100")
def above_a_cent_more(paid):
    balances, balance = [], 0.0
    for payment in paid.numpy().tolist():
        balance = balance * (1.05 if balance > 100.01 else 1.01) + payment
        balances.append(balance)
    return tf.constant(balances, paid.dtype)
