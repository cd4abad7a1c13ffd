"""The mean of a sliding window, exact where the values are large: what a running sum rounds away, it never gives back."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import every_second_column, float64, random_case, transposed_case
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def moving_average_slow(x, width):
    """The mean of each width rows of x that follow one another, shape (n - width + 1, columns)."""
    count = len(x) - width + 1
    result = torch.empty(count, x.shape[1], dtype=x.dtype, device=x.device)
    for i in range(count):
        result[i] = x[i : i + width].mean(0)
    return result


_COLUMNS = 4


def _width(size):
    return min(size // 3 + 1, 24)


def _air_pressure(generator):
    """In pascals: hardly any change, on top of a hundred thousand. Long, for what a running sum rounds grows with it."""
    return 101_325 + 50 * normal(generator, 3000, 1), 4


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
    title="A mean that moves along",
    points=2,
    level=1,
    slow=moving_average_slow,
    inputs=lambda size, generator: (normal(generator, size, _COLUMNS), _width(size)),
    edge_cases=(
        Case("air pressure, whose mean is large", _air_pressure),
        random_case("windows of one row", (5, 3), rest=(1,)),
        random_case("one window that holds all rows", (5, 3), rest=(5,)),
        random_case("windows of an odd number of rows", (12, 2), rest=(7,)),
        random_case("as many rows as columns, and windows as wide", (3, 3), rest=(3,)),
        transposed_case(6, 3, rest=(2,)),
        every_second_column(6, 3, rest=(4,)),
        float64((9, 2), rest=(4,)),
    ),
    race_size=2048,
    story=prose(
        """
        Weather stations report the air pressure every minute, in pascals, and single readings jump. Write
        `moving_average(x, width)`, which smooths them: of each station the mean of every `width` readings that follow one another.
        """
    ),
    rules=prose(
        """
        - `x` has the shape (n, stations) and holds finite floating-point numbers; `width` is at least 1 and at most n. The result
        has the shape (n - width + 1, stations) and the dtype of `x`.
        - The pressure is about 101,325 and changes by a little: the result must be as exact as the loop's, also at the end of thousands
        of readings.
        - A few tensor operations, whatever n and `width` are. (A number that grows with log₂ of `width` is fine.)
        """
    ),
    limits=(at_most(40, "ops"), at_most(0, "syncs")),
    target=5.0,
    cost=lambda size: Cost(
        reads=4 * _COLUMNS * size,
        writes=4 * _COLUMNS * (size - _width(size) + 1),
    ),
    ways={"unfold": _by_unfold, "doubling": _by_doubling},
    hints=items(
        """
        - The lesson has ways to the mean of each window of a vector. Here each column is such a vector. Which of the ways work along
          the first axis without a change?
        - `x.unfold(0, width, 1)` has the shape (windows, stations, width). Differences of running sums are quick, and rounded.
        - `x.unfold(0, width, 1).mean(2)` is exact. So is the lesson's doubling; and running sums are if they are taken in float64 and
          the means brought back to the dtype of `x`.
        """
    ),
    mistakes=(
        Mistake(
            "These are differences of running sums, and the running sum is so large that the digits of the windows are rounded away: "
            "take it in a wider type, or add up each window by itself.",
            _from_running_sums,
        ),
        Mistake("These are the sums of the windows; divide by width.", lambda x, width: x.unfold(0, width, 1).sum(2)),
        Mistake(
            "The windows do not overlap: each begins where the one before ends; let them move on by 1.",
            lambda x, width: x.unfold(0, width, width).mean(2),
        ),
        Mistake(
            "The last window is missing: there are n - width + 1 of them.",
            lambda x, width: x.unfold(0, width, 1).mean(2)[:-1],
        ),
    ),
)
