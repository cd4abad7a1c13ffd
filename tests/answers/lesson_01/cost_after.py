"""Answers to cost_after."""

from answers import AnswersTo

answers = AnswersTo("cost_after")


@answers.right()
def what_is_dear_once(first_s, steady_s, calls):
    return (first_s - steady_s) + calls * steady_s


@answers.wrong("one later call too many", line="correct", says="the first call is one of the calls")
def off_by_one(first_s, steady_s, calls):
    return first_s + calls * steady_s


@answers.wrong("the first call at every call", line="correct", says="at every call")
def always_first(first_s, steady_s, calls):
    return first_s * calls
