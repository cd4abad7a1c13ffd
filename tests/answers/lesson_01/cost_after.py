"""Answers to cost_after."""

from answers import AnswersTo

answers = AnswersTo("cost_after")

answers.right("what is dear once")(lambda first_s, steady_s, calls: (first_s - steady_s) + calls * steady_s)
answers.wrong("float64", "correct", says="expected float32")(
    lambda first_s, steady_s, calls: first_s + (calls.double() - 1) * steady_s
)
