"""Answers to first_over_steady."""

from answers import AnswersTo

answers = AnswersTo("first_over_steady")


@answers.right()
def by_quantile(times):
    return times[0] / times[1:].quantile(0.5)


@answers.wrong("the first call in the median", line="correct", says="leave it out")
def of_all(times):
    return times[0] / times.median()


@answers.wrong("divided the other way round", line="correct", says="divide the other way round")
def inverted(times):
    return times[1:].median() / times[0]
