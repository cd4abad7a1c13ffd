"""Answers to two_steps."""

from answers import AnswersTo

answers = AnswersTo("two_steps")
