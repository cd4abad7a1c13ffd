"""A memory that fades: a linear recurrence, by doubling.

Thousands of steps are among the cases, since dividing by powers of the decay is right for few.
"""

from __future__ import annotations

import torch
from torch.nn import functional

from course_utils.tasks.at_most import at_most
from course_utils.tasks.lesson_09_scans.along_the_rows import (
    COUNT_SIZES,
    MAX_OPS,
    RACE_SIZE,
    columns,
    in_proportion,
    once_each,
    scan,
    shapes,
)
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import random_case
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def decayed_sum_slow(x, decay):
    """Row t of the result is row t of x, plus decay times the result's row before."""
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


def _unbound(x, decay):
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
    def one_then_other(one, other):
        (a, b), (c, d) = one, other
        return [c * a, c * b + d]

    return scan(one_then_other, [torch.full_like(x[:, :1], decay), x])[1]


TASK = Task(
    id="decayed_sum",
    title="A memory that fades",
    points=4,
    level=1,
    slow=decayed_sum_slow,
    inputs=lambda size, generator: (
        normal(generator, size, columns(size)),
        round(float(generator.uniform(0.5, 0.95)), 2),
    ),
    edge_cases=(
        *shapes(rest=(0.75,)),
        random_case("decay 0, which forgets at once", (5, 2), rest=(0.0,)),
        random_case("decay 1, which forgets nothing", (5, 2), rest=(1.0,)),
        random_case("decay 0.999 over 3,000 steps", (3000, 2), rest=(0.999,)),
        random_case("decay 0.9 over 3,000 steps", (3000, 2), rest=(0.9,)),
        random_case("float64 values over 500 steps", (500, 2), rest=(0.9,), dtype=torch.float64),
        random_case("decay 0.5 over 2,000 steps", (2000, 2), rest=(0.5,)),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        A sensor's reading jumps, and a smoothed one is wanted that forgets: at each step what is remembered shrinks to
        `decay` times itself, and the new reading is added. Write `decayed_sum(x, decay)` with
        `y[t] = decay * y[t-1] + x[t]`, and `y[0] = x[0]`.
        """
    ),
    rules=prose(
        """
        - Time runs along dimension 0, whatever other dimensions `x` has. `x` holds finite floating-point numbers, `decay`
        is a Python number from 0 to 1, both included. Shape and dtype are those of `x`; `x` itself stays as it was.
        - `x` may also have one row, or none. The result always has memory of its own: it is neither `x` nor a view of it.
        - Right for thousands of steps, and as exact as the loop.
        - At most 400 tensor operations, also for 1,024 rows, and no matrix of rows × rows.
        """
    ),
    limits=(
        at_most(MAX_OPS, "ops"),
        at_most(in_proportion, "bytes", "64 times the bytes of `x`, and 1 MB"),
        at_most(0, "syncs"),
    ),
    target=5.0,
    cost=once_each,
    ways={"unbind": _unbound, "doubling": _doubled, "chunks": _in_chunks, "pair scan": _by_pairs},
    hints=items(
        """
        - Suppose that every y already remembers the last k rows. How do you get from there, in one step for all rows,
          to a y that remembers the last 2k?
        - What y[t] still lacks is what y[t-k] remembers, k steps older: decay**k times that. The first k rows lack
          nothing. Begin with y = x and k = 1, and double k until it covers all rows.
        - In each round y = torch.cat([y[:k], y[k:] + decay**k * y[:-k]]); k is 1, 2, 4, … while k < len(x). For one
          row no round runs: begin with x.clone(), or the result is the input itself.
        """
    ),
    mistakes=(
        Mistake(
            "Dividing by powers of decay loses everything: after enough steps they are 0 in this dtype, and the result is "
            "no number.",
            lambda x, decay: _powers(x, decay) * torch.cumsum(x / _powers(x, decay), 0),
        ),
        Mistake(
            "Off by one power: the row itself is multiplied by decay, too.",
            lambda x, decay: decay * decayed_sum_slow(x, decay),
        ),
        Mistake(
            "This is the average that fades: new rows are multiplied by 1 - decay; here they are added as they are.",
            lambda x, decay: (1 - decay) * decayed_sum_slow(x, decay),
        ),
        Mistake(
            "This is what is remembered before the current row is added.",
            lambda x, decay: decayed_sum_slow(x, decay) - x,
        ),
        Mistake("Nothing fades: this is the running sum.", lambda x, decay: x.cumsum(0)),
        Mistake(
            "Only the row before is remembered: the first round of doubling, without the others.",
            lambda x, decay: torch.cat([x[:1], x[1:] + decay * x[:-1]]),
        ),
        Mistake(
            "Each round multiplies by decay; rows that are k steps apart need decay**k.",
            lambda x, decay: _doubling(x, lambda k: decay),
        ),
        Mistake(
            "The sum runs along the last dimension; it should run along dimension 0.",
            lambda x, decay: decayed_sum_slow(x.movedim(-1, 0), decay).movedim(0, -1),
        ),
        Mistake(
            "Time runs backwards: row t remembers later rows.",
            lambda x, decay: decayed_sum_slow(x.flip(0), decay).flip(0),
        ),
    ),
    sources=("S0.1",),
)
