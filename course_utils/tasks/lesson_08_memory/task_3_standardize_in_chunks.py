"""Each column minus its mean, divided by its standard deviation, for a table that is read a few rows at a time.

The values are near 100,000 and differ by about one: float32 holds them, but not their sums or squares.
"""

from __future__ import annotations

import math

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_08_memory.stored_table import StoredTable
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal

_COLUMNS, _CHUNKS, _FAR = 4, 24, 100_000.0


def standardize_in_chunks_slow(x, chunk):
    """Return (x − mean) / std of each column of x, or 0 if the column is constant; read chunk rows at a time."""
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
    """Return all rows in one float64 tensor, for the mistakes below."""
    return torch.cat([x[start : start + chunk].double() for start in range(0, len(x), chunk)])


def _mean_of_means(x, chunk):
    values = _whole(x, chunk)
    mean = torch.stack([part.mean(0) for part in values.split(chunk)]).mean(0)
    return ((values - mean) / (values - mean).square().mean(0).sqrt()).to(x.dtype)


def _mean_of_variances(x, chunk):
    values = _whole(x, chunk)
    mean = torch.stack([part.mean(0) for part in values.split(chunk)]).mean(0)
    variance = torch.stack([(part - mean).square().mean(0) for part in values.split(chunk)]).mean(0)
    return ((values - mean) / variance.sqrt()).to(x.dtype)


def _without_last_chunk(x, chunk):
    """Return a result whose statistics leave out the rows after the last full chunk."""
    values = _whole(x, chunk)
    full = values[: len(x) // chunk * chunk]
    return ((values - full.mean(0)) / full.std(0, correction=0)).to(x.dtype)


def _per_chunk(x, chunk):
    parts = _whole(x, chunk).split(chunk)
    return torch.cat([(part - part.mean(0)) / part.std(0, correction=0) for part in parts]).to(x.dtype)


def _sample_deviation(x, chunk):
    values = _whole(x, chunk)
    return ((values - values.mean(0)) / values.std(0)).to(x.dtype)


def _by_variance(x, chunk):
    values = _whole(x, chunk)
    return ((values - values.mean(0)) / values.var(0, correction=0)).to(x.dtype)


def _without_division(x, chunk):
    values = _whole(x, chunk)
    return (values - values.mean(0)).to(x.dtype)


def _constant_column_is_nan(x, chunk):
    values = _whole(x, chunk)
    return ((values - values.mean(0)) / values.std(0, correction=0)).to(x.dtype)


def _table(generator, rows, chunk, columns=_COLUMNS, far=_FAR, dtype=torch.float32):
    return StoredTable(normal(generator, rows, columns, dtype=torch.float64).add(far).to(dtype), chunk), chunk


def _inputs(size, generator):
    # At the larger count size, a loop over the columns of each chunk exceeds the limit on operations.
    columns = 12 if 32 < size <= 96 else _COLUMNS
    return _table(generator, _CHUNKS * (size + 1) - 1, size + 1, columns)  # The last chunk is shorter.


def _with_a_constant_column(generator):
    rows = normal(generator, 23, 3)
    rows[:, 1] = 100_000.3  # Exact sums, divided once, give exactly this mean; a sum of rounded quotients doesn't.
    rows[:2, 2] = 7.0  # Only the first chunk of this column is constant.
    return StoredTable(rows, 2), 2


def _with_an_outlier(generator):
    rows = normal(generator, 599, 2) + _FAR
    rows[400, 1] += 5000
    return StoredTable(rows, 2), 2


def _far_at_both_ends(generator):
    """Return 20,491 rows; chunks of 2,049 leave one of them, the last, for the eleventh chunk."""
    rows = normal(generator, 20_491, 2) + _FAR
    rows[0, 0], rows[-1, 1] = 0.0, 0.0
    return StoredTable(rows, 2049), 2049


def _differing_in_the_last_bit(generator):
    # Near 100,000, float32 has steps of 1/128.
    last_bits = torch.from_numpy(generator.integers(0, 3, (40, 3))).float() / 128
    return StoredTable(_FAR + last_bits, 4), 4


def _hardly_varying(generator):
    return StoredTable(normal(generator, 40, 3, scale=1e-16), 4), 4


def _most(x, chunk):
    """Return the bytes of the result and of a dozen float32 chunks of temporary memory."""
    return 4 * x.shape[0] * x.shape[1] + 12 * 4 * chunk * x.shape[1] + 2048


TASK = Task(
    id="standardize_in_chunks",
    title="Standardize a table in chunks",
    points=3,
    level=2,
    slow=standardize_in_chunks_slow,
    inputs=_inputs,
    edge_cases=(
        Case("a single chunk", lambda g: _table(g, 5, 5)),
        Case("chunks larger than the table", lambda g: _table(g, 3, 8)),
        Case("chunks of one row", lambda g: _table(g, 4, 1)),
        Case("a last chunk of one row", lambda g: _table(g, 7, 3)),
        Case("a single row", lambda g: _table(g, 1, 3)),
        Case("two rows", lambda g: _table(g, 2, 1)),
        Case("a single column", lambda g: _table(g, 9, 4, columns=1)),
        Case("300 columns", lambda g: _table(g, 5, 2, columns=300)),
        Case("a constant column", _with_a_constant_column),
        Case("float64 values", lambda g: _table(g, 7, 3, far=0.0, dtype=torch.float64)),
    ),
    worst=(
        Case("values that differ in the last bit of float32", _differing_in_the_last_bit),
        Case("300 chunks, and a value far from the others", _with_an_outlier),
        Case("20,491 rows, of which the first and the last are far from the others", _far_at_both_ends),
        # Any constant added to the deviation, and any threshold for a constant column, would be too large here.
        Case("values that differ by about 1e-16", _hardly_varying),
    ),
    sizes=(1, 2, 7),
    count_sizes=(8, 96),
    race_size=320,
    tolerance=1e-3,
    story=prose(
        """
        A file holds air pressures from weather stations over many years, in pascals: values near 100,000 that differ
        only slightly. Before a model is trained on them, each column needs mean 0 and standard deviation 1. Memory has
        room for the result and a few chunks of the file. Write `standardize_in_chunks(x, chunk)`, which reads at most
        `chunk` rows at a time.
        """
    ),
    rules=prose(
        """
        - `x` is a table of shape (rows, columns), with at least one row and one column. `x[start : start + chunk]` reads rows into a new
          tensor, and a slice of more than `chunk` rows raises an error. `x` also has `x.shape`, `x.dtype`,
          `x.device` and `len(x)`.
        - The result is a tensor of the same shape, dtype and device: each value minus its column's mean, divided by the
          column's standard deviation (the square root of the mean squared distance from the mean). A constant column
          of float32 values becomes 0.
        - Three passes over the table are enough: one per statistic and one for the result. Three digits of the result must be correct, and
          twelve if it is float64. The values are large and nearly equal, so a float32 sum has no digits left for the
          differences. The mean of the squares minus the square of the mean has the same problem.
        - The counts use 24 chunks.
        """
    ),
    limits=(
        at_most(800, "ops"),
        at_most(_most, "peak bytes", "the bytes of the result and of 12 chunks in float32, plus 2,048 bytes"),
        at_most(0, "syncs"),
    ),
    target=3.0,
    ways={"float64 sums": _in_float64},
    hints=items(
        """
        - Use three loops over the chunks: one sums for the mean, one sums the squares of `part - mean` for the standard
          deviation, and one writes the result. How can the result avoid being in memory twice?
        - float32 has about seven digits, and the sum of many large values needs more: sum in float64 (`part.sum(0,
          dtype=torch.float64)`), and keep the mean in float64 until it is subtracted. (Or subtract the first row from
          everything, because the remainders are small.) Fill a `torch.empty(x.shape, dtype=x.dtype,
          device=x.device)` chunk by chunk.
        - With the sum in `total`, `mean = total / len(x)`; then `squares += (part - mean).square().sum(0)`, which is
          float64 because `mean` is; then `std = (squares / len(x)).sqrt()`, where `std.masked_fill_(std == 0, 1)`
          avoids a division by 0; then `result[start : start + chunk] = (part - mean) / std`.
        """
    ),
    mistakes=(
        Mistake(
            "The mean is the mean of the chunks' means, but the last chunk is shorter: sum all rows, then divide.",
            _mean_of_means,
        ),
        Mistake(
            "The mean and the variance are means over the chunks, but the last chunk is shorter: sum all rows, then divide.",
            _mean_of_variances,
        ),
        Mistake(
            "The rows after the last full chunk are missing from the mean and the deviation: include the last chunk, "
            "which is shorter.",
            _without_last_chunk,
        ),
        Mistake(
            "Each chunk was standardized with its own mean and deviation: use the values of the whole column.",
            _per_chunk,
        ),
        Mistake(
            "The squares are divided by the number of rows minus 1: divide by the number of rows.", _sample_deviation
        ),
        Mistake("The values are divided by the variance: divide by its square root.", _by_variance),
        Mistake("The division by the standard deviation is missing: divide by it.", _without_division),
        Mistake(
            "A constant column is divided by 0, which gives NaN: replace a deviation of 0 with 1.",
            _constant_column_is_nan,
        ),
    ),
)
