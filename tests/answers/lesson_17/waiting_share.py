"""Answers to waiting_share."""

from answers import AnswersTo

answers = AnswersTo("waiting_share")


@answers.right("a difference of sums")
def from_the_sums(asked, received, end):
    return (sum(received) - sum(asked)) / (end - asked[0])


@answers.wrong("waits over 0.01 s only", "correct", says="a millisecond")
def long_waits(asked, received, end):
    return sum(b - a for a, b in zip(asked, received) if b - a > 0.01 or b == a) / (end - asked[0])


answers.wrong("at most 4,096 steps", "correct", says="5,000 steps")(
    lambda asked, received, end: from_the_sums(asked[:4096], received[:4096], end)
)
