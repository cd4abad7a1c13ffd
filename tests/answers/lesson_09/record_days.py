"""Answers to record_days."""

from answers import AnswersTo

answers = AnswersTo("record_days")
