"""The challenge: the scan at the heart of a selective state-space layer, as near to the machine's limit as you can.

Many columns race, so that passes over the data count as well as operations.
"""

from __future__ import annotations

from functools import partial

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.lesson_09_scans.along_the_rows import (
    COUNT_SIZES,
    RACE_SIZE,
    columns,
    doubling,
    in_proportion,
    scan,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import noncontiguous, normal, uniform
from course_utils.tasks.unwrap import items, prose


def gated_scan_slow(gates, x):
    """Row t of the result is row t of x, plus gates[t] times the result's row before."""
    result = torch.empty_like(x)
    state = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for t in range(len(x)):
        state = gates[t] * state + x[t]
        result[t] = state
    return result


CHANNELS = 64


def _channels(rows):
    return CHANNELS if rows == RACE_SIZE else columns(rows)


def _gates(generator, *shape, dtype=torch.float32):
    """From 0 to 1, of which every tenth is 0 and every tenth 1."""
    return (uniform(generator, -0.125, 1.125, *shape).clamp(0, 1)).to(dtype)


def _linear(one, other):
    """The step of two steps y → a·y + b, first ``one``, then ``other``."""
    (a, b), (c, d) = one, other
    return [c * a, c * b + d]


def _pair(name, *shape, dtype=torch.float32):
    return Case(name, lambda g: (_gates(g, *shape, dtype=dtype), normal(g, *shape, dtype=dtype)))


def _all(name, gate, rows):
    return Case(name, lambda g: (torch.full((rows, 2), gate), normal(g, rows, 2)))


def _divided(gates, x):
    kept = gates.cumprod(0)
    return kept * (x / kept).cumsum(0)


def _divided_by_no_less_than(least, gates, x):
    kept = gates.cumprod(0).clamp(min=least)
    return kept * (x / kept).cumsum(0)


def _by_powers(gates, x):
    y, k = x.clone(), 1
    while k < len(x):
        y = torch.cat([y[:k], y[k:] + gates[k:] ** k * y[:-k]])
        k *= 2
    return y


TASK = Task(
    id="gated_scan",
    title="The heart of a state-space layer",
    points=5,
    level=3,
    slow=gated_scan_slow,
    inputs=lambda size, generator: (
        _gates(generator, size, _channels(size)),
        normal(generator, size, _channels(size)),
    ),
    edge_cases=(
        _pair("no rows", 0, 3),
        _pair("no columns", 4, 0),
        _pair("one row", 1, 3),
        _pair("a single series, without columns", 6),
        _pair("three dimensions", 5, 2, 3),
        Case("matrices turned on their sides", lambda g: (_gates(g, 3, 5).T, normal(g, 3, 5).T)),
        Case(
            "every second column of wider matrices",
            lambda g: (noncontiguous(_gates(g, 5, 2)), noncontiguous(normal(g, 5, 2))),
        ),
        _pair("float64 values, with gates that are 0", 40, 2, dtype=torch.float64),
        _pair("a number of rows that is prime", 131, 2),
        fixed_case("a gate of 0, which forgets", [[0.5], [0.5], [0.0], [0.5]], [[1e6], [1.0], [0.25], [1.0]]),
        _all("gates that are all 0", 0.0, 5),
        _all("gates that are all 1", 1.0, 40),
        _all("gates of 0.99 over 3,000 steps", 0.99, 3000),
        _all("gates of 0.5 over 2,000 steps", 0.5, 2000),
        _all("gates too small for a product of two", 1e-30, 40),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        A selective state-space layer, such as Mamba's, carries a state through a long text. At each token and in each channel a
        gate, which the network has computed, says how much of the state is kept. Write `gated_scan(gates, x)` with
        `y[t] = gates[t] * y[t-1] + x[t]`, where `y[-1]`, before the first step, is 0. Every right answer without the loop
        earns the points. Then look at the share of the limit on the card, and see how near you can come: here 64 channels
        race over 4,096 steps, so that each pass over the data costs, and so does each operation.
        """
    ),
    rules=prose(
        """
        - `gates` and `x` have the same shape and floating-point dtype, and the result has them, too. Time runs along
        dimension 0, whatever other dimensions there are. Gates lie from 0 to 1, both included, one for every row and column.
        There may also be one row, or none. Inputs stay as they were.
        - As exact as the loop over thousands of steps. Where a gate is 0, nothing is left of what came before.
        - At most 800 tensor operations, also for 1,024 rows, and no table of rows × rows.
        """
    ),
    limits=(
        at_most(800, "ops"),
        at_most(in_proportion, "bytes", "64 times the bytes of `gates`, and 1 MB"),
        at_most(0, "syncs"),
    ),
    target=2.0,
    cost=lambda rows: Cost(reads=8 * rows * _channels(rows), writes=4 * rows * _channels(rows), launches=1),
    ways={
        "doubling": lambda gates, x: doubling(_linear, [gates, x])[1],
        "pair scan": lambda gates, x: scan(_linear, [gates, x])[1],
    },
    hints=items(
        """
        - A step is the pair (gate, row), and the lesson's combination of pairs does not mind that each gate is another one. That
          is right and has no loop; it earns the points. What does it pay for: operations, or passes?
        - A loop over time is not slow because it is a loop, but because each turn has too little to do. Cut the rows into
          blocks of eight or sixteen and walk through all blocks at once, row by row of a block: each operation works on
          blocks × columns numbers.
        - After that walk each block still lacks what it inherits. The last rows of the blocks, and the products of their
          gates, are a gated scan again, with far fewer rows: call yourself. Then one operation adds what fades down each block:
          `y.addcmul_(products, inherited)`. Let the products walk along too; `unbind(1)` once saves slices. `torch.addcmul(row, gate, state, out=…)` is a step in one operation.
        """
    ),
    mistakes=(
        Mistake(
            "Dividing by the product of the gates loses everything: the product is 0 after a gate of 0, or after enough "
            "small ones.",
            _divided,
        ),
        *(
            Mistake(
                "The product of the gates is held above 0, so that it can divide: from there on it is no product any more, and "
                "nothing fades.",
                partial(_divided_by_no_less_than, least),
            )
            for least in (1e-30, 1e-20, 1e-12, 1e-10, 1e-8, 1e-6)
        ),
        Mistake(
            "This fades by the last gate to the power k, as in the lesson, but the gates differ: keep their product beside y.",
            _by_powers,
        ),
        Mistake("The gates are missing: this is the running sum.", lambda gates, x: x.cumsum(0)),
        Mistake("The row itself is multiplied by its gate, too.", lambda gates, x: gated_scan_slow(gates, gates * x)),
        Mistake(
            "This is what is kept before the current row is added.", lambda gates, x: gated_scan_slow(gates, x) - x
        ),
        Mistake(
            "The gates come one row too late: gates[t] says how much of the row before is kept.",
            lambda gates, x: gated_scan_slow(torch.cat([gates[:1], gates[:-1]]), x),
        ),
        Mistake(
            "Only the row before is remembered: the first round of doubling, without the others.",
            lambda gates, x: torch.cat([x[:1], x[1:] + gates[1:] * x[:-1]]),
        ),
        Mistake(
            "The new row is multiplied by 1 - gate; here it is added as it is.",
            lambda gates, x: gated_scan_slow(gates, (1 - gates) * x),
        ),
        Mistake(
            "Time runs backwards: row t remembers later rows.",
            lambda gates, x: gated_scan_slow(gates.flip(0), x.flip(0)).flip(0),
        ),
    ),
    sources=("S0.1",),
)
