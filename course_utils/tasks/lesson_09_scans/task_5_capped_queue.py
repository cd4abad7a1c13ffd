"""A queue with room for so many: its steps are no pairs any more, but what two of them make is of one kind still.

Quiet and busy times are long among the cases, as a running sum drifts far beyond both ends there.
"""

from __future__ import annotations

from functools import partial

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.lesson_09_scans.along_the_rows import (
    COUNT_SIZES,
    RACE_SIZE,
    columns,
    doubling,
    in_proportion,
    once_each,
    scan,
    shapes,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, int32, int64, random_case
from course_utils.tasks.torch_inputs import normal, uniform
from course_utils.tasks.unwrap import items, prose


def capped_queue_slow(change, cap):
    """How many wait after every step: as many as before and the change, but never below 0, and never above cap."""
    result = torch.empty_like(change)
    queue = torch.zeros(change.shape[1:], dtype=change.dtype, device=change.device)
    for t in range(len(change)):
        queue = (queue + change[t]).clamp(min=0, max=cap)
        result[t] = queue
    return result


_TWO_NUMBERS = "Two numbers cannot tell it: the map has a lower end and an upper one, and both move."


def _combine(one, other):
    (a, low, high), (b, least, most) = one, other
    return [a + b, torch.clamp(low + b, least, most), torch.clamp(high + b, least, most)]


def _one_end_each(one, other):
    (a, low, high), (b, least, most) = one, other
    return [a + b, torch.maximum(low + b, least), torch.minimum(high + b, most)]


def _in_pairs(change, cap, hold=lambda total, least, cap: [total, least.clamp(max=cap)]):
    """The lesson's pairs, with a cap on what they hold and on the result."""

    def combine(one, other):
        (a, b), (c, d) = one, other
        return hold(a + c, torch.maximum(b + c, d), cap)

    total, least = scan(combine, [change, torch.zeros_like(change)])
    return torch.maximum(total, least).clamp(max=cap)


def _all_capped(total, least, cap):
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
    title="A buffer that fills up",
    points=4,
    level=2,
    slow=capped_queue_slow,
    inputs=lambda size, generator: (
        normal(generator, size, columns(size)),
        round(float(generator.uniform(0.8, 1.6)), 1),
    ),
    edge_cases=(
        *shapes(rest=(1.0,)),
        fixed_case("a queue that is full, then empty, then full", [[3.0], [-9.0], [1.0], [4.0], [-1.0]], rest=(2,)),
        fixed_case("the first step beyond the cap", [[5.0], [-1.0], [-1.0]], rest=(2.5,)),
        Case("a queue that is always full", lambda generator: (uniform(generator, 1, 2, 6, 2), 1.0)),
        Case("a queue that stays empty", lambda generator: (-uniform(generator, 1, 2, 6, 2), 1.0)),
        random_case("cap 0, room for nobody", (5, 2), rest=(0.0,)),
        random_case("a cap that is never reached", (8, 2), rest=(1000.0,)),
        int64((8, 2), rest=(6,)),
        int32((8, 2), rest=(6,)),
        fixed_case("int64 values beyond float64", [[2**53 + 1, 1], [1, 1], [-1, 5]], rest=(2**53 + 3,)),
        Case("a quiet time, 2,000 steps that serve far more than comes", lambda g: (normal(g, 2000, 2) - 2.5, 3.0)),
        Case("a busy time, 2,000 steps that bring far more than is served", lambda g: (normal(g, 2000, 2) + 2.5, 3.0)),
    ),
    worst=(
        Case(
            "3,000 steps between which the queue is never empty and never full",
            lambda g: (torch.cat([torch.full((1, 2), 500.0), normal(g, 2999, 2)]), 1000.0),
        ),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        A service keeps requests that wait in a buffer for `cap` of them; what comes when it is full is turned away. `change` is
        what came less what was served, one row a step, one column a server. Write `capped_queue(change, cap)` with
        `y[t] = min(cap, max(0, y[t-1] + change[t]))`, where `y[-1]`, before the first step, is 0. **How do two such
        steps combine?** The queue of the lesson needed two numbers to tell what many steps do. This one needs one more.
        """
    ),
    rules=prose(
        """
        - Time runs along dimension 0, whatever other dimensions `change` has; its numbers are finite, and `cap` is a Python
        number, 0 or more. Shape and dtype are those of `change`, which stays as it was. There may also be one step, or none.
        - Each part of a scan needs a row for every step: `torch.full_like(change, cap)` holds `cap` in each of them.
        - As exact as the loop, also where the queue is empty, or full, for a long time.
        """
    ),
    limits=(
        at_most(900, "ops"),  # three numbers a step: a scan takes about 500, a loop over 1,024 rows thousands
        at_most(lambda change, cap: 4 * in_proportion(change), "bytes", "256 times the bytes of `change`, and 4 MB"),
        at_most(0, "syncs"),
    ),
    target=3.0,
    cost=once_each,
    ways={"doubling": _by(doubling), "pair scan": _by(scan)},
    hints=items(
        """
        - Draw what one step makes of y: a slanted line, cut off flat below and above. Now put a second such step behind it.
          What can the drawing look like, and which numbers tell all of it?
        - Many steps in a row take y to clamp(y + a, low, high). One step has a = change[t], low = 0, high = cap. First
          (a, low, high), then (b, least, most): push low and high through the second step to get the new ones.
        - [a + b, torch.clamp(low + b, least, most), torch.clamp(high + b, least, most)]. Scan these triples, as the lesson scans
          pairs. y was 0 before the first step, so the queue is torch.clamp(a, low, high).
        """
    ),
    mistakes=(
        Mistake(
            "This is the queue without a cap, cut off afterwards: who was turned away is still counted as waiting.",
            lambda change, cap: _uncapped(change).clamp(max=cap),
        ),
        Mistake("The cap is missing: this is the queue that may get as long as it likes.", lambda c, cap: _uncapped(c)),
        Mistake(
            "The running sum is cut off afterwards: what was turned away, and what an empty queue has forgiven, is still in it.",
            lambda change, cap: change.cumsum(0, dtype=change.dtype).clamp(0, cap),
        ),
        Mistake("Only the current change is cut off: who waited before is missing.", lambda c, cap: c.clamp(0, cap)),
        Mistake(
            "This is the queue before the step, not after it.",
            lambda c, cap: torch.cat([torch.zeros_like(c[:1]), capped_queue_slow(c, cap)[:-1]]),
        ),
        Mistake(
            "The lower end is held up, but not down, or the upper end the other way round: in the second step both must go "
            "through both ends.",
            _by(scan, _one_end_each),
        ),
        Mistake(_TWO_NUMBERS, _in_pairs),
        Mistake(_TWO_NUMBERS, partial(_in_pairs, hold=_all_capped)),
        Mistake(
            "The two steps are combined in the wrong order: the earlier one comes first.",
            _by(scan, lambda one, other: _combine(other, one)),
        ),
    ),
    sources=("S0.1",),
)
