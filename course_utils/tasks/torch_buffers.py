"""Inputs and edge cases of torch tasks whose answer goes into a given buffer, which is always the last argument.

A buffer holds what was there before: a task that fills one says so by what it is given, not only in words. Nothing here
knows a task; a buffer that one task alone needs stands in its file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from course_utils.tasks.task import Case, Generator, Inputs
from course_utils.tasks.torch_cases import every_second_column, float64, random_case, transposed_case, without_rows
from course_utils.tasks.torch_inputs import noncontiguous, uniform

Make = Callable[[Generator], Inputs]


def buffer(generator: Generator, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Memory of that shape that still holds what was there before: numbers from -9 up to 9."""
    return uniform(generator, -9, 9, *shape, dtype=dtype)


def with_buffer(generator: Generator, *inputs: Any) -> Inputs:
    """These inputs, and a buffer in the shape and dtype of the first."""
    return *inputs, buffer(generator, *inputs[0].shape, dtype=inputs[0].dtype)


def into_buffer(*cases: Case) -> tuple[Case, ...]:
    """The same cases, each with a buffer in the shape and dtype of its first input."""
    return tuple(map(_into_buffer, cases))


def matrices_into_buffer(*rest: Any) -> tuple[Case, ...]:
    """The matrices that each task on a matrix meets: without rows, of one, far apart in memory, in float64; with ``rest`` and a buffer."""
    return into_buffer(
        without_rows(4, rest=rest),
        random_case("one row", (1, 6), rest=rest),
        transposed_case(5, 3, rest=rest),
        every_second_column(3, 4, rest=rest),
        float64((3, 4), rest=rest),
    )


def nan_buffer(make: Make, *shape: int) -> Case:
    """What ``make`` gives, and a buffer in which a product with 0 leaves its mark."""
    return Case("a buffer full of NaN", lambda g: (*make(g), torch.full(shape, torch.nan)))


def transposed_buffer(make: Make, rows: int, columns: int) -> Case:
    """What ``make`` gives, and a buffer of shape (rows, columns) whose rows lie apart in memory."""
    return Case("a transposed buffer", lambda g: (*make(g), buffer(g, columns, rows).T))


def noncontiguous_buffer(make: Make, *shape: int) -> Case:
    """What ``make`` gives, and a buffer whose numbers have gaps between them in memory."""
    return Case("a buffer with gaps between its values", lambda g: (*make(g), noncontiguous(buffer(g, *shape))))


def _into_buffer(case: Case) -> Case:
    return Case(case.name, lambda generator: with_buffer(generator, *case.make(generator)))
