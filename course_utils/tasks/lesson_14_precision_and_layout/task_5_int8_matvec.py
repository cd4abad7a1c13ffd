"""A challenge: a matrix of int8 weights times a vector, at the speed at which the weights arrive from memory.

Converting the whole matrix first writes and reads four bytes for each byte of weights.
"""

from __future__ import annotations

from math import nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import with_gaps
from course_utils.tasks.torch_inputs import integers, uniform


def int8_matvec_slow(values, scales, x):
    """Return the product of the matrix values * scales[:, None] and the vector x."""
    result = torch.empty(len(values), dtype=x.dtype, device=x.device)
    for i in range(len(values)):
        result[i] = scales[i] * (values[i].to(x.dtype) * x).sum()
    return result


COLUMNS, RACE_SIZE = 2048, 8192


def _weights(generator, rows, columns, dtype=torch.float32):
    """Return mostly positive weights and a positive vector: no product is a small difference of large sums."""
    return (
        integers(generator, -40, 128, rows, columns, dtype=torch.int8),
        uniform(generator, 0.5, 2, rows, dtype=dtype),
        uniform(generator, 0.5, 1.5, columns, dtype=dtype),
    )


def _case(name, rows, columns, **options):
    return Case(name, lambda generator: _weights(generator, rows, columns, **options))


def _with_matrix(name, make):
    def inputs(generator):
        values, *rest = _weights(generator, 4, 6)
        return make(values), *rest

    return Case(name, inputs)


def _with_signs(name):
    def inputs(generator):
        values, scales, x = _weights(generator, 3, 5)
        return values.abs(), scales, -x

    return Case(name, inputs)


def _long_rows(value):
    return lambda g: (torch.full((2, 70_000), value, dtype=torch.int8), *_weights(g, 2, 70_000)[1:])


def by_converting(values, scales, x):
    """Convert the whole matrix, then multiply."""
    return values.to(x.dtype) @ x * scales


def in_blocks(values, scales, x):
    """Convert and multiply 512 rows at a time."""
    return torch.cat([block.to(x.dtype) @ x for block in values.split(512)]) * scales


TASK = Task(
    id="int8_matvec",
    title="A product at the speed of memory",
    points=5,
    level=3,
    slow=int8_matvec_slow,
    reference=by_converting,
    inputs=lambda size, generator: _weights(generator, size, min(size + 1, COLUMNS)),
    tolerance=1e-4,
    edge_cases=(
        _case("a matrix without rows", 0, 4),
        _case("a matrix without columns", 3, 0),
        _case("a single row", 1, 6),
        _case("a single column", 5, 1),
        _with_signs("negative values in x"),
        _case("a square matrix", 5, 5),
        _case("float64 scales and x", 4, 6, dtype=torch.float64),
        _with_matrix("a transposed matrix", lambda values: values.T.contiguous().T),
        with_gaps(lambda generator: _weights(generator, 4, 6)),
        Case(
            "scales of 0, and NaN in x",
            lambda g: (_weights(g, 3, 4)[0], torch.tensor([0.0, 1.5, 0.0]), torch.tensor([1.0, nan, 2.0, 0.5])),
        ),
    ),
    worst=(
        Case("rows of 70,000 times 127", _long_rows(127)),
        Case("rows of 70,000 times -128", _long_rows(-128)),
    ),
    count_sizes=(8, 512),  # A loop over blocks of a few dozen rows stays within the limit on operations.
    race_size=RACE_SIZE,
    story=prose(
        """
        A model that writes one word at a time multiplies weight matrices by a single vector. A product of a
        matrix and a vector uses each weight once, so reading the weights can take most of the time. Weights in int8 have
        a quarter of the bytes of float32 weights. `values` and `scales` come from `quantize_rows`. Write `int8_matvec(values, scales, x)`,
        the product of the matrix `values * scales[:, None]` and the vector `x`, and get as close to the limit of your
        machine as you can. The limit counts one read of each int8 weight.
        """
    ),
    rules=prose(
        """
        - `values` is an int8 matrix, `scales` has one value per row, and `x` has one value per column. `scales` and `x`
          are float32 or float64, and the result has their dtype. There may be no rows, or no columns. The inputs are not
          modified.
        - You may compile or not. `x` is not quantized.
        - The card shows your share of the limit.
        - PyTorch has no public product of int8 weights and a floating-point vector, so an answer converts each weight. On a
          CPU the conversion can take longer than reading the weights. Then the best answer that this course knows stays far
          from the limit.
        """
    ),
    limits=(at_most(60, "ops"), at_most(0, "syncs")),
    target=2.0,
    cost=lambda size: Cost(reads=size * COLUMNS + 4 * (size + COLUMNS), writes=4 * size),
    ways={"converted matrix": by_converting, "blocks of 512 rows": in_blocks},
    hints=items(
        """
        - `values.to(x.dtype) @ x` writes the whole matrix in that dtype and reads it again. How many bytes move per
          weight, and how many must move? And how often does each row need its scale?
        - Convert some rows at a time, so that they are still in the cache when they are multiplied. `values.split(rows)`
          makes the blocks, and `torch.cat` joins their results.
        - Each converted block is newly allocated memory, which can cost more than the product (lesson 04). Convert
          into one preallocated `buffer` instead: `torch.mv(buffer[: len(block)].copy_(block), x, out=part)`, where
          `part` is the block's part of the result. Race different numbers of rows.
        """
    ),
    mistakes=(
        Mistake("The scales are missing: multiply by them.", lambda values, scales, x: values.to(x.dtype) @ x),
        Mistake(
            "`x` is converted to integers, which drops its fractions: convert the weights to the dtype of `x`.",
            lambda values, scales, x: (values.long() @ x.to(torch.int8).long()).to(x.dtype) * scales,
        ),
        Mistake(
            "Values are rounded to float16, which has too few digits: compute in the dtype of `x`.",
            lambda values, scales, x: (values.to(torch.float16) @ x.to(torch.float16)).to(x.dtype) * scales,
        ),
        Mistake(
            "The scales are applied twice: apply them once.",
            lambda values, scales, x: by_converting(values, scales * scales, x),
        ),
    ),
    sources=("S2.1", "S2.7"),
)
