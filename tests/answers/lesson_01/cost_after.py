"""Answers to cost_after."""

from answers import AnswersTo

answers = AnswersTo("cost_after")

answers.right("what is dear once")(lambda first_s, steady_s, calls: (first_s - steady_s) + calls * steady_s)
