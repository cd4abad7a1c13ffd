"""A queue with a capacity: its steps need three numbers instead of the lesson's pairs.

The cases include long quiet and busy times, in which a running sum drifts far beyond both bounds.
"""

from __future__ import annotations

from functools import partial

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_09_scans.scan_common import (
    COUNT_SIZES,
    RACE_SIZE,
    column_count,
    copy_cost,
    doubling_scan,
    large_value_first,
    linear_bytes,
    pair_scan,
    shape_cases,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, random_case
from course_utils.tasks.torch_inputs import normal, uniform


def capped_queue_slow(change, cap):
    """Return the queue length after every step: the previous length plus the change, limited to 0 … cap."""
    result = torch.empty_like(change)
    queue = torch.zeros(change.shape[1:], dtype=change.dtype, device=change.device)
    for t in range(len(change)):
        queue = (queue + change[t]).clamp(min=0, max=cap)
        result[t] = queue
    return result


_PAIR_TOO_SMALL = "Two numbers per stretch of steps are too few: carry a lower and an upper bound, because both move."


def _combine(one, other):
    (a, low, high), (b, least, most) = one, other
    return [a + b, torch.clamp(low + b, least, most), torch.clamp(high + b, least, most)]


def _one_bound_each(one, other):
    (a, low, high), (b, least, most) = one, other
    return [a + b, torch.maximum(low + b, least), torch.minimum(high + b, most)]


def _by_pairs(change, cap, clamp=lambda total, least, cap: [total, least.clamp(max=cap)]):
    """Return the scan of the lesson's pairs, with the cap applied inside the combination and to the result."""

    def combine(one, other):
        (a, b), (c, d) = one, other
        return clamp(a + c, torch.maximum(b + c, d), cap)

    total, least = pair_scan(combine, [change, torch.zeros_like(change)])
    return torch.maximum(total, least).clamp(max=cap)


def _both_capped(total, least, cap):
    return [total.clamp(max=cap), least.clamp(max=cap)]


def _by(way, combine=_combine):
    def capped(change, cap):
        low = torch.zeros_like(change)
        total, low, high = way(combine, [change, low, low + cap])
        return torch.clamp(total, low, high)

    return capped


def _uncapped(change):
    walk = change.cumsum(0, dtype=change.dtype)
    return walk - walk.cummin(0).values.clamp(max=0)


TASK = Task(
    id="capped_queue",
    title="A queue with a capacity",
    points=4,
    level=2,
    slow=capped_queue_slow,
    inputs=lambda size, generator: (
        normal(generator, size, column_count(size)),
        round(float(generator.uniform(0.8, 1.6)), 1),
    ),
    dtypes={"change": ("float64", "int32", "int64")},
    edge_cases=(
        *shape_cases(rest=(0.7,)),
        fixed_case("a queue that is full, then empty, then full", [[3.0], [-9.0], [1.0], [4.0], [-1.0]], rest=(2,)),
        fixed_case("a first step beyond the cap", [[5.0], [-1.0], [-1.0]], rest=(2.3,)),
        Case("a queue that is always full", lambda generator: (uniform(generator, 1, 2, 6, 2), 1.0)),
        Case("a queue that stays empty", lambda generator: (-uniform(generator, 1, 2, 6, 2), 1.0)),
        random_case("cap 0", (5, 2), rest=(0.0,)),
        Case("a cap that is never reached", lambda g: (normal(g, 8, 2, scale=1e12), 1e15)),
        fixed_case("int64 values beyond float64", [[2**53 + 1, 1], [1, 1], [-1, 5]], rest=(2**53 + 3,)),
        fixed_case("int64 values beyond int32, with a small cap", [[2**33, -(2**33)], [-1, 3], [2**33, -1]], rest=(5,)),
        Case(
            "int32 values beyond float32",
            lambda _: (torch.tensor([[2**24 + 1, 1], [1, 1], [-1, 5]], dtype=torch.int32), 2**24 + 3),
        ),
    ),
    worst=(
        Case("2,000 steps that serve far more than arrive", lambda g: (normal(g, 2000, 2) - 2.5, 3.0)),
        Case("2,000 steps that bring far more than is served", lambda g: (normal(g, 2000, 2) + 2.5, 10 / 3)),
        Case("changes and a cap of about 1e-12", lambda g: (normal(g, 9, 2, scale=1e-12), 2e-12)),
        Case(
            "16,385 steps in which the queue is never empty and never full",
            lambda g: (large_value_first(g), 2000.0),
        ),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        A service holds waiting requests in a buffer of size `cap`; requests that arrive at a full buffer are rejected.
        `change` is the number of arrivals minus the number served, one row per step and one column per server. Write
        `capped_queue(change, cap)` with `y[t] = min(cap, max(0, y[t-1] + change[t]))`, where `y[-1]`, before the first
        step, is 0. **How do two such steps combine?** The lesson's queue needs two numbers to describe many steps; this
        queue needs one more.
        """
    ),
    rules=prose(
        """
        - Time runs along axis 0; `change` may have any number of dimensions. Its dtype is float32, float64,
          int32 or int64, and its values are finite. `cap` is a finite Python number, 0 or more, and an integer if `change`
          holds integers. Sums of the values don't overflow, even if `cap` is added. The result has the shape and dtype
          of `change` and shares no memory with it. `change` is not modified. There may also be one step or none, or no columns.
        - Each part of a scan needs a row for every step: `torch.full_like(change, cap)` holds `cap` in each row.
        - The result is as exact as the loop's, even if the queue is empty or full for a long time. Integers are exact,
          including those that float64 can't represent.
        """
    ),
    limits=(
        # With three numbers per step, a scan takes about 500 operations, a loop over 1,024 rows thousands.
        at_most(900, "ops"),
        at_most(lambda change, cap: 4 * linear_bytes(change), "bytes", "256 times the bytes of `change` plus 4 MB"),
        at_most(0, "syncs"),
    ),
    target=3.0,
    cost=copy_cost,
    ways={"doubling": _by(doubling_scan), "pair scan": _by(pair_scan)},
    hints=items(
        """
        - Draw the result of one step as a function of y: a slanted line, cut off flat below and above. Now apply a
          second step to that result. What shapes are possible, and which numbers describe them?
        - Many steps in a row map y to `clamp(y + a, low, high)`. One step has `a = change[t]`, `low = 0`, `high = cap`. If
          `(a, low, high)` comes first and `(b, least, most)` second, pass `low` and `high` through the second step to get
          the new bounds.
        - `[a + b, torch.clamp(low + b, least, most), torch.clamp(high + b, least, most)]`. Scan these triples as the
          lesson scans pairs. y is 0 before the first step, so the queue is `torch.clamp(a, low, high)`.
        """
    ),
    mistakes=(
        Mistake(
            "This is the queue without a cap, clamped afterward, so rejected requests still count as waiting: apply "
            "the cap in each step.",
            lambda change, cap: _uncapped(change).clamp(max=cap),
        ),
        Mistake("The cap is missing: apply it in each step.", lambda c, cap: _uncapped(c)),
        Mistake(
            "The running sum is clamped afterward, so it still contains rejected requests and unused capacity: clamp "
            "in each step.",
            lambda change, cap: change.cumsum(0, dtype=change.dtype).clamp(0, cap),
        ),
        Mistake(
            "Only the current change is clamped: first add it to the requests already waiting.",
            lambda c, cap: c.clamp(0, cap),
        ),
        Mistake(
            "This is the queue before the step: return it after the step.",
            lambda c, cap: torch.cat([torch.zeros_like(c[:1]), capped_queue_slow(c, cap)[:-1]]),
        ),
        Mistake(
            "A bound was clamped on one side only: clamp both bounds from below and from above.",
            _by(pair_scan, _one_bound_each),
        ),
        Mistake(_PAIR_TOO_SMALL, _by_pairs),
        Mistake(_PAIR_TOO_SMALL, partial(_by_pairs, clamp=_both_capped)),
        Mistake(
            "The steps are combined in the wrong order: the earlier step comes first.",
            _by(pair_scan, lambda one, other: _combine(other, one)),
        ),
    ),
    sources=("S0.1",),
)
