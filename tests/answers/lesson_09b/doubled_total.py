"""Answers to doubled_total."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("doubled_total")

answers.wrong("a loop", "unlooped")(lambda x: tf.scan(lambda total, row: total + row, x))
