"""The worst time to have bought: the running peak is a scan with max.

The cases are price paths on which a shorter formula goes wrong.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.lesson_09_scans.along_the_rows import COUNT_SIZES, MAX_OPS, RACE_SIZE, columns, in_proportion
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import (
    every_second_column,
    fixed_case,
    float64,
    integer_case,
    random_case,
    transposed_case,
)
from course_utils.tasks.torch_inputs import normal, uniform
from course_utils.tasks.unwrap import items, prose


def max_drawdown_slow(prices):
    """Per column the largest fall from a price to one of the same or a later day."""
    peak = prices[0]
    worst = torch.zeros_like(peak)
    for t in range(len(prices)):
        peak = torch.maximum(peak, prices[t])
        worst = torch.maximum(worst, peak - prices[t])
    return worst


def _by_cummax(prices):
    return (prices.cummax(0).values - prices).amax(0)


TASK = Task(
    id="max_drawdown",
    title="The worst time to have bought",
    points=2,
    level=1,
    slow=max_drawdown_slow,
    inputs=lambda size, generator: (100 + normal(generator, size, columns(size)).cumsum(0),),
    edge_cases=(
        Case("one day", lambda generator: (uniform(generator, 10, 20, 1, 3),)),
        random_case("no columns", (4, 0)),
        fixed_case("prices that only rise", [[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]]),
        fixed_case("prices that only fall", [[3.0, 9.0], [2.0, 6.0], [1.0, 5.0]]),
        fixed_case("the lowest price before the highest", [[1.0], [9.0], [8.0]]),
        fixed_case("a deep fall early, a shallow one from a higher peak", [[5.0], [1.0], [9.0], [8.0]]),
        fixed_case("a fall and a full recovery", [[5.0], [2.0], [5.0]]),
        Case("prices below zero", lambda generator: (normal(generator, 6, 2) - 50,)),
        transposed_case(5, 3),
        every_second_column(5, 2),
        float64((6, 2)),
        integer_case((6, 2), low=1, high=100),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        Somebody bought at some day and looked at the price on a later one. How much can they have lost at the worst? Each row
        of `prices` is a day, each column a share. Write `max_drawdown(prices)`: for each column the largest fall from a
        price to a later one, or 0 where the price never falls.
        """
    ),
    rules=prose(
        """
        - `prices` has the shape (days, columns), with at least one day; the result has the shape (columns,) and the
        dtype of `prices`. Falls are differences, not percentages. `prices` itself stays as it was.
        - At most 400 tensor operations, also for 1,024 days; and memory in proportion to `prices`: no table of all pairs
        of days.
        """
    ),
    limits=(
        at_most(MAX_OPS, "ops"),
        at_most(in_proportion, "bytes", "64 times the bytes of `prices`, and 1 MB"),
        at_most(0, "syncs"),
    ),
    target=10.0,
    cost=lambda rows: Cost(reads=4 * rows * columns(rows), writes=4 * columns(rows)),
    ways={"cummax": _by_cummax},
    hints=items(
        """
        - For one selling day, which earlier buying day was the worst? What must you know about the past for that, and
          does it need all of the past?
        - The running peak is a scan with max: `torch.cummax(prices, dim=0)` gives values and indices.
        - Peak minus price is the fall at each day: `(prices.cummax(0).values - prices).amax(0)`.
        """
    ),
    mistakes=(
        Mistake(
            "This is the highest price minus the lowest: the lowest may have come first, and that is no fall.",
            lambda prices: prices.amax(0) - prices.amin(0),
        ),
        Mistake(
            "This is the fall from the highest price to the last one; a deeper one may have come before.",
            lambda prices: prices.amax(0) - prices[-1],
        ),
        Mistake(
            "This is the fall from the first price; it may have risen first.",
            lambda prices: (prices[0] - prices).amax(0),
        ),
        Mistake(
            "This is the largest fall from one day to the next; a fall may take many days.",
            lambda prices: (torch.cat([prices[:1], prices[:-1]]) - prices).amax(0).clamp(min=0),
        ),
        Mistake("This is the largest rise: time runs backwards.", lambda prices: max_drawdown_slow(prices.flip(0))),
        Mistake("The sign is turned: a fall counts as a positive number.", lambda prices: -max_drawdown_slow(prices)),
        Mistake(
            "This is the fall as a share of the peak; wanted is the difference.",
            lambda prices: ((prices.cummax(0).values - prices) / prices.cummax(0).values).amax(0),
        ),
        Mistake(
            "These are the falls of every day; wanted is the largest one of each column.",
            lambda prices: prices.cummax(0).values - prices,
        ),
        Mistake(
            "This is the largest fall of all columns; wanted is one for each.", lambda p: max_drawdown_slow(p).max()
        ),
    ),
    sources=("S0.1",),
)
