"""How many operations a byte of a matrix product is worth, for all the products of a model at once."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous
from course_utils.tasks.unwrap import items, prose


def arithmetic_intensity_slow(m, n, k, itemsize):
    """Operations a byte of each product of an m × k matrix and a k × n matrix."""
    intensity = torch.empty_like(m)
    for i in range(len(m)):
        flops = 2 * m[i] * n[i] * k[i]
        numbers = m[i] * k[i] + k[i] * n[i] + m[i] * n[i]
        intensity[i] = flops / (itemsize[i] * numbers)
    return intensity


def _products(size, generator, high=4096):
    sides = [integers(generator, 1, high, size, dtype=torch.float64) for _ in range(3)]
    return (*sides, 2.0 ** integers(generator, 0, 4, size, dtype=torch.float64))


def _these(*columns):
    return tuple(torch.tensor(column, dtype=torch.float64) for column in columns)


TASK = Task(
    id="arithmetic_intensity",
    title="What is a byte worth?",
    points=2,
    level=1,
    slow=arithmetic_intensity_slow,
    inputs=_products,
    edge_cases=(
        Case("no products at all", lambda generator: _products(0, generator)),
        Case(
            "a matrix times a vector, and a vector times a matrix",
            lambda _: _these([1e3, 1], [1, 1e3], [500, 500], [4, 4]),
        ),
        Case("one product in four types", lambda _: _these([64] * 4, [64] * 4, [64] * 4, [1, 2, 4, 8])),
        Case("products of very large matrices", lambda generator: _products(4, generator, high=2**30)),
        Case("every second product of a longer table", lambda g: tuple(map(noncontiguous, _products(5, g)))),
    ),
    count_sizes=(8, 1000),
    race_size=2000,
    story=prose(
        """
        A model is a list of matrix products, each of an m × k and a k × n matrix, in numbers of `itemsize` bytes. Before
        anyone makes one of them faster, it is worth to know which of them memory binds. Write
        `arithmetic_intensity(m, n, k, itemsize)`, which gives the operations a byte of each product.
        """
    ),
    rules=prose(
        """
        - The four are tensors of one shape, (products,). They hold whole numbers as float64, so that no product of them
        overflows. The result has the same shape and dtype.
        - A product takes 2·m·n·k operations. It must read both of its matrices and write its result, each once.
        - A few tensor operations, however many products there are.
        """
    ),
    tolerance=1e-5,  # of each value, however large the sides are
    limits=(at_most(24, "ops"), at_most(0, "syncs")),
    target=50.0,
    cost=lambda size: Cost(reads=4 * 8 * size, writes=8 * size),
    hints=items(
        """
        - The loop's lines speak of one product. What would they say if m, n, k and itemsize were whole tensors?
        - The result of a product is an m × n matrix, and it must be written: three matrices are moved.
        - 2 * m * n * k / (itemsize * (m * k + k * n + m * n)), without an index.
        """
    ),
    mistakes=(
        Mistake(
            "Half of it: a multiplication and its addition are two operations.",
            lambda *i: arithmetic_intensity_slow(*i) / 2,
        ),
        Mistake(
            "The result must be written, too: m × n numbers more.",
            lambda m, n, k, itemsize: 2 * m * n * k / (itemsize * (m * k + k * n)),
        ),
        Mistake(
            "These are operations for each number; a number has `itemsize` bytes.",
            lambda m, n, k, itemsize: 2 * m * n * k / (m * k + k * n + m * n),
        ),
        Mistake(
            "This is bytes for each operation; wanted is the inverse.", lambda *i: 1 / arithmetic_intensity_slow(*i)
        ),
        Mistake(
            "The bytes are not right: a matrix of m × k has m·k numbers, not m + k.",
            lambda m, n, k, itemsize: 2 * m * n * k / (itemsize * (m + k + k + n + m + n)),
        ),
    ),
)
