"""What the exercises of lesson 09 share: sizes and limits of a scan along the rows, cases of shape and memory, two scans.

The limit on operations leaves room for every kind of scan, doubling and pairing included, and for no loop over rows.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.torch_cases import every_second_column, float64, random_case, transposed_case

COUNT_SIZES = (64, 1024)
MAX_OPS = 400  # a scan of pairs over 1,024 rows takes about 300, the loop thousands
RACE_SIZE = 4096


def columns(rows):
    """Few where values are shown; where few rows are counted so many that a loop over the columns is seen, too."""
    return 2 if rows <= 17 else 512 if rows == min(COUNT_SIZES) else 8


def once_each(rows):
    """The least that any answer must do: read each number of one matrix, and write each of its result."""
    return Cost(reads=4 * rows * columns(rows), writes=4 * rows * columns(rows))


def in_proportion(x, *rest):
    """Bytes for a few dozen copies of ``x``; a table of all pairs of rows is far beyond."""
    return 64 * x.numel() * x.element_size() + 2**20


def shapes(rest=()):
    """The cases of shape and memory that tasks along the rows share; ``rest`` are the arguments after the tensor."""
    return (
        random_case("no rows", (0, 3), rest=rest),
        random_case("no columns", (4, 0), rest=rest),
        random_case("one row", (1, 3), rest=rest),
        random_case("a single series, without columns", (6,), rest=rest),
        random_case("three dimensions", (5, 2, 3), rest=rest),
        transposed_case(5, 3, rest=rest),
        every_second_column(5, 2, rest=rest),
        float64((6, 2), rest=rest),
    )


def scan(combine, parts):
    """The lesson's scan by pairs: for each row what ``combine`` makes of it and all rows before, as a list of tensors."""
    n = len(parts[0])
    if n < 2:
        return parts
    neighbours = combine([part[:-1:2] for part in parts], [part[1::2] for part in parts])
    odd = scan(combine, neighbours)
    even = combine([part[: (n - 1) // 2] for part in odd], [part[2::2] for part in parts])
    results = [torch.empty_like(part) for part in parts]
    for result, part, at_odd, at_even in zip(results, parts, odd, even):
        result[0], result[1::2], result[2::2] = part[0], at_odd, at_even
    return results


def doubling(combine, parts):
    """The same scan by rounds over all rows, each of which reaches twice as far back as the one before."""
    k = 1
    while k < len(parts[0]):
        later = combine([part[:-k] for part in parts], [part[k:] for part in parts])
        parts = [torch.cat([part[:k], rest]) for part, rest in zip(parts, later)]
        k *= 2
    return parts
