"""Answers to speed_ups."""

from answers import AnswersTo

answers = AnswersTo("speed_ups")


@answers.right("two formulas")
def two_formulas(fixed_s, divisible_s, workers):
    whole = fixed_s + divisible_s
    return whole / (fixed_s + divisible_s / workers), (fixed_s + workers * divisible_s) / whole


@answers.wrong("no fixed part", "correct")
def everything_divided(fixed_s, divisible_s, workers):
    return float(workers), float(workers)


answers.wrong("at most 64 workers", "correct", says="120,000 workers")(
    lambda fixed_s, divisible_s, workers: two_formulas(fixed_s, divisible_s, min(workers, 64))
)
