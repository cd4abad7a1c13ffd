"""Answers to doubling_round."""

from answers import AnswersTo

answers = AnswersTo("doubling_round")


@answers.wrong("changed in place, which reads what is new already", "correct")
def row_after_row(y, k, decay):
    y = y.clone()
    for t in range(k, len(y)):
        y[t] += decay**k * y[t - k]
    return y
