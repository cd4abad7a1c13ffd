"""Answers to neighbour_sums."""

from answers import AnswersTo

answers = AnswersTo("neighbour_sums")
