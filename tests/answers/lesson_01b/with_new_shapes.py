"""Answers to with_new_shapes."""

from answers.table import right, wrong


@right()
def what_is_dear(first_us, steady_us, shapes, calls):
    return calls * steady_us + shapes * (first_us - steady_us)


@wrong("one first call", line="correct", says="there is one for each shape")
def traced_once(first_us, steady_us, shapes, calls):
    return first_us + (calls - 1) * steady_us


@wrong("first calls paid for twice", line="correct", says="paid for twice")
def twice(first_us, steady_us, shapes, calls):
    return shapes * first_us + calls * steady_us
