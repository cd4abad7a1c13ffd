"""Answers to waiting_share."""

from answers import AnswersTo

answers = AnswersTo("waiting_share")


@answers.right("from the sums")
def from_the_sums(asked, received, end):
    return (sum(received) - sum(asked)) / (end - asked[0])
