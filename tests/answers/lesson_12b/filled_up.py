"""Answers to filled_up."""

from answers import AnswersTo

answers = AnswersTo("filled_up")
