"""An exponentially decaying sum: a linear recurrence, computed by doubling.

The cases include thousands of steps, because dividing by powers of the decay works only for a few.
"""

from __future__ import annotations

import torch
from torch.nn import functional

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_09_scans.scan_common import (
    COUNT_SIZES,
    MAX_OPS,
    RACE_SIZE,
    column_count,
    copy_cost,
    large_value_first,
    linear_bytes,
    pair_scan,
    shape_cases,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import random_case
from course_utils.tasks.torch_inputs import normal


def decayed_sum_slow(x, decay):
    """Row t of the result is row t of x plus decay times the previous row of the result."""
    result = torch.empty_like(x)
    state = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for t in range(len(x)):
        state = decay * state + x[t]
        result[t] = state
    return result


def _powers(x, decay):
    return (decay ** torch.arange(len(x), dtype=x.dtype, device=x.device)).view(-1, *[1] * (x.dim() - 1))


def _doubling(x, factor):
    y, k = x.clone(), 1
    while k < len(x):
        y = torch.cat([y[:k], y[k:] + factor(k) * y[:-k]])
        k *= 2
    return y


def _unbind_loop(x, decay):
    rows, state = [], torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for row in x.unbind():
        state = torch.add(row, state, alpha=decay)
        rows.append(state)
    return torch.stack(rows)


def _doubled(x, decay):
    return _doubling(x, lambda k: decay**k)


def _in_chunks(x, decay, width=64):
    chunks = functional.pad(x, (0, 0, 0, -len(x) % width)).unflatten(0, (-1, width))
    t = torch.arange(width, dtype=x.dtype, device=x.device)
    y = (decay ** (t[:, None] - t).clamp(min=0)).tril() @ chunks
    ends = _doubled(y[:, -1], decay**width)
    y[1:] += decay ** (t[:, None] + 1) * ends[:-1, None]
    return y.flatten(0, 1)[: len(x)]


def _by_pairs(x, decay):
    def combine(one, other):
        (a, b), (c, d) = one, other
        return [c * a, c * b + d]

    return pair_scan(combine, [torch.full_like(x[:, :1], decay), x])[1]


def _huge_value_first(generator):
    x = normal(generator, 2000, 2)
    x[0, 1] = 3e38
    return x, 0.5


TASK = Task(
    id="decayed_sum",
    title="A decaying sum",
    points=4,
    level=1,
    slow=decayed_sum_slow,
    inputs=lambda size, generator: (
        normal(generator, size, column_count(size)),
        round(float(generator.uniform(0.5, 0.95)), 2),
    ),
    edge_cases=(
        *shape_cases(rest=(0.75,)),
        random_case("decay 0", (5, 2), rest=(0,)),
        random_case("decay 1", (5, 2), rest=(1,)),
        random_case("decay 1e-10", (5, 2), rest=(1e-10,)),
        random_case("float64 values over 500 steps", (500, 2), rest=(0.9,), dtype=torch.float64),
    ),
    worst=(
        random_case("decay 0.9999871 over 1,000 steps", (1000, 2), rest=(0.9999871,)),
        random_case("decay 0.9 over 3,000 steps", (3000, 2), rest=(0.9,)),
        Case("decay 0.5 over 2,000 steps, with a huge value first", _huge_value_first),
        Case("decay 1 over 16,385 steps", lambda g: (large_value_first(g), 1.0)),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        A sensor's readings jump, and you want a smoothed signal: at each step the accumulated value shrinks to `decay`
        times itself, and the new reading is added. Write `decayed_sum(x, decay)` with `y[t] = decay * y[t-1] + x[t]`
        and `y[0] = x[0]`.
        """
    ),
    rules=prose(
        """
        - Time runs along axis 0; `x` may have any number of dimensions. `x` holds finite float32 or float64 values
          whose sums don't overflow, and `decay` is a Python number from 0 to 1, inclusive. The result has the shape and
          dtype of `x`, and `x` is not modified.
        - `x` may also have one row or none, or no columns. The result shares no memory with `x`.
        - The result is as exact as the loop's, even over thousands of steps.
        """
    ),
    limits=(
        at_most(MAX_OPS, "ops"),
        at_most(linear_bytes, "bytes", "64 times the bytes of `x` plus 1 MB"),
        at_most(0, "syncs"),
    ),
    target=5.0,
    cost=copy_cost,
    ways={"unbind": _unbind_loop, "doubling": _doubled, "chunks": _in_chunks, "pair scan": _by_pairs},
    hints=items(
        """
        - Suppose that every row of y already includes the last k rows of x. How do you change all rows of y in one step, so
          that they include the last 2k rows?
        - `y[t]` lacks the content of `y[t-k]`, which is k steps older: add `decay**k` times `y[t-k]`. The first k rows lack
          nothing. Start with `y = x` and `k = 1`, and double `k` until it covers all rows.
        - In each round, `y = torch.cat([y[:k], y[k:] + decay**k * y[:-k]])`, for k = 1, 2, 4, … while `k < len(x)`.
          With one row, no round runs: start with `x.clone()`, or the result is the input itself.
        """
    ),
    mistakes=(
        Mistake(
            "Powers of `decay` become 0 in this dtype after enough steps, so dividing by them gives NaN: use "
            "doubling instead.",
            lambda x, decay: _powers(x, decay) * torch.cumsum(x / _powers(x, decay), 0),
        ),
        Mistake(
            "The current row is multiplied by `decay` too: add it unchanged.",
            lambda x, decay: decay * decayed_sum_slow(x, decay),
        ),
        Mistake(
            "This is an exponential moving average: new rows are multiplied by 1 − decay. Add them unchanged.",
            lambda x, decay: (1 - decay) * decayed_sum_slow(x, decay),
        ),
        Mistake(
            "This is the state before the current row is added: return the state after it.",
            lambda x, decay: decayed_sum_slow(x, decay) - x,
        ),
        Mistake(
            "This is the running sum: multiply the previous row of the result by `decay`.", lambda x, decay: x.cumsum(0)
        ),
        Mistake(
            "This is only the first round of doubling: double k until it covers all rows.",
            lambda x, decay: torch.cat([x[:1], x[1:] + decay * x[:-1]]),
        ),
        Mistake(
            "Each round multiplies by `decay`: rows that are k steps apart need `decay**k`.",
            lambda x, decay: _doubling(x, lambda k: decay),
        ),
        Mistake(
            "The sum runs along the last axis: use axis 0.",
            lambda x, decay: decayed_sum_slow(x.movedim(-1, 0), decay).movedim(0, -1),
        ),
        Mistake(
            "Time runs backward: start at row 0.",
            lambda x, decay: decayed_sum_slow(x.flip(0), decay).flip(0),
        ),
    ),
    sources=("S0.1",),
)
