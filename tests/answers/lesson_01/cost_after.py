"""Answers to cost_after."""

import torch

from answers import AnswersTo

answers = AnswersTo("cost_after")

answers.right("the extra cost of the first call, once")(
    lambda first_s, steady_s, calls: (first_s - steady_s) + calls * steady_s
)
answers.wrong("float64", "correct", says="expected float32")(
    lambda first_s, steady_s, calls: first_s + (calls.double() - 1) * steady_s
)
answers.wrong("at most 1,000 calls", "correct", says="a billion calls")(
    lambda first_s, steady_s, calls: first_s + (calls.clamp(max=1000) - 1) * steady_s
)


@answers.right()
def by_where(first_s, steady_s, calls):
    later = (calls - 1).clamp(min=0).to(torch.float32)
    return torch.where(calls == 1, first_s, first_s + later * steady_s)


answers.wrong("int32", "correct", says="a billion calls")(
    lambda first_s, steady_s, calls: first_s + (calls.int() - 1) * steady_s
)
answers.wrong("0 counts as missing", "correct", says="later calls that take no time")(
    lambda first_s, steady_s, calls: first_s + (calls - 1) * (steady_s or first_s)
)
