"""Answers to double."""

from functools import partial

import numpy as np
import torch

from answers import AnswersTo
from course_utils import tasks

answers = AnswersTo("double")
PUBLISHED = tasks.load("double").race_size

answers.right("a product")(lambda x: 2 * x)
answers.right("a sum with itself")(lambda x: x + x)
answers.right("torch.mul into a new tensor")(lambda x: torch.mul(x, 2, out=torch.empty_like(x)))
answers.right("a copy doubled in place")(lambda x: x.clone().mul_(2))
answers.right("an einsum")(lambda x: torch.einsum("...,->...", x, torch.tensor(2, dtype=x.dtype, device=x.device)))
answers.right("add_ with alpha")(lambda x: torch.zeros_like(x).add_(x, alpha=2))
answers.right("x minus its negative")(lambda x: x - (-x))
answers.right("a partial of torch.mul")(partial(torch.mul, other=2))
answers.right("a factor from a NumPy array")(lambda x: (x * torch.from_numpy(np.array(2))).to(x.dtype))
answers.right("vmap")(lambda x: torch.vmap(lambda value: 2 * value)(x) if len(x) else x.clone())


def _wrapped(value):
    """Return an integer as int64 wraps it around, and a float as it is."""
    return value if isinstance(value, float) else (value + 2**63) % 2**64 - 2**63


@answers.wrong("apply_ with a Python function", "unlooped")
def applied(x):
    wide = (x if x.is_floating_point() else x.long()).clone()
    return wide.apply_(lambda value: _wrapped(2 * value)).to(x.dtype)


@answers.wrong("a list comprehension", "unlooped")
def in_a_list(x):
    doubled = [_wrapped(2 * value) for value in x.flatten().tolist()]
    dtype = torch.float64 if x.is_floating_point() else torch.int64
    return torch.tensor(doubled, dtype=dtype, device=x.device).to(x.dtype).reshape(x.shape)


@answers.wrong("a detour through NumPy", "unlooped")
def through_numpy(x):
    with np.errstate(over="ignore"):
        return torch.from_numpy(2 * x.numpy())


answers.wrong("wrong for an empty tensor", "correct")(lambda x: 2 * x if len(x) else torch.zeros(1))
answers.wrong("wrong for NaN", "correct")(lambda x: 2 * x.nan_to_num())
answers.wrong("tiny values replaced by 0", "correct")(lambda x: torch.where(abs(x) < 1e-37, 0, 2 * x))
answers.wrong("drops axes of length 1", "correct", says="shape")(lambda x: (2 * x).squeeze())
answers.wrong("flattened", "correct", says="shape")(lambda x: 2 * x.flatten())
answers.wrong("floats for integers", "correct", says="dtype")(lambda x: 2.0 * x)


@answers.wrong(line="correct")
def for_one_dimension_only(x):
    return torch.stack([2 * x[:1], 2 * x[1:]]) if x.dim() > 1 else 2 * x


answers.wrong("a NumPy array", "correct")(lambda x: 2 * x.numpy())
answers.wrong("a list", "correct")(lambda x: (2 * x).tolist())


@answers.wrong("a product with a diagonal matrix", "fast")
def through_a_matrix(x):
    if len(x) < PUBLISHED:
        return 2 * x
    return (2 * torch.eye(len(x), dtype=x.dtype)) @ x


answers.wrong("a loop over blocks of 64", "unlooped")(lambda x: torch.cat([2 * block for block in x.split(64)]))
answers.wrong("int64 for int32", "correct", says="int32")(lambda x: torch.stack([x, x]).sum(0))
answers.wrong("flattens inputs with more than two axes", "correct")(lambda x: 2 * x if x.dim() < 3 else 2 * x.flatten())
answers.wrong("ignores the storage offset", "correct")(lambda x: 2 * x.as_strided(x.shape, x.stride(), 0))


@answers.wrong("a foreach operation on a list of rows", "unlooped", says="the number grows with the input")
def row_by_row_in_one_call(x):
    return torch.stack(torch._foreach_mul(list(x), 2)) if len(x) else 2 * x


answers.wrong("a flat view", "correct", says="a transposed matrix")(lambda x: (2 * x.view(-1)).view(x.shape))
answers.wrong("at most 4,096 values", "correct", says="For 5,000 values")(
    lambda x: torch.cat([2 * x[:4096], x[4096:]]) if x.dim() == 1 else 2 * x
)


@answers.wrong("integers clamped to their dtype", "correct", says="wrap around")
def clamped(x):
    if x.is_floating_point():
        return 2 * x
    ends = torch.iinfo(x.dtype)
    return 2 * x.clamp(ends.min // 2, ends.max // 2)


@answers.wrong("integers clamped after they are doubled", "correct", says="int32 values, some of which wrap")
def saturated(x):
    if x.is_floating_point():
        return 2 * x
    ends = torch.iinfo(x.dtype)
    return (2 * x.long()).clamp(ends.min, ends.max).to(x.dtype)
