"""Answers to weighted_scores."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("weighted_scores")

answers.right("einsum")(lambda queries, keys, weights: tf.einsum("qd,d,kd->qk", queries, weights, keys))
answers.wrong("a table of pairs and features", "unlooped", says="bytes")(
    lambda queries, keys, weights: tf.reduce_sum(queries[:, None] * weights * keys, axis=2)
)


@answers.wrong("a loop over queries", "unlooped", says="grows with the input")
def query_by_query(queries, keys, weights):
    rows = [tf.linalg.matvec(keys, query * weights) for query in queries]
    return tf.stack(rows) if rows else tf.zeros([0, len(keys)], queries.dtype)


answers.wrong("the first 4,096 features only", "correct", says="4,099 features")(
    lambda queries, keys, weights: tf.matmul((queries * weights)[:, :4096], keys[:, :4096], transpose_b=True)
)
