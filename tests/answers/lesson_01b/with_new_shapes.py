"""Answers to with_new_shapes."""

import numpy as np

from answers import AnswersTo

answers = AnswersTo("with_new_shapes")


@answers.right()
def steady_cost_plus_extra_cost_per_shape(first_us, steady_us, shapes, calls):
    return calls * steady_us + shapes * (first_us - steady_us)


@answers.wrong("32-bit integers", "correct", says="a new shape in each call")
def in_32_bits(first_us, steady_us, shapes, calls):
    calls_and_times = np.array([[shapes, first_us], [calls - shapes, steady_us]], np.int32)
    return int(calls_and_times.prod(axis=1, dtype=np.int32).sum(dtype=np.int32))


answers.wrong("at least one first call", "correct", says="For no calls")(
    lambda first_us, steady_us, shapes, calls: max(shapes, 1) * first_us + (calls - max(shapes, 1)) * steady_us
)
