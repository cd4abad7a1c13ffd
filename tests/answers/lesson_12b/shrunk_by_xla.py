"""Answers to shrunk_by_xla."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("shrunk_by_xla")

answers.wrong("no graph", "unlooped", says="Python starts")(lambda x: tf.sign(x) * tf.nn.relu(tf.abs(x) - 0.5))
