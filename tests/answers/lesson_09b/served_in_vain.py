"""Answers to served_in_vain."""

from answers import AnswersTo

answers = AnswersTo("served_in_vain")
