"""Rows of weights as int8 values and one scale per row.

The inputs stay away from the middle between two int8 values, so that every correct formula rounds the same way.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous, uniform


def quantize_rows_slow(x):
    """Return int8 values and one scale per row: value times scale is within half a scale of x."""
    values = torch.zeros(x.shape, dtype=torch.int8, device=x.device)
    scales = torch.zeros(len(x), dtype=x.dtype, device=x.device)
    for i in range(len(x)):
        largest = x[i].abs().max()
        if largest > 0:
            scales[i] = largest / 127
            values[i] = (x[i] / scales[i]).round().to(torch.int8)
    return values, scales


COLUMNS, RACE_SIZE = 64, 512


def _weights(generator, rows, columns, dtype=torch.float32, low=-126):
    """Return rows whose largest magnitude has a random position and sign; no value is near the middle of two int8 values."""
    steps = integers(generator, low, 127, rows, columns).double() + uniform(
        generator, -0.49, 0.49, rows, columns, dtype=torch.float64
    )
    places = integers(generator, 0, columns, rows)
    signs = 2 * integers(generator, 0, 2, rows) - 1
    steps[torch.arange(rows), places] = 127.0 * signs.double()
    return ((steps * uniform(generator, 0.001, 1, rows, 1, dtype=torch.float64)).to(dtype),)


def _sizes(size):
    return (RACE_SIZE, COLUMNS) if size == RACE_SIZE else (size, size + 1)


def _with_zeros(generator):
    (x,) = _weights(generator, 4, 5)
    x[1] = 0
    return (x,)


def _outlier(generator):
    (x,) = _weights(generator, 3, 100)
    x[:, 40] = 1e6
    return (x,)


def _small_and_large(generator):
    """Return a row whose scale is near the smallest float32 with all digits, one of ordinary weights, and one whose
    weights are near the largest float32.
    """
    (x,) = _weights(generator, 3, 5)
    return (x / x.abs().amax(1, keepdim=True) * torch.tensor([[2.5e-36], [1.0], [3e38]]),)


def _increasing(generator):
    (x,) = _weights(generator, 2, 5000)
    return (x.gather(1, x.abs().argsort(1)),)


def _beyond_float32(generator):
    (x,) = _weights(generator, 2, 5, torch.float64)
    return (x / x.abs().amax(1, keepdim=True) * torch.tensor([[1e300], [1e308]], dtype=torch.float64),)


def _rows(x, largest, levels=127, rounded=torch.round):
    scales = largest / levels
    steps = x / torch.where(scales > 0, scales, 1)[:, None]
    return rounded(steps).to(torch.int8), scales


TASK = Task(
    id="quantize_rows",
    title="Weights in eight bits",
    points=3,
    level=2,
    slow=quantize_rows_slow,
    reference=lambda x: _rows(x, x.abs().amax(1)),
    inputs=lambda size, generator: _weights(generator, *_sizes(size)),
    tolerance=4e-6,
    bounded=("x",),  # Small integers may be in the middle between two int8 values, where formulas round differently.
    of_each_value=True,
    edge_cases=(
        Case("a matrix without rows", lambda g: _weights(g, 0, 4)),
        Case("a single column", lambda g: _weights(g, 3, 1)),
        Case("a row of zeros", _with_zeros),
        Case(
            "a negative value with the largest magnitude",
            lambda _: (torch.tensor([[-254.0, 20.4, 3.2], [1.0, -127.0, 5.2]]),),
        ),
        Case("rows of very small, ordinary and very large weights", _small_and_large),
        Case("float64 values", lambda g: _weights(g, 4, 4, torch.float64)),
        Case("5,000 columns, the last of which has the largest magnitude", _increasing),
        Case("5,000 rows", lambda g: _weights(g, 5000, 2)),
        Case("float64 weights beyond float32", _beyond_float32),
        Case("a transposed matrix", lambda g: (_weights(g, 3, 5)[0].T.contiguous().T,)),
        Case("every second column of a wider matrix", lambda g: (noncontiguous(_weights(g, 4, 6)[0]),)),
    ),
    worst=(Case("an outlier that leaves only 0 for the other weights of its row", _outlier),),
    count_sizes=(8, 64),
    race_size=RACE_SIZE,
    story=prose(
        """
        A language model runs on a laptop. For each word that it writes, it reads its weights from memory. So the
        weights are stored in eight bits: each row of a weight matrix becomes int8 values and one scale, and a value times
        its scale is nearly the weight. Write `quantize_rows(x)`, which returns `(values, scales)`, without a loop over the
        rows.
        """
    ),
    rules=prose(
        """
        - `x` is a matrix of float32 or float64 with at least one column, all finite; it may have no rows. The largest
          magnitude of a row is 0 or at least 2e-36. `values` is int8 and has the shape of `x`; `scales` has one value
          per row, in the dtype of `x`. Both are on `x`'s device. `x` is not modified.
        - A row's scale is its largest magnitude divided by 127, so the values are from −127 to 127. Each weight becomes
          the nearest value, so its error is at most half a scale. A row of zeros has scale 0 and values 0.
        """
    ),
    limits=(at_most(14, "ops"), at_most(0, "syncs")),
    target=5.0,
    cost=lambda size: Cost(reads=4 * COLUMNS * size, writes=(COLUMNS + 4) * size),
    ways={"all rows at once": lambda x: _rows(x, x.abs().amax(1))},
    hints=items(
        """
        - Which number maps a row's largest magnitude to 127? One reduction finds the largest magnitudes of all rows.
        - `x.abs().amax(1)` has the largest magnitudes. `.to(torch.int8)` truncates, so round before you convert.
        - A scale of 0 divides 0 by 0. Divide `x` by `torch.where(scales > 0, scales, 1)[:, None]`: then the values of
          such a row are 0.
        """
    ),
    mistakes=(
        Mistake(
            "The values are truncated toward 0: round before you convert to int8.",
            lambda x: _rows(x, x.abs().amax(1), rounded=torch.trunc),
        ),
        Mistake(
            "The scale is the largest magnitude divided by 128: divide by 127, because int8 has no 128.",
            lambda x: _rows(x, x.abs().amax(1), levels=128),
        ),
        Mistake(
            "The whole matrix has one scale here: give each row its own.",
            lambda x: _rows(x, x.abs().max().repeat(len(x))),
        ),
        Mistake(
            "The scale comes from the row's largest value: take the largest magnitude, because values can be negative.",
            lambda x: _rows(x, x.amax(1)),
        ),
        Mistake(
            "The scales are inverted: a value times its scale should be nearly the weight.",
            lambda x: (_rows(x, x.abs().amax(1))[0], 127 / x.abs().amax(1)),
        ),
    ),
    sources=("S2.7",),
)
