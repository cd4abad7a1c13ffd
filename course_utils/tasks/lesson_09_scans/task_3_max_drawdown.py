"""The maximum drawdown: the running peak is a scan with max.

The cases are price paths on which shorter formulas fail.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_09_scans.scan_common import COUNT_SIZES, MAX_OPS, RACE_SIZE, column_count, linear_bytes
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import (
    fixed_case,
    random_case,
)
from course_utils.tasks.torch_inputs import normal, uniform


def max_drawdown_slow(prices):
    """Return for each column the largest fall from a price to a price on the same or a later day."""
    peak = prices[0]
    worst = torch.zeros_like(peak)
    for t in range(len(prices)):
        peak = torch.maximum(peak, prices[t])
        worst = torch.maximum(worst, peak - prices[t])
    return worst


def _with_peak_and_trough_at_the_ends(generator):
    prices = 100 + normal(generator, 16_385, 1)
    prices[0], prices[-1] = 200, 50
    return (prices,)


def _by_cummax(prices):
    return (prices.cummax(0).values - prices).amax(0)


TASK = Task(
    id="max_drawdown",
    title="The maximum drawdown",
    points=2,
    level=1,
    slow=max_drawdown_slow,
    inputs=lambda size, generator: (100 + normal(generator, size, column_count(size)).cumsum(0),),
    dtypes={"prices": ("float64", "int32", "int64")},
    edge_cases=(
        Case("one day", lambda generator: (uniform(generator, 10, 20, 1, 3),)),
        random_case("no columns", (4, 0)),
        random_case("5,000 columns", (2, 5000)),
        fixed_case("prices that only rise", [[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]]),
        fixed_case("prices that only fall", [[3.0, 9.0], [2.0, 6.0], [1.0, 5.0]]),
        fixed_case("the lowest price before the highest", [[1.0], [9.0], [8.0]]),
        fixed_case("a deep early fall and a shallow fall from a higher peak", [[5.0], [1.0], [9.0], [8.0]]),
        fixed_case("a fall and a full recovery", [[5.0], [2.0], [5.0]]),
        Case("prices below zero", lambda generator: (normal(generator, 6, 2) - 50,)),
    ),
    worst=(
        Case("prices that fall for 3,000 days", lambda g: (100 - 0.01 * uniform(g, 0, 1, 3000, 2).cumsum(0),)),
        Case(
            "the peak on the first of 16,385 days and the lowest price on the last", _with_peak_and_trough_at_the_ends
        ),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        An investor buys on one day and sells on a later day. How much can they lose in the worst case? Each row of
        `prices` is a day, and each column is a stock. Write `max_drawdown(prices)`: for each column, the largest fall from
        a price to a later price, or 0 if the price never falls.
        """
    ),
    rules=prose(
        """
        - `prices` has shape (days, columns) with at least one day; there may be no columns. Its dtype is float32, float64, int32
          or int64, its values are finite, and no difference of two of them overflows. The result has shape (columns,) and the dtype of `prices`. Falls are differences, not percentages. `prices` is not modified.
        """
    ),
    limits=(
        at_most(MAX_OPS, "ops"),
        at_most(linear_bytes, "bytes", "64 times the bytes of `prices` plus 1 MB"),
        at_most(0, "syncs"),
    ),
    target=10.0,
    cost=lambda rows: Cost(reads=4 * rows * column_count(rows), writes=4 * column_count(rows)),
    ways={"cummax": _by_cummax},
    hints=items(
        """
        - For one selling day, which earlier buying day is the worst? What must you know about the past to find it, and
          do you need all of the past?
        - The running peak is a scan with max: `torch.cummax(prices, dim=0)` returns values and indices.
        - The peak minus the price is the fall at each day: `(prices.cummax(0).values - prices).amax(0)`.
        """
    ),
    mistakes=(
        Mistake(
            "This is the highest price minus the lowest: subtract each price from the highest price so far.",
            lambda prices: prices.amax(0) - prices.amin(0),
        ),
        Mistake(
            "This is the fall from the highest price to the last price: take the largest fall of all days.",
            lambda prices: prices.amax(0) - prices[-1],
        ),
        Mistake(
            "This is the largest fall from the first price: start from the highest price so far.",
            lambda prices: (prices[0] - prices).amax(0),
        ),
        Mistake(
            "This is the largest fall from one day to the next: start from the highest price so far.",
            lambda prices: (torch.cat([prices[:1], prices[:-1]]) - prices).amax(0).clamp(min=0),
        ),
        Mistake("This is the largest rise: return the largest fall.", lambda prices: max_drawdown_slow(prices.flip(0))),
        Mistake("The sign is wrong: a fall is a positive number.", lambda prices: -max_drawdown_slow(prices)),
        Mistake(
            "This is the fall as a share of the peak: return the difference.",
            lambda prices: ((prices.cummax(0).values - prices) / prices.cummax(0).values).amax(0),
        ),
        Mistake(
            "These are the falls of every day: return the largest one per column.",
            lambda prices: prices.cummax(0).values - prices,
        ),
        Mistake(
            "This is the largest fall over all columns: return one value per column.",
            lambda p: max_drawdown_slow(p).max(),
        ),
    ),
    sources=("S0.1",),
)
