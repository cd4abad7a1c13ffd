"""Answers to chunk_weights."""

from answers import AnswersTo

answers = AnswersTo("chunk_weights")
