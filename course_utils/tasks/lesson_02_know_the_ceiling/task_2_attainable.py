"""The roofline as a table: many kernels on many machines."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform


def attainable_slow(flops, bytes, peak_flops, peak_bytes_per_s):
    """Return the operations per second that each kernel can reach on each machine, with shape (kernels, machines)."""
    roof = torch.empty(len(flops), len(peak_flops), dtype=flops.dtype, device=flops.device)
    for i in range(len(flops)):
        for j in range(len(peak_flops)):
            if bytes[i] == 0:
                roof[i, j] = peak_flops[j]
            else:
                roof[i, j] = min(peak_flops[j], flops[i] / bytes[i] * peak_bytes_per_s[j])
    return roof


def _table(size, generator, machines=None):
    """Return kernels with intensities from 0.01 to 1,000, on machines whose ridge points lie in between."""
    machines = size // 8 + 2 if machines is None else machines
    moved = uniform(generator, 1e6, 1e9, size)
    flops = moved * 10 ** uniform(generator, -2, 3, size)
    peak = uniform(generator, 1e11, 1e13, machines)
    return flops, moved, peak, uniform(generator, 1e10, 1e12, machines)


def _these(*columns):
    return tuple(map(torch.tensor, columns))


def _outer(column, row):
    return column[:, None].expand(len(column), len(row))


TASK = Task(
    id="attainable",
    title="A roofline for each machine",
    points=3,
    level=2,
    slow=attainable_slow,
    inputs=_table,
    dtypes={"flops, bytes, peak_flops, peak_bytes_per_s": ("float64",)},
    edge_cases=(
        Case("no kernels", lambda generator: _table(0, generator)),
        Case("no machines", lambda generator: _table(3, generator, machines=0)),
        Case("4,100 kernels on a machine", lambda generator: _table(4100, generator, machines=1)),
        Case("a kernel on 4,100 machines", lambda generator: _table(1, generator, machines=4100)),
        Case("as many kernels as machines", lambda generator: _table(4, generator, machines=4)),
        Case("a kernel that moves nothing", lambda _: _these([1e6, 2e6], [0.0, 1e6], [5e10, 1e12], [1e10, 1e11])),
        Case("a kernel that computes nothing", lambda _: _these([0.0, 2e6], [8e6, 1e6], [5e10, 1e12], [1e10, 1e11])),
        Case("a product of flops and bandwidth beyond float32", lambda _: _these([1e30], [1e29], [1e13], [1e11])),
    ),
    worst=(
        Case(
            "a single operation that moves nothing, on a machine with a slow memory",
            lambda _: _these([1.0, 2.0], [0.0, 4.0], [1e30, 1e12], [1.0, 1e3]),
        ),
        Case(
            "a single operation that moves nothing, next to a single byte",
            lambda _: _these([1.0, 1.0, 1e-3], [0.0, 1.0, 1.0], [5e10, 1e12, 3.0], [1e10, 1e11, 2.0]),
        ),
        Case(
            "machines that differ by a factor of 1e12",
            lambda _: _these([1e3, 1e-6], [1e6, 1e3], [1e14, 1e2], [1e12, 1.0]),
        ),
    ),
    count_sizes=(8, 200),
    race_size=120,
    story=prose(
        """
        A team wants to rent machines for its model. A **kernel** is a compiled function that processes tensors. The
        team knows the operations and bytes of each kernel, and the two peaks of each machine on offer. Write
        `attainable(flops, bytes, peak_flops, peak_bytes_per_s)`, which returns the operations per second that each
        kernel can reach at best on each machine.
        """
    ),
    rules=prose(
        """
        - `flops` and `bytes` have shape (kernels,), and `peak_flops` and `peak_bytes_per_s` have shape (machines,); all are float32 or all float64. The result has
        shape (kernels, machines) and that dtype. There can be 0 kernels or 0 machines.
        - The result is the smaller of two values: the machine's `peak_flops`, and the kernel's intensity times the machine's `peak_bytes_per_s`.
        - A kernel that moves no bytes reaches `peak_flops`, however few operations it has. A kernel without operations moves at
        least one byte and reaches 0.
        """
    ),
    tolerance=1e-5,
    of_each_value=True,
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    target=50.0,
    cost=lambda size: Cost(reads=4 * 2 * (size + size // 8 + 2), writes=4 * size * (size // 8 + 2)),
    hints=items(
        """
        - Write the two values as tables. Which one depends on the kernel and the machine, and which on the machine only?
        - `intensity[:, None] * peak_bytes_per_s` has shape (kernels, machines): one intensity per row, one bandwidth per
          column. What is a positive number divided by zero, and what is the smaller of that and a peak?
        - `torch.minimum(peak_flops, (flops / bytes)[:, None] * peak_bytes_per_s)` broadcasts the peaks over the rows.
        """
    ),
    mistakes=(
        Mistake(
            "This is the larger of the two limits: a kernel can exceed neither, so take the smaller one.",
            lambda f, b, peak, rate: torch.maximum(_outer(peak, f).T, (f / b)[:, None] * rate),
        ),
        Mistake(
            "The peak is missing: limit the result to the machine's peak.",
            lambda f, b, peak, rate: (f / b)[:, None] * rate,
        ),
        Mistake(
            "This adds the time for compute and the time for memory traffic: a machine does both at the same time, so "
            "take the smaller of the two limits.",
            lambda f, b, peak, rate: f[:, None] / (f[:, None] / peak + b[:, None] / rate),
        ),
        Mistake(
            "The intensity is upside down: divide operations by bytes.",
            lambda f, b, peak, rate: torch.minimum(_outer(peak, f).T, (b / f)[:, None] * rate),
        ),
        Mistake(
            "These are seconds: return operations per second.",
            lambda f, b, peak, rate: torch.maximum(f[:, None] / peak, b[:, None] / rate),
        ),
    ),
)
