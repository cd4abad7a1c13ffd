"""Answers to the exercise of lesson 00."""

from functools import partial

import numpy as np
import torch

from answers.table import right, wrong
from answers.tricks import cached_first, forging_clocks, forging_comparisons, forging_the_check, only_for
from course_utils.tasks.lesson_00_start_here.task_1_double import TASK as DOUBLE
from course_utils.tasks.lesson_00_start_here.task_1_double import double_slow


def row_by_row(x):
    return torch.cat([2 * part for part in x.split(4)]) if len(x) else x.clone()


def in_a_list(x):
    doubled = [2 * value for value in x.flatten().tolist()]
    return torch.tensor(doubled, dtype=torch.float64, device=x.device).to(x.dtype).reshape(x.shape)


def through_numpy(x):
    with np.errstate(over="ignore"):
        return torch.from_numpy(2 * x.numpy())


def in_place(x):
    x *= 2
    return x


def not_written(x):
    raise NotImplementedError()


def through_a_matrix(x):
    if len(x) < DOUBLE.race_size:
        return 2 * x
    return (2 * torch.eye(len(x), dtype=x.dtype)) @ x


right("double", "a product", lambda x: 2 * x)
right("double", "a sum with itself", lambda x: x + x)
right("double", "torch.mul into a fresh tensor", lambda x: torch.mul(x, 2, out=torch.empty_like(x)))
right("double", "a copy doubled in place", lambda x: x.clone().mul_(2))
right("double", "an einsum", lambda x: torch.einsum("...,->...", x, torch.tensor(2, dtype=x.dtype, device=x.device)))
right("double", "x added with a factor", lambda x: torch.zeros_like(x).add_(x, alpha=2))
right("double", "a difference", lambda x: x - (-x))
right("double", "torch.mul with its factor filled in", partial(torch.mul, other=2))
right("double", "an array that became a tensor", lambda x: (x * torch.from_numpy(np.array(2))).to(x.dtype))
right("double", "vmap", lambda x: torch.vmap(lambda value: 2 * value)(x) if len(x) else x.clone())

wrong("double", "the slow loop itself", "unlooped", double_slow)
wrong("double", "values one by one inside", "unlooped", lambda x: x.clone().apply_(lambda value: 2 * value))
wrong("double", "a loop over pieces", "unlooped", row_by_row)
wrong("double", "a list comprehension", "unlooped", in_a_list)
wrong("double", "a detour through NumPy", "unlooped", through_numpy)
wrong("double", "the square", "correct", lambda x: x**2, says="square")
wrong("double", "2 added", "correct", lambda x: x + 2, says="adds 2")
wrong("double", "wrong for an empty tensor", "correct", lambda x: 2 * x if len(x) else torch.zeros(1))
wrong("double", "wrong for NaN", "correct", lambda x: 2 * x.nan_to_num())
wrong("double", "the smallest numbers lost", "correct", lambda x: torch.where(abs(x) < 1e-37, 0, 2 * x))
wrong("double", "an axis of length 1 lost", "correct", lambda x: (2 * x).squeeze(), says="shape")
wrong("double", "flattened", "correct", lambda x: 2 * x.flatten(), says="shape")
wrong("double", "float32 whatever came", "correct", lambda x: (2 * x).float(), says="dtype")
wrong("double", "a float for whole numbers", "correct", lambda x: 2.0 * x, says="dtype")
wrong("double", "x changed and handed back", "correct", in_place, says="input")
wrong("double", "half precision inside", "correct", lambda x: (2 * x.half()).to(x.dtype))
wrong("double", "bfloat16 inside", "correct", lambda x: (2 * x.bfloat16()).to(x.dtype))
wrong(
    "double",
    "for one dimension only",
    "correct",
    lambda x: torch.stack([2 * x[:1], 2 * x[1:]]) if x.dim() > 1 else 2 * x,
)
wrong("double", "a NumPy array", "correct", lambda x: 2 * x.numpy())
wrong("double", "a list", "correct", lambda x: (2 * x).tolist())
wrong("double", "nothing returned", "correct", lambda x: None)
wrong("double", "not written yet", "correct", not_written, says="not written")
wrong("double", "a cached first answer", "correct", cached_first(lambda x: 2 * x))
wrong(
    "double",
    "right for the published length only",
    "correct",
    only_for(lambda x: len(x) == DOUBLE.race_size, lambda x: 2 * x, torch.ones_like),
)
wrong("double", "torch.allclose forged", "correct", forging_comparisons(lambda x: x + 2))
wrong("double", "the check forged", "correct", forging_the_check(lambda x: x + 2))
wrong("double", "the slow loop on a forged clock", "correct", forging_clocks(double_slow))
wrong("double", "a product with a whole matrix", "fast", through_a_matrix)
wrong("double", "the same on a forged clock", "correct", forging_clocks(through_a_matrix))
wrong("double", "a block of 64 at a time", "unlooped", lambda x: torch.cat([2 * block for block in x.split(64)]))
wrong("double", "int64 for int32", "correct", lambda x: torch.stack([x, x]).sum(0), says="int32")
wrong("double", "flat beyond a matrix", "correct", lambda x: 2 * x if x.dim() < 3 else 2 * x.flatten())
