"""Answers to opened_with."""

from answers import AnswersTo

answers = AnswersTo("opened_with")
