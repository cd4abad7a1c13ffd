"""Answers to discounted_returns."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("discounted_returns")


def _decayed(x, decay):
    k = 1
    while k < x.shape[0]:
        x, k = tf.concat([x[:k], x[k:] + decay**k * x[:-k]], axis=0), 2 * k
    return x


answers.right("the decayed sum of the reversed rows")(
    lambda rewards, discount: tf.reverse(_decayed(tf.reverse(rewards, [0]), discount), [0])
)


@answers.right("zeros behind the last row")
def with_zeros(rewards, discount):
    k = 1
    while k < rewards.shape[0]:
        later = tf.pad(rewards[k:], [[0, k], [0, 0]])
        rewards, k = rewards + discount**k * later, 2 * k
    return rewards


answers.wrong("tf.scan", "unlooped")(
    lambda rewards, discount: tf.scan(lambda later, row: row + discount * later, rewards, reverse=True)
)

answers.wrong("the decayed sum", "correct", says="runs forward")(_decayed)


@answers.wrong("a power that doesn't grow", "correct")
def with_one_factor(rewards, discount):
    k = 1
    while k < rewards.shape[0]:
        rewards, k = tf.concat([rewards[:-k] + discount * rewards[k:], rewards[-k:]], axis=0), 2 * k
    return rewards


@answers.wrong("one row after the other", "unlooped")
def a_loop_over_unstacked_rows(rewards, discount):
    rows = tf.unstack(rewards)[::-1]
    for t in range(1, len(rows)):
        rows[t] = rows[t] + discount * rows[t - 1]
    return tf.stack(rows[::-1])


answers.wrong("divided by the powers", "correct")(
    lambda rewards, discount: tf.cumsum(rewards * _powers(rewards, discount), reverse=True) / _powers(rewards, discount)
)


def _powers(rewards, discount):
    return discount ** tf.range(len(rewards), dtype=rewards.dtype)[:, None]


@answers.wrong("a loop over columns", "unlooped", says="grows with the input")
def column_by_column(rewards, discount):
    columns = tf.unstack(rewards[::-1], axis=1)
    return tf.stack([_decayed(column, discount)[::-1] for column in columns], axis=1)


answers.wrong("a discount of at most 1", "correct", says="a discount above 1")(
    lambda rewards, discount: with_zeros(rewards, min(discount, 1.0))
)


@answers.wrong("eight rounds of doubling", "correct", says="2,049 rows")
def in_eight_rounds(rewards, discount):
    for k in (2**power for power in range(8)):
        rewards = rewards + discount**k * tf.pad(rewards[k:], [[0, min(k, len(rewards))], [0, 0]])
    return rewards
