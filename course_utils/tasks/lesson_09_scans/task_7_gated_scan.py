"""The challenge: the scan of a selective state-space layer, as close to the machine's limit as possible.

The race has many columns, so that both memory passes and operator calls matter.
"""

from __future__ import annotations

from functools import partial

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_09_scans.scan_common import (
    COUNT_SIZES,
    RACE_SIZE,
    column_count,
    doubling_scan,
    large_value_first,
    linear_bytes,
    pair_scan,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import normal, uniform


def gated_scan_slow(gates, x):
    """Row t of the result is row t of x plus gates[t] times the previous row of the result."""
    result = torch.empty_like(x)
    state = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for t in range(len(x)):
        state = gates[t] * state + x[t]
        result[t] = state
    return result


CHANNELS = 64


def _channel_count(rows):
    return CHANNELS if rows == RACE_SIZE else column_count(rows)


def _gates(generator, *shape, dtype=torch.float32):
    """Return values from 0 to 1; about a tenth are exactly 0 and a tenth exactly 1."""
    return (uniform(generator, -0.125, 1.125, *shape).clamp(0, 1)).to(dtype)


def _linear(one, other):
    """Return the combined step of y → a·y + b, first ``one``, then ``other``."""
    (a, b), (c, d) = one, other
    return [c * a, c * b + d]


def _pair(name, *shape, dtype=torch.float32):
    return Case(name, lambda g: (_gates(g, *shape, dtype=dtype), normal(g, *shape, dtype=dtype)))


def _constant_gates(name, gate, rows, columns=2, dtype=torch.float32):
    shape = rows, columns
    return Case(name, lambda g: (torch.full(shape, gate, dtype=dtype), normal(g, *shape, dtype=dtype)))


def _steady_gates(generator):
    """Return one gate per column: products of 16 gates range from 1e-16 to 0.2, and small ones count, too."""
    gates = torch.linspace(0.1, 0.9, 17, dtype=torch.float64).expand(100, 17).clone()
    return gates, normal(generator, 100, 17, dtype=torch.float64)


def _by_division(gates, x):
    products = gates.cumprod(0)
    return products * (x / products).cumsum(0)


def _by_clamped_division(least, gates, x):
    products = gates.cumprod(0).clamp(min=least)
    return products * (x / products).cumsum(0)


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
        _gates(generator, size, _channel_count(size)),
        normal(generator, size, _channel_count(size)),
    ),
    bounded=("gates",),
    edge_cases=(
        _pair("no rows", 0, 3),
        _pair("no columns", 4, 0),
        _pair("no rows, in three dimensions", 0, 2, 3),
        _pair("one row", 1, 3),
        _pair("5,000 columns", 2, 5000),
        _pair("a single series without columns", 6),
        _pair("four dimensions, the last of size 1", 3, 3, 3, 1),
        _pair("float64 values, with gates that are 0", 40, 2, dtype=torch.float64),
        _pair("a prime number of rows", 131, 2),
        fixed_case("a gate of 0", [[0.5], [0.5], [0.0], [0.5]], [[1e6], [1.0], [0.25], [1.0]]),
        _constant_gates("gates that are all 0", 0.0, 5),
        _constant_gates("gates that are all 1", 1.0, 40),
        _constant_gates("gates whose products underflow", 1e-30, 40),
        # Only float64 shows what a gate of 1e-10 adds. A case of up to 64 values runs in float64, too.
        _constant_gates("tiny gates", 1e-10, 16),
    ),
    worst=(
        Case("float64 values, with a steady gate in each column", _steady_gates),
        _constant_gates("gates of 0.99 over 3,000 steps", 0.99, 3000),
        _constant_gates("gates of 0.5 over 2,000 steps", 0.5, 2000),
        Case("gates of 1 over 16,385 steps", lambda g: (torch.ones(16_385, 1), large_value_first(g))),
        _constant_gates("gates of 1 − 2⁻²⁰ over 3,000 steps", 1 - 2**-20, 3000),
        _constant_gates("float64 gates of 1 − 2⁻⁴⁰", 1 - 2**-40, 16, dtype=torch.float64),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        A selective state-space layer, such as Mamba's, carries a state through a long text. At each token and in each
        channel, a gate computed by the network determines the part of the state that is kept. Write `gated_scan(gates, x)`
        with `y[t] = gates[t] * y[t-1] + x[t]`, where `y[-1]`, before the first step, is 0. A correct scan that is at
        least twice as fast as the loop earns the points. Then look at the share of the limit on the card, and see how
        close you can get: the race has 64 channels and 4,096 steps, so each memory pass and each operator call costs
        time.
        """
    ),
    rules=prose(
        """
        - `gates`, `x` and the result have the same shape and dtype, float32 or float64. The result shares no memory with the
          inputs. Time runs along axis 0; there may be any number of dimensions. `x` is finite, and its sums don't overflow.
          Gates are from 0 to 1, inclusive, one for every row and column. There may also be one row or none, or no columns. The
          inputs are not modified.
        - The result is as exact as the loop's over thousands of steps. A gate of 0 erases everything before it.
        """
    ),
    limits=(
        at_most(800, "ops"),
        at_most(linear_bytes, "bytes", "64 times the bytes of `gates` plus 1 MB"),
        at_most(0, "syncs"),
    ),
    target=2.0,
    cost=lambda rows: Cost(reads=8 * rows * _channel_count(rows), writes=4 * rows * _channel_count(rows), launches=1),
    ways={
        "doubling": lambda gates, x: doubling_scan(_linear, [gates, x])[1],
        "pair scan": lambda gates, x: pair_scan(_linear, [gates, x])[1],
    },
    hints=items(
        """
        - A step is the pair (gate, row), and the lesson's combination of pairs works with different gates too. A scan
          of these pairs is correct and earns the points. What dominates its cost: operator calls or memory passes?
        - A loop over time isn't slow because it is a loop, but because each iteration does too little work. Cut the
          rows into blocks of eight or sixteen and process all blocks at once, one row of each block at a time: each
          operation then works on blocks × columns values.
        - After that, each block still lacks its initial state. The last rows of the blocks and the products of their
          gates form a gated scan again, with far fewer rows: call your function for them. Row i of the result is the
          initial state of block i + 1; block 0 starts from 0. Then one operation adds the decayed initial states:
          `y.addcmul_(products, initial)`. Compute the products in the same iterations; one `unbind(1)` saves many slices.
          `torch.addcmul(row, gate, state, out=…)` is a step in one operation.
        """
    ),
    mistakes=(
        Mistake(
            "Dividing by the product of the gates fails, because the product is 0 after a gate of 0 or after enough "
            "small gates, and logarithms don't help: scan pairs instead.",
            _by_division,
        ),
        *(
            Mistake(
                "The product of the gates is clamped above 0 to divide by it, but a clamped value is not a product "
                "anymore: scan pairs instead.",
                partial(_by_clamped_division, least),
            )
            for least in (1e-30, 1e-20, 1e-12, 1e-10, 1e-8, 1e-6)
        ),
        Mistake(
            "This decays by one gate to the power k, but the gates differ: carry their product along with y.",
            _by_powers,
        ),
        Mistake(
            "This is the running sum: multiply the previous row of the result by the gate.",
            lambda gates, x: x.cumsum(0),
        ),
        Mistake(
            "The current row is multiplied by its gate too: add it unchanged.",
            lambda gates, x: gated_scan_slow(gates, gates * x),
        ),
        Mistake(
            "This is the state before the current row is added: return the state after it.",
            lambda gates, x: gated_scan_slow(gates, x) - x,
        ),
        Mistake(
            "The gates are shifted by one row: `gates[t]` multiplies the row before t.",
            lambda gates, x: gated_scan_slow(torch.cat([gates[:1], gates[:-1]]), x),
        ),
        Mistake(
            "This is only the first round of doubling: double k until it covers all rows.",
            lambda gates, x: torch.cat([x[:1], x[1:] + gates[1:] * x[:-1]]),
        ),
        Mistake(
            "The new row is multiplied by 1 − gate: add it unchanged.",
            lambda gates, x: gated_scan_slow(gates, (1 - gates) * x),
        ),
        Mistake(
            "Time runs backward: start at row 0.",
            lambda gates, x: gated_scan_slow(gates.flip(0), x.flip(0)).flip(0),
        ),
    ),
    sources=("S0.1",),
)
