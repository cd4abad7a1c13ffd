"""Answers to lowest_so_far."""

from answers import AnswersTo

answers = AnswersTo("lowest_so_far")
