"""Answers to double."""

from functools import partial

import numpy as np
import torch

from answers import AnswersTo
from answers.tricks import forging_clocks
from course_utils import tasks

answers = AnswersTo("double")
PUBLISHED = tasks.load("double").race_size


@answers.right()
def a_product(x):
    return 2 * x


@answers.right()
def a_sum_with_itself(x):
    return x + x


@answers.right("torch.mul into a fresh tensor")
def torch_mul_into_a_fresh_tensor(x):
    return torch.mul(x, 2, out=torch.empty_like(x))


@answers.right()
def a_copy_doubled_in_place(x):
    return x.clone().mul_(2)


@answers.right()
def an_einsum(x):
    return torch.einsum("...,->...", x, torch.tensor(2, dtype=x.dtype, device=x.device))


@answers.right()
def x_added_with_a_factor(x):
    return torch.zeros_like(x).add_(x, alpha=2)


@answers.right()
def a_difference(x):
    return x - (-x)


torch_mul_with_its_factor_filled_in = answers.right("torch.mul with its factor filled in")(partial(torch.mul, other=2))


@answers.right()
def an_array_that_became_a_tensor(x):
    return (x * torch.from_numpy(np.array(2))).to(x.dtype)


@answers.right()
def vmap(x):
    return torch.vmap(lambda value: 2 * value)(x) if len(x) else x.clone()


@answers.wrong("2 added", "correct", says="adds 2")
def two_added(x):
    return x + 2


@answers.wrong(line="unlooped")
def values_one_by_one_inside(x):
    return x.clone().apply_(lambda value: 2 * value)


@answers.wrong("a loop over pieces", "unlooped")
def row_by_row(x):
    return torch.cat([2 * part for part in x.split(4)]) if len(x) else x.clone()


@answers.wrong("a list comprehension", "unlooped")
def in_a_list(x):
    doubled = [2 * value for value in x.flatten().tolist()]
    return torch.tensor(doubled, dtype=torch.float64, device=x.device).to(x.dtype).reshape(x.shape)


@answers.wrong("a detour through NumPy", "unlooped")
def through_numpy(x):
    with np.errstate(over="ignore"):
        return torch.from_numpy(2 * x.numpy())


@answers.wrong(line="correct", says="square")
def the_square(x):
    return x**2


@answers.wrong(line="correct")
def wrong_for_an_empty_tensor(x):
    return 2 * x if len(x) else torch.zeros(1)


@answers.wrong("wrong for NaN", "correct")
def wrong_for_nan(x):
    return 2 * x.nan_to_num()


@answers.wrong(line="correct")
def the_smallest_numbers_lost(x):
    return torch.where(abs(x) < 1e-37, 0, 2 * x)


@answers.wrong(line="correct", says="shape")
def an_axis_of_length_1_lost(x):
    return (2 * x).squeeze()


@answers.wrong(line="correct", says="shape")
def flattened(x):
    return 2 * x.flatten()


@answers.wrong(line="correct", says="dtype")
def float32_whatever_came(x):
    return (2 * x).float()


@answers.wrong(line="correct", says="dtype")
def a_float_for_whole_numbers(x):
    return 2.0 * x


@answers.wrong("x changed and handed back", "correct", says="input")
def in_place(x):
    x *= 2
    return x


@answers.wrong(line="correct")
def half_precision_inside(x):
    return (2 * x.half()).to(x.dtype)


@answers.wrong(line="correct")
def bfloat16_inside(x):
    return (2 * x.bfloat16()).to(x.dtype)


@answers.wrong(line="correct")
def for_one_dimension_only(x):
    return torch.stack([2 * x[:1], 2 * x[1:]]) if x.dim() > 1 else 2 * x


@answers.wrong("a NumPy array", "correct")
def a_numpy_array(x):
    return 2 * x.numpy()


@answers.wrong(line="correct")
def a_list(x):
    return (2 * x).tolist()


@answers.wrong(line="correct")
def right_for_the_published_length_only(x):
    return 2 * x if len(x) == PUBLISHED else torch.ones_like(x)


@answers.wrong("a product with a whole matrix", "fast")
def through_a_matrix(x):
    if len(x) < PUBLISHED:
        return 2 * x
    return (2 * torch.eye(len(x), dtype=x.dtype)) @ x


a_matrix_on_a_forged_clock = answers.wrong("the same on a forged clock", "correct")(forging_clocks(through_a_matrix))


@answers.wrong(line="unlooped")
def a_block_of_64_at_a_time(x):
    return torch.cat([2 * block for block in x.split(64)])


@answers.wrong(line="correct", says="int32")
def int64_for_int32(x):
    return torch.stack([x, x]).sum(0)


@answers.wrong(line="correct")
def flat_beyond_a_matrix(x):
    return 2 * x if x.dim() < 3 else 2 * x.flatten()
