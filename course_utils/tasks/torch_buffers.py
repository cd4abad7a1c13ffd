"""Inputs and edge cases of torch tasks that write their result into a buffer, which is always the last argument.

A buffer contains old values, so an answer that adds to it instead of overwriting it is wrong. A buffer that only one
task needs is in the file of that task.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from course_utils.tasks.task import Case, Generator, Inputs
from course_utils.tasks.torch_inputs import noncontiguous, uniform

Make = Callable[[Generator], Inputs]


def buffer(generator: Generator, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return a buffer of this shape with old values from -9 to 9."""
    return uniform(generator, -9, 9, *shape, dtype=dtype)


def with_buffer(generator: Generator, *inputs: Any) -> Inputs:
    """Return ``inputs``, and a buffer of the shape and dtype of the first input."""
    return *inputs, buffer(generator, *inputs[0].shape, dtype=inputs[0].dtype)


def into_buffer(*cases: Case) -> tuple[Case, ...]:
    """Return the same cases, each with a buffer of the shape and dtype of its first input."""
    return tuple(map(_into_buffer, cases))


def nan_buffer(make: Make, *shape: int) -> Case:
    """Return the inputs of ``make``, and a buffer of NaN, which stays NaN if an answer multiplies it by 0."""
    return Case("a buffer full of NaN", lambda g: (*make(g), torch.full(shape, torch.nan)))


def transposed_buffer(make: Make, rows: int, columns: int) -> Case:
    """Return the inputs of ``make``, and a buffer of shape (rows, columns) whose rows are not contiguous in memory."""
    return Case("a transposed buffer", lambda g: (*make(g), buffer(g, columns, rows).T))


def noncontiguous_buffer(make: Make, *shape: int) -> Case:
    """Return the inputs of ``make``, and a buffer with gaps between its values in memory."""
    return Case("a buffer with gaps between its values", lambda g: (*make(g), noncontiguous(buffer(g, *shape))))


def _into_buffer(case: Case) -> Case:
    return Case(case.name, lambda generator: with_buffer(generator, *case.make(generator)))
