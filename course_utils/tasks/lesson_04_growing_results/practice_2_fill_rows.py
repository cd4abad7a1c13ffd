"""Practice: join pieces of different lengths in a preallocated buffer, in one operation."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import buffer
from course_utils.tasks.torch_inputs import integers, normal


def fill_rows_slow(pieces, out):
    """Write the rows of all pieces to out, one below the other."""
    position = 0
    for piece in pieces:
        for row in piece:
            out[position] = row
            position += 1


def _inputs(size, generator):
    lengths = [1 + k % 3 for k in range(6)] + [size]
    return [normal(generator, length, 4) for length in lengths], buffer(generator, sum(lengths), 4)


def _piece_twice(generator):
    piece = normal(generator, 2, 3)
    return [normal(generator, 0, 3), piece, piece], buffer(generator, 4, 3)


def _each_at_the_top(pieces, out):
    for piece in pieces:
        out[: len(piece)] = piece


TASK = Task(
    id="fill_rows",
    title="Pieces in a preallocated buffer",
    points=0,
    level=1,
    slow=fill_rows_slow,
    inputs=_inputs,
    writes=("out",),
    edge_cases=(
        Case("a piece without rows", lambda g: ([normal(g, 2, 3), normal(g, 0, 3), normal(g, 1, 3)], buffer(g, 3, 3))),
        Case("one piece of 5,000 rows", lambda g: ([normal(g, 5000, 1)], buffer(g, 5000, 1))),
        Case("600 pieces", lambda g: ([normal(g, 1, 2) for _ in range(600)], buffer(g, 600, 2))),
        Case("pieces of 5,000 columns", lambda g: ([normal(g, 2, 5000), normal(g, 1, 5000)], buffer(g, 3, 5000))),
        Case("one piece twice, after an empty one", _piece_twice),
        Case("pieces that are all empty", lambda g: ([normal(g, 0, 3)] * 2, buffer(g, 0, 3))),
        Case(
            "float64 pieces",
            lambda g: ([normal(g, rows, 3, dtype=torch.float64) for rows in (2, 1)], buffer(g, 3, 3).double()),
        ),
        Case(
            "large integers",
            lambda g: ([2**53 + integers(g, 1, 9, rows, 2) for rows in (2, 1)], integers(g, 1, 9, 3, 2)),
        ),
    ),
    worst="Each row of the result is a copy of one row, whatever the number of rows.",
    limits=(at_most(1, "ops"), at_most(0, "bytes")),
    mistakes=(
        Mistake(
            "Every piece starts at row 0 and overwrites the one before: advance by the length of each piece.",
            _each_at_the_top,
        ),
        Mistake(
            "The pieces are in reverse order: the first piece comes first.",
            lambda pieces, out: fill_rows_slow(pieces[::-1], out),
        ),
    ),
    sources=("S0.3", "S1.5"),
)
