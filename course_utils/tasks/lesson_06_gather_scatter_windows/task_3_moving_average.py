"""The means of wide sliding windows, exact for large values; a float32 running sum of such values loses digits.

The slow loop keeps a running total in Python's float64, so its time doesn't grow with the width.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import every_second_column, float64, random_case, transposed_case
from course_utils.tasks.torch_inputs import normal


def moving_average_slow(x, width):
    """Return the mean of each window of width consecutive rows of x, shape (n - width + 1, columns)."""
    result = torch.empty(len(x) - width + 1, x.shape[1], dtype=x.dtype, device=x.device)
    for column in range(x.shape[1]):
        readings = x[:, column].tolist()
        total = sum(readings[:width])
        means = [total / width]
        for i in range(width, len(readings)):
            total += readings[i] - readings[i - width]
            means.append(total / width)
        result[:, column] = torch.tensor(means, dtype=x.dtype)
    return result


_COLUMNS = 4


def _width(size):
    return size // 4 + 1


def _inputs(size, generator):
    # At the larger counted size, a loop over the columns of x exceeds the limit on operations.
    return normal(generator, size, 48 if size == 256 else _COLUMNS), _width(size)


def _air_pressure(generator):
    """Return pascals: small changes around 100,000. The rounding error of a running sum grows with the number of rows."""
    return 101_325 + 50 * normal(generator, 3000, 1), 4


def _two_levels(generator, rows=2000, width=4):
    """Return readings far above their mean, then far below it: their distances from it have large running sums, too."""
    return torch.cat([200_000 + normal(generator, rows, 2), 1_000 + normal(generator, rows, 2)]), width


def _from_running_sums(x, width):
    sums = torch.cat([torch.zeros_like(x[:1]), x.cumsum(0)])
    return (sums[width:] - sums[:-width]) / width


def _by_unfold(x, width):
    return x.unfold(0, width, 1).mean(2)


def _window_sums(x, width):
    if width == 1:
        return x
    half = _window_sums(x, width // 2)
    sums = half[: -(width // 2)] + half[width // 2 :]
    return sums if width % 2 == 0 else sums[:-1] + x[width - 1 :]


def _by_doubling(x, width):
    return _window_sums(x, width) / width


TASK = Task(
    id="moving_average",
    title="A moving average",
    points=2,
    level=1,
    slow=moving_average_slow,
    inputs=_inputs,
    edge_cases=(
        random_case("windows of one row", (5, 3), rest=(1,)),
        random_case("one window with all rows", (5, 3), rest=(5,)),
        random_case("windows of an odd number of rows", (12, 2), rest=(7,)),
        random_case("as many rows as columns, and windows as wide", (3, 3), rest=(3,)),
        transposed_case(6, 3, rest=(2,)),
        every_second_column(6, 3, rest=(4,)),
        random_case("4,099 stations", (3, 4099), rest=(2,)),
        float64((9, 2), rest=(4,)),
    ),
    worst=(
        Case("3,000 readings of air pressure, with a large mean", _air_pressure),
        Case("2,000 high readings, then 2,000 low ones", _two_levels),
        # The wider the windows, the more readings it takes until the lost digits show.
        Case("30,000 high readings, then 30,000 low ones, in wide windows", lambda g: _two_levels(g, 30_000, 257)),
        Case("float64 values with a large mean", lambda g: (1e8 + normal(g, 40, 2, dtype=torch.float64), 7)),
    ),
    count_sizes=(8, 256),
    race_size=32_768,
    story=prose(
        """
        Weather stations report the air pressure in pascals every minute, and single readings are noisy. Write
        `moving_average(x, width)`, which smooths them: for each station, it returns the means of all windows of `width`
        consecutive readings. Windows are wide: in the race, each one has 8,193 readings, almost six days.
        """
    ),
    rules=prose(
        """
        - `x` has shape (n, stations) and holds finite float32 or float64 values. Even the sum of all magnitudes fits that dtype.
        `width` is from 1 to n. The result is a new tensor of shape (n − width + 1, stations) in the dtype of `x`.
        - The pressure is about 101,325 with small changes, or has two very different levels: the result must be as exact as
        the loop's, even after thousands of readings. A float32 sum that adds one reading after the other loses digits, and
        with two levels even after a mean was subtracted.
        - A copy of all windows needs more than the 2 GB that an exercise may take.
        """
    ),
    limits=(at_most(40, "ops"), at_most(0, "syncs")),
    target=4.0,
    cost=lambda size: Cost(
        reads=4 * _COLUMNS * size,
        writes=4 * _COLUMNS * (size - _width(size) + 1),
    ),
    ways={"unfold": _by_unfold, "doubling": _by_doubling},
    hints=items(
        """
        - The lesson shows several versions for the means of windows of a vector. Here each column is a vector. How does the work of
          each version grow with the width?
        - `unfold`, pooling and a convolution add all `width` readings of each window. Doubling adds log₂(width) times. The loop
          keeps a running total in float64. `cumsum` of float32 values returns float32 totals, which lose digits.
        - Use the lesson's `window_sums`, which works along the first axis and so handles all columns at once, and
          divide by `width`. Or take running sums in float64 and convert the means back to the dtype of `x`.
        """
    ),
    mistakes=(
        Mistake(
            "Differences of running sums lost digits, because the running sum is much larger than a window's sum: compute the "
            "running sum in a wider dtype.",
            _from_running_sums,
        ),
        Mistake("These are the sums of the windows: divide by `width`.", lambda x, width: x.unfold(0, width, 1).sum(2)),
        Mistake(
            "The windows don't overlap: advance them by 1.",
            lambda x, width: x.unfold(0, width, width).mean(2),
        ),
        Mistake(
            "The last window is missing: there are n − width + 1 windows.",
            lambda x, width: x.unfold(0, width, 1).mean(2)[:-1],
        ),
    ),
)
