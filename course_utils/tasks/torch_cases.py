"""Edge cases that many torch tasks share, each with its name: float64, a transposed matrix, infinity and NaN.

A builder draws one tensor for each shape that it is given, in that order; ``rest`` are the arguments that come after
the tensors. Nothing here knows a task; a case that one task alone needs stands in its file.
"""

from __future__ import annotations

from typing import Any

import torch

from course_utils.tasks.task import Case, Inputs
from course_utils.tasks.torch_inputs import integers, noncontiguous, normal

Shape = tuple[int, ...]


def random_case(name: str, *shapes: Shape, rest: Inputs = (), dtype: torch.dtype = torch.float32) -> Case:
    """Normally distributed numbers."""
    return Case(name, lambda generator: (*(normal(generator, *shape, dtype=dtype) for shape in shapes), *rest))


def fixed_case(name: str, *values: Any, rest: Inputs = ()) -> Case:
    """Tensors of just these values, each a number or a list; their dtype is what torch makes of them."""
    return Case(name, lambda _: (*(torch.tensor(each) for each in values), *rest))


def without_rows(columns: int, *others: Shape, rest: Inputs = ()) -> Case:
    """A matrix of shape (0, columns), and further tensors as they are."""
    return random_case("a matrix without rows", (0, columns), *others, rest=rest)


def without_columns(rows: int, *others: Shape, rest: Inputs = ()) -> Case:
    """A matrix of shape (rows, 0), and further tensors as they are."""
    return random_case("a matrix without columns", (rows, 0), *others, rest=rest)


def transposed_case(rows: int, columns: int, *others: Shape, rest: Inputs = ()) -> Case:
    """A matrix of shape (rows, columns) whose rows lie apart in memory, and further tensors as they are."""

    def make(generator: Any) -> Inputs:
        matrix = normal(generator, columns, rows).T
        return matrix, *(normal(generator, *shape) for shape in others), *rest

    return Case("a transposed matrix", make)


def noncontiguous_case(name: str, *shapes: Shape, rest: Inputs = ()) -> Case:
    """Tensors whose values have gaps between them in memory."""
    return Case(name, lambda generator: (*(noncontiguous(normal(generator, *shape)) for shape in shapes), *rest))


def every_second_column(rows: int, columns: int, rest: Inputs = ()) -> Case:
    """A matrix of shape (rows, columns) with gaps between its columns."""
    return noncontiguous_case("every second column of a wider matrix", (rows, columns), rest=rest)


def float64(*shapes: Shape, rest: Inputs = ()) -> Case:
    """Numbers of twice the usual precision: who works in float32 in between loses digits."""
    return random_case("float64 values", *shapes, rest=rest, dtype=torch.float64)


def integer_case(*shapes: Shape, rest: Inputs = (), low: int = -9, high: int = 10) -> Case:
    """int64 from ``low`` up to, but without, ``high``, where a learner need not know the dtype's name."""
    return _whole("integers", shapes, rest, torch.int64, low, high)


def int64(*shapes: Shape, rest: Inputs = ()) -> Case:
    """int64 from -9 to 9, where the dtype is what may go wrong."""
    return _whole("int64 values", shapes, rest, torch.int64)


def int32(*shapes: Shape, rest: Inputs = ()) -> Case:
    """int32 from -9 to 9: some operations of torch make int64 of it."""
    return _whole("int32 values", shapes, rest, torch.int32)


def infinity_and_nan(values: Any, rest: Inputs = ()) -> Case:
    """Just these values, of which some are no ordinary numbers."""
    return fixed_case("infinity and NaN", values, rest=rest)


def _whole(
    name: str, shapes: tuple[Shape, ...], rest: Inputs, dtype: torch.dtype, low: int = -9, high: int = 10
) -> Case:
    return Case(name, lambda g: (*(integers(g, low, high, *shape, dtype=dtype) for shape in shapes), *rest))
