"""Answers to bytes_sent."""

from math import prod

import numpy as np

from answers import AnswersTo

answers = AnswersTo("bytes_sent")


@answers.right("with prod")
def with_prod(shapes, workers):
    return 2 * (workers - 1) / workers * 4 * sum(map(prod, shapes))


@answers.wrong("lengths added instead of multiplied", "correct")
def the_lengths_added(shapes, workers):
    return 2 * (workers - 1) / workers * 4 * sum(map(sum, shapes))


@answers.wrong("32-bit integers", "correct", says="more than 32 bits can count")
def in_32_bits(shapes, workers):
    with np.errstate(over="ignore"):
        values = np.int32(0)
        for shape in shapes:
            values += np.prod(shape, dtype=np.int32)
        return float(np.int32(8 * (workers - 1)) * values) / workers


answers.wrong("32-bit numbers of values", "correct", says="2.5 billion values")(
    lambda shapes, workers: 8 * (workers - 1) * sum(int(np.prod(shape, dtype=np.int32)) for shape in shapes) / workers
)


@answers.wrong("the first two lengths of each shape", "correct", says="the weights of a convolution")
def two_lengths(shapes, workers):
    return 8 * sum(prod(shape[:2]) for shape in shapes) * (workers - 1) / workers


answers.wrong("the first four lengths of each shape", "correct", says="three dimensions")(
    lambda shapes, workers: with_prod([shape[:4] for shape in shapes], workers)
)

answers.wrong("a length of 0 counts as 1", "correct", says="without values")(
    lambda shapes, workers: with_prod([[max(1, length) for length in shape] for shape in shapes], workers)
)

answers.wrong("equal shapes once", "correct")(lambda shapes, workers: with_prod({*shapes}, workers))

answers.wrong("at most 8 workers", "correct", says="120,000 workers")(
    lambda shapes, workers: with_prod(shapes, min(workers, 8))
)

answers.wrong("an error without parameters", "correct", says="no parameters")(
    lambda shapes, workers: 8 * (workers - 1) / workers * (prod(shapes[0]) + sum(map(prod, shapes[1:])))
)
