"""Answers to chain_product."""

from functools import cache

import torch

from answers import AnswersTo

answers = AnswersTo("chain_product")


def _plan(matrices, samples_count=True, of_inner=int, inner=1, samples_of=len, splits=range, total=int, last_axis=-1):
    sides = [matrix.shape[-2] for matrix in matrices] + [matrices[-1].shape[last_axis]]
    samples = [samples_of(matrix) if matrix.dim() == 3 and samples_count else 1 for matrix in matrices]

    @cache
    def plan(first, last):
        if first == last:
            return 0, first
        return min(
            (
                total(
                    plan(first, k)[0]
                    + plan(k + 1, last)[0]
                    + max(samples[first : last + 1]) * sides[first] * sides[last + 1] * of_inner(sides[k + inner])
                ),
                k,
            )
            for k in splits(first, last)
        )

    return plan


def _multiply_by_plan(matrices, plan):
    def product(first, last):
        if first == last:
            return matrices[first]
        split = plan(first, last)[1]
        return product(first, split) @ product(split + 1, last)

    return product(0, len(matrices) - 1)


answers.right("a recursive plan")(lambda matrices: _multiply_by_plan(matrices, _plan(matrices)))


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
    return _multiply_by_plan(matrices, lambda first, last: (0, place[first][last]))


def _multiply_greedily(matrices, key):
    """Return the product, made by always multiplying the two neighbors with the smallest ``key``."""
    pieces = list(matrices)
    while len(pieces) > 1:
        k = min(range(len(pieces) - 1), key=lambda k: key(pieces[k], pieces[k + 1]))
        pieces[k : k + 2] = [pieces[k] @ pieces[k + 1]]
    return pieces[0]


def _result_elements(a, b):
    return max(a.shape[:-2].numel(), b.shape[:-2].numel()) * a.shape[-2] * b.shape[-1]


@answers.wrong("from the left", "unlooped", says="allocates")
def from_the_left(matrices):
    product = matrices[0]
    for matrix in matrices[1:]:
        product = product @ matrix
    return product


answers.wrong("the least memory", "correct", says="count the multiplications of each order")(
    lambda matrices: _multiply_by_plan(matrices, _plan(matrices, of_inner=lambda _: 1))
)
answers.wrong("a plan without the number of samples", "correct", says="needs more")(
    lambda matrices: _multiply_by_plan(matrices, _plan(matrices, samples_count=False))
)
answers.wrong("a plan with the side before the inner one", "correct", says="needs more")(
    lambda matrices: _multiply_by_plan(matrices, _plan(matrices, inner=0))
)
answers.wrong("axis 1 as the last side, also of a batched matrix", "correct", says="two samples in two matrices")(
    lambda matrices: _multiply_by_plan(matrices, _plan(matrices, last_axis=1))
)


answers.wrong("the race's 16 samples in every plan", "correct", says="times the number of samples")(
    lambda matrices: _multiply_by_plan(matrices, _plan(matrices, samples_of=lambda _: 16))
)


answers.wrong("a billion as the largest number of multiplications", "correct", says="more than a billion")(
    lambda matrices: _multiply_by_plan(matrices, _plan(matrices, total=lambda work: min(work, 10**9)))
)
answers.wrong("additions counted, too", "correct", says="needs more")(
    lambda matrices: _multiply_by_plan(matrices, _plan(matrices, of_inner=lambda side: 2 * side - 1))
)
answers.wrong("multiplications counted in 32 bits", "correct", says="128 samples of long rows")(
    lambda matrices: _multiply_by_plan(matrices, _plan(matrices, total=lambda work: (work + 2**31) % 2**32 - 2**31))
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

    return _multiply_by_plan(matrices, plan)


@answers.wrong("the best split into two parts, each from the left", "correct", says="needs more")
def best_split(matrices):
    count = len(matrices)
    if count == 1:
        return matrices[0]

    def multiplied(pieces, split):
        halves, work = [], 0
        for half in (pieces[:split], pieces[split:]):
            product = half[0]
            for piece in half[1:]:
                work += _result_elements(product, piece) * piece.shape[-2]
                product = product @ piece
            halves.append(product)
        return work + _result_elements(*halves) * halves[1].shape[-2], halves[0] @ halves[1]

    shapes = [matrix.to("meta") for matrix in matrices]
    return multiplied(matrices, min(range(1, count), key=lambda split: multiplied(shapes, split)[0]))[1]


answers.wrong("one matrix at a time, on either side", "correct", says="needs more")(
    lambda matrices: _multiply_by_plan(matrices, _plan(matrices, splits=lambda first, last: (first, last - 1)))
)


@answers.wrong("the cheapest product first", "correct", says="needs more")
def cheapest_next(matrices):
    return _multiply_greedily(matrices, lambda a, b: _result_elements(a, b) * a.shape[-1])


@answers.wrong("the cheapest product first in chains of more than eight", "correct", says="needs more")
def cheapest_next_in_long_chains(matrices):
    return cheapest_next(matrices) if len(matrices) > 8 else _multiply_by_plan(matrices, _plan(matrices))


@answers.wrong("six matrices at a time", "correct", says="needs more")
def six_at_a_time(matrices):
    while len(matrices) > 6:
        matrices = [_multiply_by_plan(matrices[:6], _plan(matrices[:6])), *matrices[6:]]
    return _multiply_by_plan(matrices, _plan(matrices))


answers.wrong("the smallest result first", "correct", says="needs more")(
    lambda matrices: _multiply_greedily(matrices, _result_elements)
)


answers.wrong("matrices without a batch axis only", "correct")(
    lambda matrices: torch.linalg.multi_dot(matrices) if len(matrices) > 1 else matrices[0]
)
answers.wrong("zeros unless there are 1, 2, 3, 4, 6, 9 or 12 matrices", "correct")(
    lambda matrices: _multiply_by_plan(matrices, _plan(matrices)) * (len(matrices) in (1, 2, 3, 4, 6, 9, 12))
)


@answers.wrong("one fixed order for six matrices", "correct", says="needs more")
def always_the_same_order(matrices):
    if len(matrices) != 6:
        return _multiply_by_plan(matrices, _plan(matrices))
    a, b, c, d, e, f = matrices
    return (a @ (b @ c)) @ ((d @ e) @ f)


@answers.wrong("from the left if there are more than six matrices", "unlooped", says="the cheapest order")
def from_the_left_in_long_chains(matrices):
    return from_the_left(matrices) if len(matrices) > 6 else _multiply_by_plan(matrices, _plan(matrices))


@answers.wrong("the first eight matrices planned apart from the rest", "correct", says="needs more")
def eight_and_the_others(matrices):
    if len(matrices) <= 8:
        return _multiply_by_plan(matrices, _plan(matrices))
    first, others = matrices[:8], matrices[8:]
    return _multiply_by_plan(first, _plan(first)) @ _multiply_by_plan(others, _plan(others))
