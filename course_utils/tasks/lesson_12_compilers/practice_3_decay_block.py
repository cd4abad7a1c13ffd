"""Practice of deliberate unrolling: a few dependent steps that a compiler fuses into one pass."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import buffer, nan_buffer
from course_utils.tasks.torch_inputs import normal


def decay_block_slow(x, state, decay, out):
    """Write into each row of out decay times the previous row (state for the first) plus the same row of x."""
    for t in range(x.shape[0]):
        for j in range(x.shape[1]):
            before = state[j] if t == 0 else out[t - 1, j]
            out[t, j] = decay * before + x[t, j]


def _row_by_row(x, state, decay, out):
    for t in range(len(x)):
        state = decay * state + x[t]
        out[t] = state


def _without_state(x, state, decay, out):
    _row_by_row(x, torch.zeros_like(state), decay, out)


def _inputs(generator, rows, columns, decay=0.75, dtype=torch.float32):
    return (
        normal(generator, rows, columns, dtype=dtype),
        normal(generator, columns, dtype=dtype),
        decay,
        buffer(generator, rows, columns, dtype=dtype),
    )


TASK = Task(
    id="decay_block",
    title="A few rows in one graph",
    points=0,
    level=1,
    slow=decay_block_slow,
    reference=_row_by_row,
    inputs=lambda size, generator: _inputs(generator, 4, size),
    writes=("out",),
    edge_cases=(
        Case("one row", lambda generator: _inputs(generator, 1, 3)),
        Case("float64 values", lambda generator: _inputs(generator, 3, 2, dtype=torch.float64)),
        Case("a decay below 0", lambda generator: _inputs(generator, 3, 4, decay=-0.3)),
        Case("a decay above 1", lambda generator: _inputs(generator, 3, 4, decay=1.5)),
        Case("5,000 columns", lambda generator: _inputs(generator, 2, 5000)),
        nan_buffer(lambda generator: _inputs(generator, 3, 4)[:3], 3, 4),
        Case("seven rows, decay 0", lambda generator: _inputs(generator, 7, 2, decay=0.0)),
    ),
    worst=(
        Case("twenty rows, decay 1", lambda generator: _inputs(generator, 20, 3, decay=1.0)),
        Case("thirty rows, decay 0.01", lambda generator: _inputs(generator, 30, 3, decay=0.01)),
    ),
    limits=(at_most(1, "graphs"), at_most(40, "ops")),
    mistakes=(
        Mistake("The first row ignores `state`: add `decay * state` to it.", _without_state),
        Mistake(
            "These are the rows of `x`: add `decay` times the previous row.", lambda x, state, decay, out: out.copy_(x)
        ),
    ),
)
