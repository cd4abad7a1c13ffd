"""The roof above many operations on many machines: the roofline as a table."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import noncontiguous, uniform
from course_utils.tasks.unwrap import items, prose


def attainable_slow(flops, bytes, peak_flops, peak_bytes_per_s):
    """Operations a second that each work can reach on each machine: a row a work, a column a machine."""
    roof = torch.empty(len(flops), len(peak_flops), dtype=flops.dtype, device=flops.device)
    for i in range(len(flops)):
        for j in range(len(peak_flops)):
            if bytes[i] == 0:
                roof[i, j] = peak_flops[j]
            else:
                roof[i, j] = min(peak_flops[j], flops[i] / bytes[i] * peak_bytes_per_s[j])
    return roof


def _table(size, generator, dtype=torch.float32, machines=None):
    """Works of intensities between 0.01 and 1,000, on machines whose ridges lie among them."""
    machines = size // 8 + 2 if machines is None else machines
    moved = uniform(generator, 1e6, 1e9, size, dtype=dtype)
    flops = moved * 10 ** uniform(generator, -2, 3, size, dtype=dtype)
    peak = uniform(generator, 1e11, 1e13, machines, dtype=dtype)
    return flops, moved, peak, uniform(generator, 1e10, 1e12, machines, dtype=dtype)


def _these(*columns):
    return tuple(map(torch.tensor, columns))


def _outer(column, row):
    return column[:, None].expand(len(column), len(row))


TASK = Task(
    id="attainable",
    title="A roof for every machine",
    points=3,
    level=2,
    slow=attainable_slow,
    inputs=_table,
    edge_cases=(
        Case("no works", lambda generator: _table(0, generator)),
        Case("no machines", lambda generator: _table(3, generator, machines=0)),
        Case("as many works as machines", lambda generator: _table(4, generator, machines=4)),
        Case("work that moves nothing", lambda _: _these([1e6, 2e6], [0.0, 1e6], [5e10, 1e12], [1e10, 1e11])),
        Case("work that computes nothing", lambda _: _these([0.0, 2e6], [8e6, 1e6], [5e10, 1e12], [1e10, 1e11])),
        Case("more work than float32 can multiply with a bandwidth", lambda _: _these([1e30], [1e29], [1e13], [1e11])),
        Case("every second of longer tables", lambda g: tuple(map(noncontiguous, _table(5, g)))),
        Case("float64 values", lambda generator: _table(4, generator, dtype=torch.float64)),
    ),
    count_sizes=(8, 200),
    race_size=120,
    story=prose(
        """
        A team wants to rent machines for its model. It knows the operations and the bytes of each of its works, and the
        two peaks of each machine that it may rent. Write `attainable(flops, bytes, peak_flops, peak_bytes_per_s)`, which
        gives the operations a second that each work can reach at best on each machine.
        """
    ),
    rules=prose(
        """
        - `flops` and `bytes` have the shape (works,), the two peaks (machines,); all are of one dtype. The result has the
        shape (works, machines) and that dtype.
        - The roof is the smaller one of the machine's peak and of the work's intensity times the machine's bandwidth.
        - Work that moves nothing is bound by the peak alone. Work that computes nothing reaches 0.
        - A few tensor operations, however many works and machines there are. Python waits for no value.
        """
    ),
    tolerance=1e-5,  # of each value, however large the peaks are
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    target=50.0,
    cost=lambda size: Cost(reads=4 * 2 * (size + size // 8 + 2), writes=4 * size * (size // 8 + 2)),
    hints=items(
        """
        - Write the two sides of the roof as tables. Which of them depends on the work and the machine, which on the
          machine alone?
        - An intensity a row, a bandwidth a column: `intensity[:, None] * peak_bytes_per_s` has the shape
          (works, machines). What does a division by zero give, and what does the smaller one of it and a peak?
        - torch.minimum(peak_flops, (flops / bytes)[:, None] * peak_bytes_per_s) broadcasts the peaks over the rows.
        """
    ),
    mistakes=(
        Mistake(
            "This is the larger one of the two; both must be kept to, so the smaller one is the roof.",
            lambda f, b, peak, rate: torch.maximum(_outer(peak, f).T, (f / b)[:, None] * rate),
        ),
        Mistake(
            "The peak is forgotten: no work computes faster than that.",
            lambda f, b, peak, rate: (f / b)[:, None] * rate,
        ),
        Mistake(
            "Computing and moving are done one after the other here; they go on at the same time.",
            lambda f, b, peak, rate: f[:, None] / (f[:, None] / peak + b[:, None] / rate),
        ),
        Mistake(
            "The intensity is upside down: operations for each byte, not bytes for each operation.",
            lambda f, b, peak, rate: torch.minimum(_outer(peak, f).T, (b / f)[:, None] * rate),
        ),
        Mistake(
            "These are seconds; wanted are operations a second.",
            lambda f, b, peak, rate: torch.maximum(f[:, None] / peak, b[:, None] / rate),
        ),
    ),
)
