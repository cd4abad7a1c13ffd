"""Edge cases that many torch tasks share, each with its name: float64, a transposed matrix, infinity and NaN.

A function draws one tensor for each shape, in this order; ``rest`` are the arguments after the tensors. A case that
only one task needs is in the file of that task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import torch

from course_utils.frameworks.tensor_interface import INTEGERS
from course_utils.tasks.task import Case, Inputs
from course_utils.tasks.torch_inputs import noncontiguous, normal

Shape = tuple[int, ...]


def random_case(name: str, *shapes: Shape, rest: Inputs = (), dtype: torch.dtype = torch.float32) -> Case:
    """Return a case with normally distributed values."""
    return Case(name, lambda generator: (*(normal(generator, *shape, dtype=dtype) for shape in shapes), *rest))


def long_case(name: str, *shapes: Shape, rest: Inputs = (), dtype: torch.dtype = torch.float32) -> Case:
    """Return a random case without a comparison of gradients, because a slow loop's gradient of a long axis takes seconds."""
    return replace(random_case(name, *shapes, rest=rest, dtype=dtype), differentiable=False)


def fixed_case(name: str, *values: Any, rest: Inputs = ()) -> Case:
    """Return a case with tensors of exactly these values, each a number or a list, in the dtype that torch infers."""
    return Case(name, lambda _: (*(torch.tensor(each) for each in values), *rest))


def cases_at_the_ends(
    words: str, values: Callable[[torch.iinfo], Inputs], rest: Inputs = (), dtypes: Iterable[str] = INTEGERS
) -> list[Case]:
    """Return a case for each integer dtype, named "int8" and then ``words``, with tensors of exactly the values that ``values``
    returns for the smallest and the largest number of the dtype.
    """

    def case(name: str) -> Case:
        dtype = getattr(torch, name)
        tensors = lambda: (torch.tensor(each, dtype=dtype) for each in values(torch.iinfo(dtype)))
        return Case(f"{name} {words}", lambda _: (*tensors(), *rest))

    return [case(name) for name in dtypes]


def without_rows(columns: int, *others: Shape, rest: Inputs = ()) -> Case:
    """Return a case with a matrix of shape (0, columns), and further tensors of the shapes in ``others``."""
    return random_case("a matrix without rows", (0, columns), *others, rest=rest)


def without_columns(rows: int, *others: Shape, rest: Inputs = ()) -> Case:
    """Return a case with a matrix of shape (rows, 0), and further tensors of the shapes in ``others``."""
    return random_case("a matrix without columns", (rows, 0), *others, rest=rest)


def transposed_case(rows: int, columns: int, *others: Shape, rest: Inputs = ()) -> Case:
    """Return a case with a matrix of shape (rows, columns) whose rows are not contiguous in memory, and further tensors of the
    shapes in ``others``.
    """

    def make(generator: Any) -> Inputs:
        matrix = normal(generator, columns, rows).T
        return matrix, *(normal(generator, *shape) for shape in others), *rest

    return Case("a transposed matrix", make)


def noncontiguous_case(name: str, *shapes: Shape, rest: Inputs = ()) -> Case:
    """Return a case with tensors whose values have gaps between them in memory."""
    return Case(name, lambda generator: (*(noncontiguous(normal(generator, *shape)) for shape in shapes), *rest))


def with_gaps(make: Callable[[Any], Inputs]) -> Case:
    """Return a case with the inputs that ``make`` draws, with gaps between the values of every tensor, also of those in a list."""

    def spread(value: Any) -> Any:
        if isinstance(value, list):
            return [spread(part) for part in value]
        return noncontiguous(value) if isinstance(value, torch.Tensor) and value.ndim else value

    return Case("tensors with gaps in memory", lambda generator: tuple(map(spread, make(generator))))


def every_second_column(rows: int, columns: int, rest: Inputs = ()) -> Case:
    """Return a case with a matrix of shape (rows, columns) with gaps between its columns."""
    return noncontiguous_case("every second column of a wider matrix", (rows, columns), rest=rest)


def float64(*shapes: Shape, rest: Inputs = ()) -> Case:
    """Return a case with values in double precision: an answer that computes in float32 in between loses digits."""
    return random_case("float64 values", *shapes, rest=rest, dtype=torch.float64)


def infinity_and_nan(values: Any, rest: Inputs = ()) -> Case:
    """Return a case with a tensor of exactly these values, some of which are infinity or NaN."""
    return fixed_case("infinity and NaN", values, rest=rest)


def with_gradients(name: str, make: Callable[[Any], Inputs]) -> Case:
    """Return a case with the inputs that ``make`` draws, in which the model, the first of them, already has gradients."""

    def add_gradients(generator: Any) -> Inputs:
        inputs = make(generator)
        for parameter in inputs[0].parameters():
            parameter.grad = normal(generator, *parameter.shape)
        return inputs

    return Case(name, add_gradients)
