"""Append a row to a buffer that doubles its rows when it is full."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal


def append_row_slow(buffer, filled, row):
    """Return the buffer and filled + 1, with row after the first filled rows of buffer."""
    if filled == len(buffer):
        grown = torch.zeros(2 * len(buffer), buffer.shape[1], dtype=buffer.dtype, device=buffer.device)
        for k in range(len(buffer)):
            grown[k] = buffer[k]
        buffer = grown
    buffer[filled] = row
    return buffer, filled + 1


def _inputs(size, generator):
    columns = 4 + size // 4
    return normal(generator, size, columns), size - size % 2, normal(generator, columns)


TASK = Task(
    id="append_row",
    title="Growth by doubling",
    points=0,
    level=1,
    slow=append_row_slow,
    inputs=_inputs,
    sizes=(1, 2, 3, 4, 8),
    writes=("buffer",),
    returns=True,
    edge_cases=(
        Case("an empty buffer of four rows", lambda g: (torch.zeros(4, 3), 0, normal(g, 3))),
        Case("old values in three free rows", lambda g: (normal(g, 5, 3), 2, normal(g, 3))),
        Case(
            "NaN in two free rows",
            lambda g: (torch.cat([normal(g, 2, 3), torch.full((2, 3), torch.nan)]), 2, normal(g, 3)),
        ),
        Case(
            "a full buffer of three float64 rows",
            lambda g: (normal(g, 3, 3, dtype=torch.float64), 3, normal(g, 3, dtype=torch.float64)),
        ),
        Case("infinity in a full buffer", lambda g: (torch.full((2, 3), torch.inf), 2, normal(g, 3))),
        Case(
            "a full buffer of 5,000 integers",
            lambda g: (integers(g, -9, 10, 5000, 1), 5000, torch.tensor([2**53 + 1])),
        ),
        Case(
            "infinity and NaN in a row of 5,000 float16 values, and a full buffer",
            lambda _: (torch.zeros(2, 5000).half(), 2, torch.tensor([torch.inf, torch.nan] * 2500).half()),
        ),
        Case("a full buffer of one row", lambda g: (normal(g, 1, 3), 1, normal(g, 3))),
    ),
    worst="Each call writes one row, whatever the buffer holds; a full buffer of one row is an edge case.",
    limits=(at_most(12, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The buffer has a free row, so it must not grow: write `row` into `buffer[filled]`, and return the same buffer.",
            lambda buffer, filled, row: append_row_slow(torch.cat([buffer, torch.zeros_like(buffer)]), filled, row),
        ),
        Mistake(
            "The full buffer grows by one row: double its rows.",
            lambda buffer, filled, row: append_row_slow(
                torch.cat([buffer, row[None]]) if filled == len(buffer) else buffer, filled, row
            ),
        ),
    ),
    sources=("S0.3",),
)
