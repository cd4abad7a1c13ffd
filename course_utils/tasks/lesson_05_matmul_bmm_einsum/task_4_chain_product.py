"""A product of many matrices, of which some are each sample's own, in the order that needs the fewest multiplications.

The method is that for the matrix chain (Cormen et al., Introduction to Algorithms, dynamic programming), with one thing
added: a product in which a sample's own matrix takes part is made once for each sample. What it is for, the product of
jacobians in an order between forward and reverse mode, is told by Griewank and Naumann (Accumulating Jacobians as
chained sparse matrix products, 2003).
"""

from __future__ import annotations

from functools import cache

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose

# Every order that a simple rule finds (from an end, the smallest result next, the cheapest next, samples forgotten) needs
# 1.6 times the arithmetic of the best here, or more, and 2.3 times the memory.
_RACED_SIDES, _RACED_SAMPLES = (32, 128, 384, 96, 32, 96, 32), (1, 16, 1, 1, 1, 16)


def chain_product_slow(matrices):
    """The product of all matrices from left to right, one row after the other."""
    product = matrices[0]
    for matrix in matrices[1:]:
        rows = []
        for i in range(product.shape[-2]):
            rows.append(product[..., i : i + 1, :] @ matrix)
        product = torch.cat(rows, dim=-2)
    return product


def _cheapest(sides, samples):
    """Multiplications, numbers made on the way, the result among them, and products of the cheapest order."""

    @cache
    def of(first, last):
        if first == last:
            return 0, 0, 0
        many = max(samples[first : last + 1])
        numbers = many * sides[first] * sides[last + 1]
        orders = []
        for split in range(first, last):
            left, right = of(first, split), of(split + 1, last)
            work = left[0] + right[0] + numbers * sides[split + 1]
            orders.append((work, left[1] + right[1] + numbers, left[2] + right[2] + 1))
        return min(orders)

    return of(0, len(samples) - 1)


def _shapes_of(matrices):
    sides = [matrix.shape[-2] for matrix in matrices] + [matrices[-1].shape[-1]]
    return sides, [len(matrix) if matrix.dim() == 3 else 1 for matrix in matrices]


def _allowed(matrices):
    """Half as much again as the cheapest order makes, and a little for small ones."""
    return 1024 + 3 * matrices[0].element_size() * _cheapest(*_shapes_of(matrices))[1] // 2


def _chain(g, sides, samples, dtype=torch.float32):
    """Matrices of these sides; 1 sample stands for a matrix that all share."""
    shapes = zip(samples, sides, sides[1:])
    return [
        normal(g, *(many,) * (many > 1), rows, columns, scale=rows**-0.5, dtype=dtype) for many, rows, columns in shapes
    ]


def _inputs(size, generator):
    if size >= 64:
        return (_chain(generator, [max(1, size * side // 384) for side in _RACED_SIDES], _RACED_SAMPLES),)
    sides = [1 + (3 * k + size) % 4 for k in range(min(size, 4) + 1)]
    return (_chain(generator, sides, [2 if k % 3 == 1 else 1 for k in range(len(sides) - 1)]),)


def _cost(size):
    sides, samples = [size * side // 384 for side in _RACED_SIDES], _RACED_SAMPLES
    multiplications, _, products = _cheapest(sides, samples)
    return Cost(
        reads=4 * sum(many * rows * columns for many, rows, columns in zip(samples, sides, sides[1:])),
        writes=4 * max(samples) * sides[0] * sides[-1],
        flops=2 * multiplications,
        launches=products,
    )


def _of(name, sides, samples, **options):
    return Case(name, lambda g: (_chain(g, sides, samples, **options),))


def from_left(matrices):
    """As it is read."""
    product = matrices[0]
    for matrix in matrices[1:]:
        product = product @ matrix
    return product


def from_right(matrices):
    """The other way: what the last matrix becomes, step by step."""
    product = matrices[-1]
    for matrix in reversed(matrices[:-1]):
        product = matrix @ product
    return product


TASK = Task(
    id="chain_product",
    title="The cheapest order of a chain",
    points=3,
    level=3,
    slow=chain_product_slow,
    inputs=_inputs,
    edge_cases=(
        _of("a single matrix", [2, 3], [1]),
        _of("a single matrix for each sample", [2, 3], [4]),
        _of("two matrices, both of each sample", [2, 3, 2], [3, 3]),
        _of("no matrix of a sample's own", [2, 3, 1, 2], [1, 1, 1]),
        _of("as many samples as rows and columns", [3, 3, 3, 3], [1, 3, 1]),
        _of("a row and a column at the ends", [1, 4, 2, 1], [1, 2, 1]),
        _of("nine matrices", [2, 3, 1, 2, 2, 1, 3, 2, 1, 2], [1, 1, 2, 1, 1, 2, 1, 1, 1]),
        Case("matrices that are turned", lambda g: ([each.mT for each in reversed(_chain(g, [2, 3, 4], [1, 2]))],)),
        _of("float64 values", [2, 4, 3, 2], [2, 1, 1], dtype=torch.float64),
    ),
    count_sizes=(8, 96),
    race_size=384,
    story=prose(
        """
        How does each output of a network move with each of its inputs? The answer, its jacobian, is the product of its layers'
        jacobians. That of a linear layer is its weight, the same for all samples. Other layers have one for each sample.
        Training begins at one end, where the loss is a single number. Where both ends are wide, the best place to begin may
        be in the middle. Write `chain_product(matrices)`: the product in the order that needs the fewest multiplications, as
        near to the limit of your machine as you can.
        """
    ),
    rules=prose(
        """
        - `matrices` is a list of at least one matrix, each as wide as the next one is high. Its shape is (rows, columns) where
        all samples share it, (samples, rows, columns) where each sample has its own; the samples are then as many in all of
        them, two at least. The result has an axis for the samples if any of the matrices has.
        - Of a single matrix the result is that matrix itself. All sides are 1 at least, and all numbers are finite.
        - A product of a p × q with a q × r matrix takes p · q · r multiplications, and as many times that as there are samples
        if one of the two has samples. The cheapest order may be none that a simple rule finds. The check knows it by
        its new memory, and allows half as much again: what allocates more comes of another order.
        - The plan is made in Python, from the shapes alone. It is raced with six matrices, 16 samples, and sides from 32 to 384.
        """
    ),
    limits=(
        at_most(60, "ops"),
        at_most(0, "syncs"),
        at_most(_allowed, "bytes", "1.5 times the bytes that the cheapest order allocates, and 1,024 bytes"),
    ),
    may_alias=True,
    target=2.0,
    cost=_cost,
    ways={"from the left": from_left, "from the right": from_right},
    hints=items(
        """
        - Whatever the order, there is a last product: of all matrices up to some place, and of all after it. What would you
          need to know about the two halves to choose that place?
        - The least work for the matrices from `first` to `last` is the least over all places of: the least work of the left
          half, plus that of the right half, plus that of the last product. Write it as a function of `first` and `last` that
          calls itself, with `functools.cache` above it, and let it return the best place as well.
        - def plan(first, last): return (0, None) if first == last else min((plan(first, k)[0] + plan(k + 1, last)[0] +
          samples(first, last) * sides[first] * sides[k + 1] * sides[last + 1], k) for k in range(first, last)); then multiply
          as planned, from the last product inwards.
        """
    ),
    mistakes=(
        Mistake("This is the first matrix alone.", lambda matrices: matrices[0]),
        Mistake(
            "The samples are added up: the result has an axis for them if any of the matrices has.",
            lambda matrices: product.sum(0) if (product := from_left(matrices)).dim() == 3 else product,
        ),
    ),
    sources=("S1.7",),
)
