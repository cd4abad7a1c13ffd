"""The line that looks sequential: a sum held at 0 is the running sum less its own minimum.

A long quiet line is among the cases, as its walk sinks so far that float32 loses the last digits.
"""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.lesson_09_scans.along_the_rows import (
    COUNT_SIZES,
    MAX_OPS,
    RACE_SIZE,
    columns,
    once_each,
    scan,
    shapes,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, int32, int64
from course_utils.tasks.torch_inputs import normal, uniform
from course_utils.tasks.unwrap import items, prose


def queue_wait_slow(change):
    """How long each queue is after every step; it changes as told, but not below 0."""
    result = torch.empty_like(change)
    queue = torch.zeros(change.shape[1:], dtype=change.dtype, device=change.device)
    for t in range(len(change)):
        queue = (queue + change[t]).clamp(min=0)
        result[t] = queue
    return result


def _queue_from_walk(walk):
    return walk - walk.cummin(0).values.clamp(max=0)


def _by_walk(change):
    return _queue_from_walk(change.cumsum(0, dtype=torch.float64)).to(change.dtype)


def _by_pairs(change):
    def one_then_other(one, other):
        (a, b), (c, d) = one, other
        return [a + c, torch.maximum(b + c, d)]

    total, least = scan(one_then_other, [change, torch.zeros_like(change)])
    return torch.maximum(total, least)


TASK = Task(
    id="queue_wait",
    title="The line that looks sequential",
    points=4,
    level=1,
    slow=queue_wait_slow,
    inputs=lambda size, generator: (normal(generator, size, columns(size)),),
    edge_cases=(
        *shapes(),
        Case("a line that only grows", lambda generator: (uniform(generator, 1, 2, 5, 2),)),
        Case("a line that stays empty", lambda generator: (-uniform(generator, 1, 2, 5, 2),)),
        fixed_case("a line that empties and grows again", [[2.0], [-5.0], [3.0], [-1.0], [4.0]]),
        fixed_case("a first step that serves nobody", [[-3.0], [2.0], [1.0]]),
        int64((8, 2)),
        int32((8, 2)),
        fixed_case("int64 values beyond float64", [[2**53, 1], [1, 1], [1, -2]]),
        Case("a quiet counter, 2,000 steps that serve far more than comes", lambda g: (normal(g, 2000, 2) - 2.5,)),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        At every step some people join a queue, and some are served: `change` is the difference, one row a step, one
        column a counter. Nobody waits at the start, and a queue is never shorter than 0. Write `queue_wait(change)` with
        `y[t] = max(0, y[t-1] + change[t])`, where `y[-1]`, before the first step, is 0.
        """
    ),
    rules=prose(
        """
        - Time runs along dimension 0, whatever other dimensions `change` has; its numbers are finite. Shape and dtype are
        those of `change`, which stays as it was. There may also be one step, or none.
        - As exact as the loop, also where most of the time nobody waits.
        - At most 400 tensor operations, also for 1,024 steps.
        """
    ),
    limits=(at_most(MAX_OPS, "ops"), at_most(0, "syncs")),
    target=5.0,
    cost=once_each,
    ways={"walk and lowest": _by_walk, "pair scan": _by_pairs},
    hints=items(
        """
        - Let the running sum of change go below zero, and draw it. Where is the queue empty on that picture? How far
          above its lowest point so far is the sum at any time?
        - The queue is the running sum minus its own minimum so far, and that minimum counts the 0 before the first
          step. `cumsum`, `cummin` and `clamp(max=0)` are enough.
        - walk = change.cumsum(0); walk - walk.cummin(0).values.clamp(max=0). A walk that sinks far below 0 takes the
          last digits with it: for floating-point numbers sum in float64, and return to change.dtype at the end.
        """
    ),
    mistakes=(
        Mistake(
            "The running sum sinks far below 0, and the difference of two large numbers keeps few digits: sum in float64, "
            "or scan pairs.",
            lambda change: _queue_from_walk(change.cumsum(0, dtype=change.dtype)),
        ),
        Mistake(
            "The running sum is held at 0 afterwards: it still owes what an empty queue has forgiven.",
            lambda change: change.cumsum(0, dtype=change.dtype).clamp(min=0),
        ),
        Mistake(
            "The 0 before the first step is missing: the lowest point so far is at most 0.",
            lambda change: change.cumsum(0, dtype=change.dtype) - change.cumsum(0, dtype=change.dtype).cummin(0).values,
        ),
        Mistake(
            "The queue goes below 0: this is the running sum.", lambda change: change.cumsum(0, dtype=change.dtype)
        ),
        Mistake(
            "Only the current change is held at 0: what waited before is missing.", lambda change: change.clamp(min=0)
        ),
        Mistake(
            "Each change is held at 0 before it is added, so nobody is ever served.",
            lambda change: change.clamp(min=0).cumsum(0, dtype=change.dtype),
        ),
        Mistake(
            "This is the queue before the step, not after it.",
            lambda change: torch.cat([torch.zeros_like(change[:1]), queue_wait_slow(change)[:-1]]),
        ),
        Mistake(
            "Sums of int32 become int64 unless they are told otherwise: pass dtype=change.dtype.",
            lambda change: _queue_from_walk(change.cumsum(0)),
        ),
    ),
    sources=("S0.1",),
)
