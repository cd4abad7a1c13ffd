"""The arithmetic intensity of all matrix products of a model at once."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous


def arithmetic_intensity_slow(m, n, k, itemsize):
    """Return the operations per byte of each product of an m × k matrix and a k × n matrix."""
    intensity = torch.empty_like(m)
    for i in range(len(m)):
        flops = 2 * m[i] * n[i] * k[i]
        values = m[i] * k[i] + k[i] * n[i] + m[i] * n[i]
        intensity[i] = flops / (itemsize[i] * values)
    return intensity


def _products(size, generator, high=4096):
    sides = [integers(generator, 1, high, size, dtype=torch.float64) for _ in range(3)]
    return (*sides, 2.0 ** integers(generator, 0, 4, size, dtype=torch.float64))


def _these(*columns):
    return tuple(torch.tensor(column, dtype=torch.float64) for column in columns)


TASK = Task(
    id="arithmetic_intensity",
    title="Operations per byte",
    points=2,
    level=1,
    slow=arithmetic_intensity_slow,
    inputs=_products,
    bounded=("m", "n", "k", "itemsize"),
    edge_cases=(
        Case("no products", lambda generator: _products(0, generator)),
        Case(
            "a matrix times a vector, and a vector times a matrix",
            lambda _: _these([1e3, 1], [1, 1e3], [500, 500], [4, 4]),
        ),
        Case("values of 1 to 16 bytes", lambda _: _these([64] * 6, [64] * 6, [64] * 6, [1, 2, 3, 4, 8, 16])),
        Case("5,000 products", lambda generator: _products(5000, generator)),
        Case("products of very large matrices", lambda generator: _products(4, generator, high=2**30)),
        Case("every second product of a longer table", lambda g: tuple(map(noncontiguous, _products(5, g)))),
    ),
    worst=(
        Case(
            "a product with sides of 1 and one with sides of 2**30",
            lambda _: _these(*[[1, 2**30]] * 3, [8, 1]),
        ),
        Case(
            "dot products of vectors with more than 6e13 values",
            lambda _: _these([1, 1], [1, 1], [1e14 + 1, 3.0**29], [4, 2]),
        ),
        Case(
            "products with very long sides",
            lambda _: _these([1e14 + 1, 1, 1, 2**34], [1, 1e14 + 1, 1, 2**34], [1, 1, 1e14 + 1, 2**34], [4, 4, 4, 1]),
        ),
    ),
    count_sizes=(8, 1000),
    race_size=2000,
    story=prose(
        """
        A model is a list of matrix products. Each one multiplies an m × k matrix by a k × n matrix, with values of `itemsize`
        bytes. Before you optimize one of them, find out which ones are limited by memory. Write
        `arithmetic_intensity(m, n, k, itemsize)`, which returns each product's operations per byte.
        """
    ),
    rules=prose(
        """
        - The four tensors have shape (products,). They hold positive integers as float64, so that 2·m·n·k doesn't overflow. The result has
        the same shape and dtype. There can be 0 products.
        - A product takes 2·m·n·k operations. It reads both matrices once and writes its result once.
        """
    ),
    tolerance=1e-5,
    of_each_value=True,
    limits=(at_most(24, "ops"), at_most(0, "syncs")),
    target=50.0,
    cost=lambda size: Cost(reads=4 * 8 * size, writes=8 * size),
    hints=items(
        """
        - The loop's lines describe one product. What do they compute if `m`, `n`, `k` and `itemsize` are whole tensors?
        - A product moves three matrices: it reads m × k and k × n values, and it writes m × n values.
        - Write the loop's formula without an index: `2 * m * n * k / (itemsize * (m * k + k * n + m * n))`.
        """
    ),
    mistakes=(
        Mistake(
            "This is half of the intensity: a multiplication and its addition are two operations.",
            lambda *i: arithmetic_intensity_slow(*i) / 2,
        ),
        Mistake(
            "The result is missing from the bytes: the product also writes m × n values.",
            lambda m, n, k, itemsize: 2 * m * n * k / (itemsize * (m * k + k * n)),
        ),
        Mistake(
            "These are operations per value: each value has `itemsize` bytes.",
            lambda m, n, k, itemsize: 2 * m * n * k / (m * k + k * n + m * n),
        ),
        Mistake("These are bytes per operation: return the inverse.", lambda *i: 1 / arithmetic_intensity_slow(*i)),
        Mistake(
            "The bytes are wrong: an m × k matrix has m·k values, not m + k.",
            lambda m, n, k, itemsize: 2 * m * n * k / (itemsize * (m + k + k + n + m + n)),
        ),
    ),
)
