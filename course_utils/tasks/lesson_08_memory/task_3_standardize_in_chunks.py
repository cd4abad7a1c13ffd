"""Each column less its mean and over its spread, for a table that is read a few rows at a time.

Its numbers lie near 100,000 and differ by about one: a float32 holds them, but neither their sums nor their squares.
"""

from __future__ import annotations

import math

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.lesson_08_memory.stored_table import StoredTable
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose

_COLUMNS, _CHUNKS, _FAR = 4, 24, 100_000.0


def standardize_in_chunks_slow(x, chunk):
    """(x − mean) / std of each column of x, of which chunk rows are read at a time; 0 where a column does not vary."""
    rows, columns = x.shape
    means, stds = [], []
    for j in range(columns):
        total = 0.0
        for start in range(0, rows, chunk):
            total += math.fsum(x[start : start + chunk][:, j].tolist())
        means.append(total / rows)
    for j in range(columns):
        total = 0.0
        for start in range(0, rows, chunk):
            total += math.fsum((value - means[j]) ** 2 for value in x[start : start + chunk][:, j].tolist())
        stds.append(math.sqrt(total / rows))
    result = torch.empty(rows, columns, dtype=x.dtype, device=x.device)
    for start in range(0, rows, chunk):
        part = [
            [(value - mean) / std if std else 0.0 for value, mean, std in zip(row, means, stds)]
            for row in x[start : start + chunk].tolist()
        ]
        result[start : start + chunk] = torch.tensor(part, dtype=x.dtype)
    return result


def _in_float64(x, chunk):
    parts = lambda: (x[start : start + chunk] for start in range(0, len(x), chunk))
    mean = sum(part.sum(0, dtype=torch.float64) for part in parts()) / len(x)
    std = (sum((part - mean).square().sum(0) for part in parts()) / len(x)).sqrt()
    result = torch.empty(x.shape, dtype=x.dtype)
    for part, place in zip(parts(), result.split(chunk)):
        place.copy_((part - mean).div_(std))
    return result


def _whole(x, chunk):
    """All rows in one tensor of double precision, for the mistakes below."""
    return torch.cat([x[start : start + chunk].double() for start in range(0, len(x), chunk)])


def _mean_of_means(x, chunk):
    values = _whole(x, chunk)
    mean = torch.stack([part.mean(0) for part in values.split(chunk)]).mean(0)
    return ((values - mean) / (values - mean).square().mean(0).sqrt()).to(x.dtype)


def _each_chunk_alone(x, chunk):
    parts = _whole(x, chunk).split(chunk)
    return torch.cat([(part - part.mean(0)) / part.std(0, correction=0) for part in parts]).to(x.dtype)


def _divided_by_one_less(x, chunk):
    values = _whole(x, chunk)
    return ((values - values.mean(0)) / values.std(0)).to(x.dtype)


def _by_variance(x, chunk):
    values = _whole(x, chunk)
    return ((values - values.mean(0)) / values.var(0, correction=0)).to(x.dtype)


def _not_scaled(x, chunk):
    values = _whole(x, chunk)
    return (values - values.mean(0)).to(x.dtype)


def _flat_column_is_nan(x, chunk):
    values = _whole(x, chunk)
    return ((values - values.mean(0)) / values.std(0, correction=0)).to(x.dtype)


def _table(generator, rows, chunk, columns=_COLUMNS, far=_FAR, dtype=torch.float32):
    return StoredTable(normal(generator, rows, columns, dtype=torch.float64).add(far).to(dtype), chunk), chunk


def _with_a_flat_column(generator):
    rows = normal(generator, 7, 3)
    rows[:, 1] = 7.0
    return StoredTable(rows, 2), 2


def _most(x, chunk):
    """The result, and a dozen chunks of float32 for what is in the making."""
    return 4 * x.shape[0] * x.shape[1] + 12 * 4 * chunk * x.shape[1] + 2048


TASK = Task(
    id="standardize_in_chunks",
    title="Standardized, a few rows at a time",
    points=3,
    level=2,
    slow=standardize_in_chunks_slow,
    # The last chunk is shorter.
    inputs=lambda size, generator: _table(generator, _CHUNKS * (size + 1) - 1, size + 1),
    edge_cases=(
        Case("all rows in one chunk", lambda g: _table(g, 5, 5)),
        Case("chunks larger than the table", lambda g: _table(g, 3, 8)),
        Case("chunks of one row", lambda g: _table(g, 4, 1)),
        Case("a last chunk of one row", lambda g: _table(g, 7, 3)),
        Case("a single column", lambda g: _table(g, 9, 4, columns=1)),
        Case("a column that does not vary", _with_a_flat_column),
        Case("float64 values", lambda g: _table(g, 7, 3, far=0.0, dtype=torch.float64)),
    ),
    sizes=(1, 2, 7),
    count_sizes=(8, 96),
    race_size=320,
    tolerance=1e-3,
    story=prose(
        """
        Years of air pressure from weather stations, in pascal, lie in a file that is larger than the memory: numbers near
        100,000 that differ by little. Before a model is trained on them, each column is to have the mean 0 and the standard
        deviation 1. Write `standardize_in_chunks(x, chunk)`, which reads at most `chunk` rows at a time.
        """
    ),
    rules=prose(
        """
        - `x` is a table of (rows, columns), at least one of each. `x[start : start + chunk]` reads rows into a tensor of their own,
        and a slice of more than `chunk` rows is refused; beside that, `x` has `x.shape`, `x.dtype` and `len(x)`.
        - The result is a tensor of the same shape and dtype: each value less its column's mean, divided by the column's standard
        deviation (the root of the mean squared distance from the mean). A column that does not vary becomes 0.
        - One way through the table for each statistic, and one for the result. Exact: three digits of what comes out must be
        right. The numbers are large and differ by little. A sum in float32 has no digits left for the difference, and neither
        has the mean of the squares less the square of the mean.
        - At no time may more be alive than the result and a dozen chunks. At most 800 tensor operations for 24 chunks.
        """
    ),
    limits=(
        at_most(800, "ops"),
        at_most(_most, "peak bytes", "the bytes of the result, of 12 chunks in float32, and 2,048 bytes"),
        at_most(0, "syncs"),
    ),
    target=3.0,
    ways={"sums in float64": _in_float64},
    hints=items(
        """
        - Three loops over the chunks: one adds up for the mean, one adds up the squares of `part - mean` for the standard
          deviation, one writes. Where does the result go, so that it is not in memory twice?
        - float32 has about seven digits, and the sum of many large numbers needs more: add up in float64
          (`part.sum(0, dtype=torch.float64)`), and let the mean stay float64 until it is subtracted. (Or subtract the first row
          from everything: what is left is small.) Fill a `torch.empty(x.shape, dtype=x.dtype)` chunk by chunk.
        - mean = total / len(x); then squares += (part - mean).square().sum(0), which float64 mean makes float64; then
          result[start : start + chunk] = (part - mean) / std, where std is 1 in place of 0:
          std.masked_fill_(std == 0, 1).
        """
    ),
    mistakes=(
        Mistake(
            "This is the mean of the chunks' means, and the last chunk is shorter: add up all rows, then divide.",
            _mean_of_means,
        ),
        Mistake(
            "Each chunk got a mean and a deviation of its own: those of the whole column are wanted.", _each_chunk_alone
        ),
        Mistake("The squares are divided by one row less: divide by the number of rows.", _divided_by_one_less),
        Mistake("This is divided by the variance: its root is wanted.", _by_variance),
        Mistake("This lacks the division by the standard deviation.", _not_scaled),
        Mistake(
            "A column that does not vary is divided by 0, which gives NaN: put 1 in the place of a deviation of 0.",
            _flat_column_is_nan,
        ),
    ),
)
