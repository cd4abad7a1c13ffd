"""Answers to loudness."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("loudness")


@answers.right("reduce_retracing")
@tf.function(reduce_retracing=True)
def loudness_in_one_graph(samples):
    return tf.sqrt(tf.reduce_mean(samples * samples))


@answers.wrong("no graph", "unlooped", says="Python starts")
def loudness_without_a_graph(samples):
    return tf.sqrt(tf.reduce_mean(samples * samples))


@answers.wrong("a graph for each length", "unlooped", says="input_signature")
@tf.function
def loudness_of_each_length(samples):
    return tf.sqrt(tf.reduce_mean(samples * samples))


@answers.wrong("a new graph in each call", "unlooped", says="new function")
def loudness_in_a_new_graph(samples):
    return tf.function(loudness_without_a_graph)(samples)


@answers.wrong("a loop in the graph", "unlooped", says="grows with the input")
@tf.function(input_signature=[tf.TensorSpec([None])])
def loudness_in_a_loop(samples):
    total = 0.0
    for sample in samples:
        total += sample * sample
    return tf.sqrt(total / tf.cast(len(samples), tf.float32))


@answers.wrong("the first 4,096 samples", "correct", says="10,004 samples that get louder")
@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def first_samples(samples):
    return tf.sqrt(tf.reduce_mean(tf.square(samples[:4096])))
