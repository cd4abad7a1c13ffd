"""A queue that looks sequential: a sum clamped at 0 is the running sum minus its own running minimum.

The cases include a long quiet queue, whose running sum falls so low that float32 loses the last digits.
"""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_09_scans.scan_common import (
    COUNT_SIZES,
    MAX_OPS,
    RACE_SIZE,
    column_count,
    copy_cost,
    large_value_first,
    pair_scan,
    shape_cases,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import normal, uniform


def queue_wait_slow(change):
    """Return the length of each queue after every step: the previous length plus the change, at least 0."""
    result = torch.empty_like(change)
    queue = torch.zeros(change.shape[1:], dtype=change.dtype, device=change.device)
    for t in range(len(change)):
        queue = (queue + change[t]).clamp(min=0)
        result[t] = queue
    return result


def _above_running_minimum(walk):
    return walk - walk.cummin(0).values.clamp(max=0)


def _by_running_minimum(change):
    return _above_running_minimum(change.cumsum(0, dtype=torch.float64)).to(change.dtype)


def _by_pairs(change):
    def combine(one, other):
        (a, b), (c, d) = one, other
        return [a + c, torch.maximum(b + c, d)]

    total, least = pair_scan(combine, [change, torch.zeros_like(change)])
    return torch.maximum(total, least)


TASK = Task(
    id="queue_wait",
    title="A queue that looks sequential",
    points=4,
    level=1,
    slow=queue_wait_slow,
    inputs=lambda size, generator: (normal(generator, size, column_count(size)),),
    dtypes={"change": ("float64", "int32", "int64")},
    edge_cases=(
        *shape_cases(),
        Case("a queue that only grows", lambda generator: (uniform(generator, 1, 2, 5, 2),)),
        Case("a queue that stays empty", lambda generator: (-uniform(generator, 1, 2, 5, 2),)),
        fixed_case("a queue that empties and grows again", [[2.0], [-5.0], [3.0], [-1.0], [4.0]]),
        fixed_case("a negative first change", [[-3.0], [2.0], [1.0]]),
        fixed_case("int64 values beyond float64", [[2**53, 1], [1, 1], [1, -2]]),
    ),
    worst=(
        Case("changes of about a billionth", lambda g: (normal(g, 9, 2, scale=1e-9),)),
        Case("2,000 steps that serve far more than arrive", lambda g: (normal(g, 2000, 2) - 2.5,)),
        Case(
            "16,385 steps in which the queue is never empty",
            lambda g: (large_value_first(g),),
        ),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        At every step, some people join a queue and some are served: `change` holds the difference, one row per step and
        one column per counter. The queues start empty, and a queue is never shorter than 0. Write `queue_wait(change)`
        with `y[t] = max(0, y[t-1] + change[t])`, where `y[-1]`, before the first step, is 0.
        """
    ),
    rules=prose(
        """
        - Time runs along axis 0; `change` may have any number of dimensions. Its dtype is float32, float64,
          int32 or int64, its values are finite, and their sums don't overflow. The result has the shape and dtype of
          `change` and shares no memory with it. `change` is not modified. There may also be one step or none, or no columns.
        - The result is as exact as the loop's, even if the queue is empty most of the time. For floating-point values, sums
          in float64 are exact enough. Integers are exact, including those that float64 can't represent.
        """
    ),
    limits=(at_most(MAX_OPS, "ops"), at_most(0, "syncs")),
    target=5.0,
    cost=copy_cost,
    ways={"cumsum − cummin": _by_running_minimum, "pair scan": _by_pairs},
    hints=items(
        """
        - Let the running sum of `change` go below zero, and draw it. At which points of the drawing is the queue empty?
          How far is the sum above its lowest point so far at any time?
        - The queue is the running sum minus its own minimum so far, and that minimum includes the 0 before the first
          step. `cumsum`, `cummin` and `clamp(max=0)` are enough.
        - `total = change.cumsum(0)`, then `total - total.cummin(0).values.clamp(max=0)`. A sum that falls far below 0
          loses the last digits, so sum floating-point values in float64. At the end, convert the
          result to `change.dtype`, for int32 values, too: PyTorch sums them in int64.
        """
    ),
    mistakes=(
        Mistake(
            "The running sum falls far below 0, and the difference of two large values keeps few digits: sum in "
            "float64, or scan pairs.",
            lambda change: _above_running_minimum(change.cumsum(0, dtype=change.dtype)),
        ),
        Mistake(
            "The running sum is clamped at 0 afterward, so it still contains unused capacity: subtract its minimum so "
            "far instead.",
            lambda change: change.cumsum(0, dtype=change.dtype).clamp(min=0),
        ),
        Mistake(
            "The 0 before the first step is missing: the minimum so far is at most 0.",
            lambda change: change.cumsum(0, dtype=change.dtype) - change.cumsum(0, dtype=change.dtype).cummin(0).values,
        ),
        Mistake(
            "This is the running sum: subtract its minimum so far, which is at most 0.",
            lambda change: change.cumsum(0, dtype=change.dtype),
        ),
        Mistake(
            "Only the current change is clamped at 0: first add it to the people already waiting.",
            lambda change: change.clamp(min=0),
        ),
        Mistake(
            "Each change is clamped at 0 before it is added, so the queue never gets shorter: clamp the queue instead.",
            lambda change: change.clamp(min=0).cumsum(0, dtype=change.dtype),
        ),
        Mistake(
            "This is the queue before the step: return it after the step.",
            lambda change: torch.cat([torch.zeros_like(change[:1]), queue_wait_slow(change)[:-1]]),
        ),
        Mistake(
            "PyTorch sums int32 values into int64: pass `dtype=change.dtype`.",
            lambda change: _above_running_minimum(change.cumsum(0)),
        ),
    ),
    sources=("S0.1",),
)
