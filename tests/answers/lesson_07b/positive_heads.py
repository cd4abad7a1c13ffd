"""Answers to positive_heads."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("positive_heads")

answers.right("eager operations")(lambda x, weights: tf.nn.relu(tf.matmul(x, weights)))


@answers.wrong("vectorized_map in each call", "unlooped", says="traced 4 times")
def vectorized_map_in_each_call(x, weights):
    return tf.vectorized_map(lambda weight: tf.nn.relu(tf.matmul(x, weight)), weights)


@answers.wrong("a new graph in each call", "unlooped", says="traced 4 times")
def a_new_graph_in_each_call(x, weights):
    return tf.function(lambda: tf.nn.relu(tf.matmul(x, weights)))()


@answers.wrong("map_fn", "unlooped", says="grows with the input")
def by_map_fn(x, weights):
    return tf.map_fn(lambda weight: tf.nn.relu(tf.matmul(x, weight)), weights)


@answers.wrong("a product with 0 or 1", "correct", says="minus infinity")
def product_with_a_mask(x, weights):
    heads = tf.matmul(x, weights)
    return heads * tf.cast(heads > 0, heads.dtype)


@answers.wrong("0 instead of NaN", "correct", says="NaN, which isn't negative")
def zero_in_place_of_nan(x, weights):
    heads = tf.matmul(x, weights)
    return tf.where(heads > 0, heads, tf.zeros_like(heads))


@answers.wrong("a loop over the rows of x", "unlooped", says="grows with the input")
def row_by_row(x, weights):
    return tf.nn.relu(tf.stack([tf.einsum("i,hio->ho", row, weights) for row in tf.unstack(x)], axis=1))


answers.wrong("the first 4,096 features only", "correct", says="4,099 features")(
    lambda x, weights: tf.nn.relu(tf.matmul(x[:, :4096], weights[:, :4096]))
)
