"""A product of many matrices, some of them batched, in the order that needs the fewest multiplications.

The method is the matrix chain (Cormen et al., Introduction to Algorithms, dynamic programming) with one addition: a
product with a batched matrix is computed once per sample. Griewank and Naumann (Accumulating Jacobians as chained sparse
matrix products, 2003) describe its use: products of Jacobians in an order between forward and reverse mode.
"""

from __future__ import annotations

from functools import cache

import torch

from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal

# The sides and the numbers of samples of six matrices; the sides grow with the size.
_RACED = (1, 4, 12, 3, 1, 3, 1), (1, 16, 1, 1, 1, 16)
# Of the 42 orders of six matrices, one is within the limit at the first counted size, and its products overflow in the case of
# six matrices, so no fixed order passes. Neither do simple rules, such as the cheapest product next, one split into two halves
# that each run from an end, or growth from the best pair. Plans that ignore the samples, count those of one factor only, take a
# wrong side or count half of the work don't pass either. The second chain finds orders from an end in longer chains.
_COUNTED = {
    96: ((3, 12, 12, 1, 12, 12, 2), (8, 8, 1, 1, 1, 8)),
    192: ((4, 10, 1, 8, 6, 12, 12, 1, 6, 12, 10, 2), (1, 6, 1, 1, 1, 1, 6, 1, 1, 1, 1)),
}


def chain_product_slow(matrices):
    """Return the product of all matrices, computed from left to right and row by row."""
    product = matrices[0]
    for matrix in matrices[1:]:
        rows = []
        for i in range(product.shape[-2]):
            rows.append(product[..., i : i + 1, :] @ matrix)
        product = torch.cat(rows, dim=-2)
    return product


def _cheapest(sides, samples):
    """Return how many multiplications, values (including the result) and products the cheapest order computes, and the order: an
    index, or a pair of orders whose results are multiplied.
    """

    @cache
    def of(first, last):
        if first == last:
            return 0, 0, 0, first
        many = max(samples[first : last + 1])
        values = many * sides[first] * sides[last + 1]
        orders = []
        for split in range(first, last):
            left, right = of(first, split), of(split + 1, last)
            work = left[0] + right[0] + values * sides[split + 1]
            orders.append((work, left[1] + right[1] + values, left[2] + right[2] + 1, (left[3], right[3])))
        return min(orders, key=lambda order: order[:3])

    return of(0, len(samples) - 1)


def _shapes_of(matrices):
    sides = [matrix.shape[-2] for matrix in matrices] + [matrices[-1].shape[-1]]
    return sides, [len(matrix) if matrix.dim() == 3 else 1 for matrix in matrices]


def _allowed(matrices):
    """Return 1.5 times the bytes of the cheapest order, plus 1,024 bytes, which matter only for small matrices."""
    return 1024 + 3 * matrices[0].element_size() * _cheapest(*_shapes_of(matrices))[1] // 2


def _in_cheapest_order(matrices):
    def multiply(order):
        return matrices[order] if isinstance(order, int) else multiply(order[0]) @ multiply(order[1])

    return multiply(_cheapest(*_shapes_of(matrices))[3])


def _chain(g, sides, samples):
    """Return matrices with these sides; a matrix with 1 sample has no batch axis, so all samples share it."""
    shapes = zip(samples, sides, sides[1:])
    return [normal(g, *(many,) * (many > 1), rows, columns, scale=rows**-0.5) for many, rows, columns in shapes]


def _inputs(size, generator):
    if size >= min(_COUNTED):
        units, samples = _COUNTED.get(size, _RACED)
        return (_chain(generator, [size * unit // 12 for unit in units], samples),)
    sides = [1 + (3 * k + size) % 4 for k in range(size + 1)]
    return (_chain(generator, sides, [2 if k % 3 == 1 else 1 for k in range(len(sides) - 1)]),)


def _cost(size):
    sides, samples = [size * side // 12 for side in _RACED[0]], _RACED[1]
    multiplications, _, products, _ = _cheapest(sides, samples)
    return Cost(
        reads=4 * sum(many * rows * columns for many, rows, columns in zip(samples, sides, sides[1:])),
        writes=4 * max(samples) * sides[0] * sides[-1],
        flops=2 * multiplications,
        launches=products,
    )


def _of(name, sides, samples):
    return Case(name, lambda g: (_chain(g, sides, samples),))


def from_left(matrices):
    """Return the product, computed from left to right."""
    product = matrices[0]
    for matrix in matrices[1:]:
        product = product @ matrix
    return product


def from_right(matrices):
    """Return the product, computed from right to left."""
    product = matrices[-1]
    for matrix in reversed(matrices[:-1]):
        product = matrix @ product
    return product


def _large_and_small(name, sides, samples, exponents=(-30, 20, 20)):
    """Return a case in which all products of the cheapest order and of the order from the left are finite.

    In a chain of three, the cheapest order starts from the left, and the product of the last two matrices is
    infinite. In chains of 7 to 13, these orders have an infinite product: from the right, the cheapest
    product next, the smallest result next, the first six matrices in their cheapest order until six or fewer are
    left, and the cheapest order without the samples. In the chain of seventeen, orders that multiply the first 2 to
    15 matrices before the others have an infinite product, too.
    """
    scales = [10.0**exponent for exponent in exponents]
    # Positive values: an infinite product stays +∞, so all wrong orders give the same result.
    return Case(name, lambda g: ([scale * each.abs() for scale, each in zip(scales, _chain(g, sides, samples))],))


TASK = Task(
    id="chain_product",
    title="The cheapest order of a chain",
    points=3,
    level=3,
    slow=chain_product_slow,
    reference=_in_cheapest_order,
    inputs=_inputs,
    dtypes={"matrices": FLOATING},
    edge_cases=(
        _of("a single matrix", [2, 3], [1]),
        _of("a single batched matrix", [2, 3], [4]),
        _of("two batched matrices", [2, 3, 2], [3, 3]),
        _of("no batched matrix", [2, 3, 1, 2], [1, 1, 1]),
        _of("as many samples as rows and columns", [3, 3, 3, 3], [1, 3, 1]),
        _of("a row at the start and a column at the end", [1, 4, 2, 1], [1, 2, 1]),
        _of("4,099 rows", [4099, 2, 3], [1, 1]),
        _of("sides of 4,099 inside and at the end", [3, 4099, 2, 4099], [1, 2, 1]),
        Case("the same matrix three times", lambda g: ([normal(g, 3, 3)] * 3,)),
        _large_and_small("very large and very small values", [5, 3, 7, 106], [1, 1, 1]),  # One multiplication fewer.
        _large_and_small("long rows, very large and very small values", [3, 5, 104, 7], [1, 1, 1]),
        _large_and_small("two samples, very small and very large values", [3, 9, 9, 9], [2, 1, 1]),
        _large_and_small("two samples in two matrices, very large and very small values", [3, 2, 3, 7], [2, 1, 2]),
        _large_and_small("5,000 samples, very large and very small values", [100, 51, 100, 1], [1, 1, 5000]),
        # In 32 bits, the multiplications of the other order overflow.
        _large_and_small("128 samples of long rows", [1, 4099, 1, 4099], [128, 1, 1], [-30, 25, 20]),
        _large_and_small("more than a billion multiplications", [800, 900, 800, 801], [1, 1, 1]),
        _large_and_small(
            "six matrices, very large and very small values",
            [1, 6, 9, 3, 4, 8, 4],
            [3, 1, 1, 3, 1, 1],
            [-30, 0, 15, 30, 15, 0],
        ),
        _large_and_small(
            "seven matrices, very large and very small values",
            [7, 3, 1, 2, 6, 3, 6, 2],
            [3, 3, 1, 1, 3, 1, 1],
            [-30, 15, -15, 15, 30, 15, -15],
        ),
        _large_and_small(
            "nine matrices, very large and very small values",
            [9, 4, 9, 5, 3, 3, 8, 4, 7, 6],
            [3, 3, 1, 1, 1, 3, 1, 3, 1],
            [-30, 30, 30, 0, -30, -15, 0, 15, 30],
        ),
        _large_and_small(
            "thirteen matrices, very large and very small values",
            [5, 9, 7, 2, 2, 2, 6, 3, 9, 3, 7, 2, 2, 1],
            [1, 1, 1, 1, 3, 3, 3, 1, 1, 1, 3, 1, 1],
            [-15, -15, 30, 0, 0, -15, 15, 0, -15, 15, 30, 0, -15],
        ),
        _large_and_small(
            "seventeen matrices, very large and very small values",
            [5, 1, 5, 5, 2, 8, 2, 8, 9, 5, 8, 6, 8, 5, 6, 7, 7, 6],
            [3, 1, 1, 1, 1, 1, 3, 1, 1, 1, 3, 1, 3, 3, 1, 1, 1],
            [0, -30, 30, -30, 30, -15, 30, 0, 15, -15, 15, -30, 0, -30, 0, 30, 15],
        ),
        Case("transposed matrices", lambda g: ([each.mT for each in reversed(_chain(g, [2, 3, 4], [1, 2]))],)),
    ),
    worst=(_of("twelve matrices of alternating sides", [1, 5] * 6 + [2], [1, 2, 1, 1] * 3),),
    count_sizes=(96, 192),
    race_size=384,
    story=prose(
        """
        How does each output of a network change with each of its inputs? The answer, the network's **Jacobian**, is the product of
        its layers' Jacobians. A linear layer's Jacobian is its weight, the same for all samples. A layer that isn't linear has
        one Jacobian per sample. Training multiplies from the end where the loss is a single value. If both ends are wide, the best order can
        start in the middle. Write `chain_product(matrices)`, which computes the product in the order that needs the fewest
        multiplications, as close to your machine's limit as possible.
        """
    ),
    rules=prose(
        """
        - `matrices` is a list of at least one matrix, each as wide as the next one is high. A matrix that all samples share has
        shape (rows, columns). A batched matrix has shape (samples, rows, columns), with the same number of samples, at least
        two, in all batched matrices. The result is batched if any of the matrices is.
        - If there is only one matrix, the result can be that matrix itself. All sides are at least 1. All matrices have
        one floating dtype, which the result has, too. All values are finite, including those of each product in the cheapest order.
        - A product of a p × q and a q × r matrix takes p · q · r multiplications, times the number of samples if at least
        one of them is batched. No simple rule finds the cheapest order. The check recognizes other orders by the memory that they
        allocate or by a product that overflows.
        - Plan in Python, from the shapes alone. Chains can have 17 matrices, which is too many to try all orders. The race has six
        matrices, 16 samples, and sides from 32 to 384; the limits are counted on chains of six and of eleven matrices.
        """
    ),
    limits=(
        at_most(60, "ops"),
        at_most(0, "syncs"),
        at_most(_allowed, "bytes", "1.5 times the bytes that the cheapest order allocates, plus 1,024 bytes"),
    ),
    may_alias=True,
    target=2.0,
    cost=_cost,
    ways={"left to right": from_left, "right to left": from_right},
    hints=items(
        """
        - Every order ends with one product: everything up to some position times everything after that position. What do you
          need to know about the two halves to choose the position?
        - The least work for the matrices from `first` to `last` is the minimum, over all positions, of a sum: the least work
          of the left half, plus the least work of the right half, plus the work of the last product. Write a function of `first` and `last`
          that calls itself, decorate it with `cache`, and return the best position, too.
        - `def plan(first, last): return (0, None) if first == last else min((plan(first, k)[0] + plan(k + 1, last)[0] +
          samples(first, last) * sides[first] * sides[k + 1] * sides[last + 1], k) for k in range(first, last))`, where `sides`
          holds all sides in order and `samples(first, last)` is the product's number of samples, or 1. Then multiply as
          planned, from the last product inward.
        """
    ),
    mistakes=(
        Mistake("This is the first matrix: multiply all of them.", lambda matrices: matrices[0]),
        Mistake(
            "A product is infinite, but all products of the cheapest order are finite, so this order needs more multiplications: "
            "count the multiplications of each order, times the number of samples.",
            from_right,
        ),
        Mistake(
            "The samples are summed: keep the batch axis.",
            lambda matrices: product.sum(0) if (product := from_left(matrices)).dim() == 3 else product,
        ),
    ),
    sources=("S1.7",),
)
