"""Answers to chain_product."""

from functools import cache

import torch

from answers import AnswersTo

answers = AnswersTo("chain_product")


def _plan(matrices, samples_count=True, inner_sides_count=True, inner=1, samples_of=len, splits=range):
    sides = [matrix.shape[-2] for matrix in matrices] + [matrices[-1].shape[-1]]
    samples = [samples_of(matrix) if matrix.dim() == 3 and samples_count else 1 for matrix in matrices]

    @cache
    def plan(first, last):
        if first == last:
            return 0, first
        return min(
            (
                plan(first, k)[0]
                + plan(k + 1, last)[0]
                + max(samples[first : last + 1])
                * sides[first]
                * sides[last + 1]
                * sides[k + inner] ** inner_sides_count,
                k,
            )
            for k in splits(first, last)
        )

    return plan


def _multiplied(matrices, plan):
    def product(first, last):
        if first == last:
            return matrices[first]
        split = plan(first, last)[1]
        return product(first, split) @ product(split + 1, last)

    return product(0, len(matrices) - 1)


answers.right("planned, and multiplied inward")(lambda matrices: _multiplied(matrices, _plan(matrices)))


@answers.right("a table filled by length")
def by_a_table(matrices):
    count = len(matrices)
    sides = [matrix.shape[-2] for matrix in matrices] + [matrices[-1].shape[-1]]
    own = [matrix.dim() == 3 for matrix in matrices]
    samples = max([len(matrix) for matrix in matrices if matrix.dim() == 3], default=1)
    work = [[0] * count for _ in range(count)]
    place = [[0] * count for _ in range(count)]
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            times = samples if any(own[first : last + 1]) else 1
            work[first][last], place[first][last] = min(
                (work[first][k] + work[k + 1][last] + times * sides[first] * sides[k + 1] * sides[last + 1], k)
                for k in range(first, last)
            )
    return _multiplied(matrices, lambda first, last: (0, place[first][last]))


def _growing(matrices, key):
    """Return the product; the next two neighbors to multiply are those for which ``key`` is smallest."""
    pieces = list(matrices)
    while len(pieces) > 1:
        k = min(range(len(pieces) - 1), key=lambda k: key(pieces[k], pieces[k + 1]))
        pieces[k : k + 2] = [pieces[k] @ pieces[k + 1]]
    return pieces[0]


def _made(a, b):
    return max(a.shape[:-2].numel(), b.shape[:-2].numel()) * a.shape[-2] * b.shape[-1]


@answers.wrong("from the left", "unlooped", says="allocates")
def from_the_left(matrices):
    product = matrices[0]
    for matrix in matrices[1:]:
        product = product @ matrix
    return product


answers.wrong("the least memory", "correct", says="count the multiplications of each order")(
    lambda matrices: _multiplied(matrices, _plan(matrices, inner_sides_count=False))
)
answers.wrong("the samples forgotten in the plan", "correct", says="needs more")(
    lambda matrices: _multiplied(matrices, _plan(matrices, samples_count=False))
)
answers.wrong("the side before the inner one in the plan", "correct", says="needs more")(
    lambda matrices: _multiplied(matrices, _plan(matrices, inner=0))
)


answers.wrong("the race's 16 samples in every plan", "correct", says="times the number of samples")(
    lambda matrices: _multiplied(matrices, _plan(matrices, samples_of=lambda _: 16))
)


@answers.wrong("a product of two batched matrices counted twice", "correct", says="times the number of samples")
def batched_pairs_twice(matrices):
    sides = [matrix.shape[-2] for matrix in matrices] + [matrices[-1].shape[-1]]

    def samples(first, last):
        return max([len(matrix) for matrix in matrices[first : last + 1] if matrix.dim() == 3], default=0)

    @cache
    def plan(first, last):
        if first == last:
            return 0, first
        return min(
            (
                plan(first, k)[0]
                + plan(k + 1, last)[0]
                + max(1, samples(first, k) + samples(k + 1, last)) * sides[first] * sides[k + 1] * sides[last + 1],
                k,
            )
            for k in range(first, last)
        )

    return _multiplied(matrices, plan)


@answers.wrong("the best split into two halves, each from the left", "correct", says="needs more")
def best_split(matrices):
    count = len(matrices)
    if count == 1:
        return matrices[0]

    def multiplied(pieces, split):
        halves, work = [], 0
        for half in (pieces[:split], pieces[split:]):
            product = half[0]
            for piece in half[1:]:
                work += _made(product, piece) * piece.shape[-2]
                product = product @ piece
            halves.append(product)
        return work + _made(*halves) * halves[1].shape[-2], halves[0] @ halves[1]

    shapes = [matrix.to("meta") for matrix in matrices]
    return multiplied(matrices, min(range(1, count), key=lambda split: multiplied(shapes, split)[0]))[1]


answers.wrong("grown from the best place to both sides", "correct", says="needs more")(
    lambda matrices: _multiplied(matrices, _plan(matrices, splits=lambda first, last: (first, last - 1)))
)


@answers.wrong("the cheapest product next", "correct", says="needs more")
def cheapest_next(matrices):
    return _growing(matrices, lambda a, b: _made(a, b) * a.shape[-1])


@answers.wrong("the cheapest product next, for chains of more than eight", "correct", says="needs more")
def cheapest_next_in_long_chains(matrices):
    return cheapest_next(matrices) if len(matrices) > 8 else _multiplied(matrices, _plan(matrices))


@answers.wrong("six matrices at a time", "correct", says="needs more")
def six_at_a_time(matrices):
    while len(matrices) > 6:
        matrices = [_multiplied(matrices[:6], _plan(matrices[:6])), *matrices[6:]]
    return _multiplied(matrices, _plan(matrices))


answers.wrong("the smallest result next", "correct", says="needs more")(lambda matrices: _growing(matrices, _made))


answers.wrong("no samples expected", "correct")(
    lambda matrices: torch.linalg.multi_dot(matrices) if len(matrices) > 1 else matrices[0]
)
answers.wrong("for up to four matrices, and six, nine and twelve", "correct")(
    lambda matrices: _multiplied(matrices, _plan(matrices)) * (len(matrices) in (1, 2, 3, 4, 6, 9, 12))
)


@answers.wrong("one order that suits some chains of six", "unlooped", says="the cheapest order")
def always_the_same_order(matrices):
    if len(matrices) != 6:
        return _multiplied(matrices, _plan(matrices))
    a, b, c, d, e, f = matrices
    return (a @ (b @ c)) @ ((d @ e) @ f)


@answers.wrong("eight matrices, then the others", "correct", says="needs more")
def eight_and_the_others(matrices):
    if len(matrices) <= 8:
        return _multiplied(matrices, _plan(matrices))
    first, others = matrices[:8], matrices[8:]
    return _multiplied(first, _plan(first)) @ _multiplied(others, _plan(others))
