"""Answers to compensated_step."""

from answers import AnswersTo

answers = AnswersTo("compensated_step")


@answers.right("the total first")
def total_first(total, lost, value):
    wanted = lost + value
    new = wanted + total
    return new, wanted - (new - total)


@answers.wrong("an ordinary sum", "correct")
def ordinary(total, lost, value):
    return total + value, lost
