"""Answers to compensated_step."""

import torch

from answers import AnswersTo

answers = AnswersTo("compensated_step")


@answers.right("the total first")
def total_first(total, lost, value):
    wanted = lost + value
    new = wanted + total
    return new, wanted - (new - total)


@answers.wrong("an ordinary sum", "correct")
def ordinary(total, lost, value):
    return total + value, lost


@answers.wrong("float32 intermediates for bfloat16", "correct", says="bfloat16 values")
def wider_than_bfloat16(total, lost, value):
    inside = torch.float32 if total.dtype == torch.bfloat16 else total.dtype
    new, left = total_first(total.to(inside), lost.to(inside), value.to(inside))
    return new.to(total.dtype), left.to(total.dtype)
