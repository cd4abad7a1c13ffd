"""Answers to first_over_steady."""

from answers import AnswersTo

answers = AnswersTo("first_over_steady")

answers.right("by quantile")(lambda times: times[0] / times[1:].quantile(0.5))
answers.wrong("minus 1", "correct", says="minus 1")(lambda times: times[0] / times[1:].median() - 1)
answers.wrong("at most 1,000 later calls", "correct", says="5,001 later calls")(
    lambda times: times[0] / times[1:1002].median()
)
answers.wrong("a ratio of at most 1,000", "correct", says="takes very long")(
    lambda times: (times[0] / times[1:].median()).clamp(max=1000)
)
answers.wrong("equal times count once", "correct", says="most of them equal")(
    lambda times: times[0] / times[1:].unique().median()
)
