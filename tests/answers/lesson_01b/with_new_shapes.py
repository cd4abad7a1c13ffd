"""Answers to with_new_shapes."""

from answers import AnswersTo

answers = AnswersTo("with_new_shapes")


@answers.right()
def what_is_dear(first_us, steady_us, shapes, calls):
    return calls * steady_us + shapes * (first_us - steady_us)
