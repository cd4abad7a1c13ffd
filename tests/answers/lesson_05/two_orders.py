"""Answers to two_orders."""

from answers import AnswersTo

answers = AnswersTo("two_orders")

answers.right("by hand")(lambda p, q, r, s: (p * q * r + p * r * s, q * r * s + p * q * s))
