"""Answers to with_new_shapes."""

from answers import AnswersTo

answers = AnswersTo("with_new_shapes")


@answers.right()
def what_is_dear(first_us, steady_us, shapes, calls):
    return calls * steady_us + shapes * (first_us - steady_us)


@answers.wrong("one first call", line="correct", says="there is one for each shape")
def traced_once(first_us, steady_us, shapes, calls):
    return first_us + (calls - 1) * steady_us


@answers.wrong("first calls paid for twice", line="correct", says="paid for twice")
def twice(first_us, steady_us, shapes, calls):
    return shapes * first_us + calls * steady_us
