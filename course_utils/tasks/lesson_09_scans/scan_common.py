"""Sizes, limits, edge cases and reference scans that the exercises of lesson 09 share.

The operation limit leaves room for every kind of scan (doubling and pair scans included) and for no loop over rows.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.torch_cases import random_case
from course_utils.tasks.torch_inputs import normal

COUNT_SIZES = (64, 1024)
MAX_OPS = 400  # A pair scan over 1,024 rows takes about 300 operations, a loop thousands.
RACE_SIZE = 4096


def column_count(rows):
    """Return the number of columns for that many rows.

    Few columns at the sizes that messages print; many at the smaller counted size, so that a loop over columns shows in the
    counts.
    """
    return 2 if rows <= 17 else 512 if rows == min(COUNT_SIZES) else 8


def copy_cost(rows):
    """Return the minimum cost of a scan of one matrix: read each value once, write each result once."""
    return Cost(reads=4 * rows * column_count(rows), writes=4 * rows * column_count(rows))


def linear_bytes(x, *rest):
    """Return a byte limit of a few dozen copies of ``x``; a table of all pairs of rows exceeds it by far."""
    return 64 * x.numel() * x.element_size() + 2**20


def shape_cases(rest=()):
    """Return edge cases of shape for a scan along the rows; ``rest`` holds the other arguments."""
    return (
        random_case("no rows", (0, 3), rest=rest),
        random_case("no rows, in three dimensions", (0, 2, 3), rest=rest),
        random_case("no columns", (4, 0), rest=rest),
        random_case("no rows, without columns", (0,), rest=rest),
        random_case("one row", (1, 3), rest=rest),
        random_case("5,000 columns", (2, 5000), rest=rest),
        random_case("a single series without columns", (6,), rest=rest),
        random_case("four dimensions, the last of size 1", (3, 3, 3, 1), rest=rest),
    )


def large_value_first(generator, rows=16_385):
    """Return one column of rows, of which the first matters in all others; by default one row more than a power of two."""
    x = normal(generator, rows, 1)
    x[0] = 1000
    return x


def pair_scan(combine, parts):
    """Return for each row ``combine`` of that row and all rows before it, as a list of tensors: the lesson's pair scan.

    ``combine(earlier, later)`` takes and returns lists of tensors like ``parts``. With rows a to e, the scan of the pairs ab
    and cd gives the odd rows ab and abcd, and one more combination of these with c and e gives the even rows abc and abcde.
    """
    n = len(parts[0])
    if n < 2:
        return parts
    neighbors = combine([part[:-1:2] for part in parts], [part[1::2] for part in parts])
    odd = pair_scan(combine, neighbors)
    even = combine([part[: (n - 1) // 2] for part in odd], [part[2::2] for part in parts])
    results = [torch.empty_like(part) for part in parts]
    for result, part, at_odd, at_even in zip(results, parts, odd, even):
        result[0], result[1::2], result[2::2] = part[0], at_odd, at_even
    return results


def doubling_scan(combine, parts):
    """Return the same as ``pair_scan``, by doubling: each round over all rows reaches twice as far back as the round
    before.

    With 8 rows, the rounds combine each row with the row 1 back, then 2 back, then 4 back.
    """
    k = 1
    while k < len(parts[0]):
        later = combine([part[:-k] for part in parts], [part[k:] for part in parts])
        parts = [torch.cat([part[:k], rest]) for part, rest in zip(parts, later)]
        k *= 2
    return parts
