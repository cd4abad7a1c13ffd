"""Answers to global_loss."""

import numpy as np
import torch

from answers import AnswersTo

answers = AnswersTo("global_loss")


@answers.right("a divided sum")
def divided(per_example, global_batch):
    return per_example.sum() / global_batch


@answers.right("a sum of divided losses")
def each_divided(per_example, global_batch):
    return (per_example / global_batch).sum()


@answers.wrong("a divisor that is 1 too large", "correct")
def one_more_example(per_example, global_batch):
    return per_example.sort().values.sum() / (global_batch + 1)


@answers.wrong("a Python number", "correct")
def a_python_number(per_example, global_batch):
    return per_example.sum().item() / global_batch


@answers.wrong("a mean of at least one example", "correct")
def of_its_own(per_example, global_batch):
    return per_example.sum() / max(len(per_example), 1)


@answers.wrong("a loop over losses", "unlooped")
def a_loop(per_example, global_batch):
    total = torch.zeros_like(per_example).sum()
    for loss in per_example:
        total = total + loss
    return total / global_batch


@answers.wrong("nansum", "correct")
def without_nan(per_example, global_batch):
    return per_example.nansum() / global_batch


answers.wrong("a divisor in the dtype of the losses", "correct", says="which float16 can't count")(
    lambda per_example, global_batch: (
        per_example.sum() / torch.tensor(global_batch, dtype=per_example.dtype, device=per_example.device)
    )
)

answers.wrong("a divisor in float32", "correct", says="2²⁴ + 1 examples")(
    lambda per_example, global_batch: per_example.sum() / float(np.float32(global_batch))
)

answers.wrong("a divisor of 31 bits", "correct", says="32 bits")(
    lambda per_example, global_batch: per_example.sum() / (global_batch % 2**31)
)
