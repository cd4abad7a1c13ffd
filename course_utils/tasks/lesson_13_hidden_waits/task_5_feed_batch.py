"""A challenge: rows from a ring buffer, scaled on the way into a preallocated batch, at the speed of a copy.

Rows across the ring's end are in two pieces: an index over both pieces copies, slices don't.
"""

from __future__ import annotations

import torch

from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import buffer, noncontiguous_buffer, transposed_buffer
from course_utils.tasks.torch_inputs import integers, normal, uniform

COLUMNS = 512


def feed_batch_slow(ring, start, scale, shift, batch):
    """Fill batch with the rows of ring from start on, each column multiplied by its scale, plus its shift."""
    for i in range(len(batch)):
        row = ring[(start + i) % len(ring)]
        batch[i] = row * scale + shift


def _feed(generator, rows, columns, start, length):
    return (
        normal(generator, length, columns),
        start,
        uniform(generator, 0.5, 2.0, columns),
        normal(generator, columns),
        buffer(generator, rows, columns),
    )


def _random_position(generator, size):
    rows = size + 1
    length = rows + int(integers(generator, 1, rows + 2, 1))
    return _feed(generator, rows, 3 + size // 3, int(integers(generator, 0, length, 1)), length)


def _transposed(inputs):
    ring, *rest = inputs
    return ring.T.contiguous().T, *rest


def _with_special_values(inputs):
    """Put NaN into a row that the batch holds, and infinity into one that it doesn't hold."""
    ring, *rest = inputs
    ring = ring.clone()
    ring[5, 0], ring[3, 1] = torch.nan, torch.inf
    return ring, *rest


def _with_scale(scale, inputs):
    ring, start, scales, *rest = inputs
    return ring, start, torch.full_like(scales, scale), *rest


def by_index(ring, start, scale, shift, batch):
    """Select the rows by an index tensor."""
    rows = (start + torch.arange(len(batch), device=ring.device)) % len(ring)
    batch.copy_(ring[rows] * scale + shift)


def by_slices(ring, start, scale, shift, batch):
    """Compute each of two slices into a new temporary, then copy it into the batch."""
    head = min(len(batch), len(ring) - start)
    batch[:head] = ring[start : start + head] * scale + shift
    batch[head:] = ring[: len(batch) - head] * scale + shift


def _with_rows(change):
    """Return a mistake that selects the correct rows and computes ``change`` with them."""

    def mistake(ring, start, scale, shift, batch):
        rows = (start + torch.arange(len(batch))) % len(ring)
        batch.copy_(change(ring[rows], scale, shift))

    return mistake


def _with_offset(offset):
    def mistake(ring, start, scale, shift, batch):
        by_index(ring, start + offset, scale, shift, batch)

    return mistake


def _without_wrap(ring, start, scale, shift, batch):
    head = min(len(batch), len(ring) - start)
    batch[:head] = ring[start : start + head] * scale + shift


TASK = Task(
    id="feed_batch",
    title="A batch at the speed of a copy",
    points=4,
    level=3,
    slow=feed_batch_slow,
    reference=by_index,
    inputs=lambda size, generator: (
        _random_position(generator, size) if size < 1000 else _feed(generator, size, COLUMNS, size, size + size // 2)
    ),
    writes=("batch",),
    dtypes={"ring, scale, shift, batch": FLOATING},
    edge_cases=(
        Case("rows that end before the ring's end", lambda g: _feed(g, 3, 4, 2, 9)),
        Case("rows that end exactly with the ring", lambda g: _feed(g, 3, 4, 6, 9)),
        Case("rows that pass the ring's end", lambda g: _feed(g, 5, 4, 7, 9)),
        Case("a batch as long as the ring", lambda g: _feed(g, 6, 4, 4, 6)),
        Case("a start at the ring's last row", lambda g: _feed(g, 4, 3, 5, 6)),
        Case("a batch without rows", lambda g: _feed(g, 0, 3, 2, 5)),
        Case("the whole ring from its first row, and as many columns", lambda g: _feed(g, 4, 4, 0, 4)),
        Case("rows of 5,000 columns", lambda g: _feed(g, 2, 5000, 2, 3)),
        Case("5,000 rows", lambda g: _feed(g, 5000, 2, 700, 5100)),
        Case("a single column, and a scale below 0", lambda g: _with_scale(-1.5, _feed(g, 3, 1, 3, 4))),
        Case("a batch full of NaN", lambda g: (*_feed(g, 5, 3, 4, 7)[:4], torch.full((5, 3), torch.nan))),
        Case("NaN and infinity in the ring", lambda g: _with_special_values(_feed(g, 5, 3, 4, 7))),
        Case("a transposed ring", lambda g: _transposed(_feed(g, 5, 3, 4, 7))),
        Case("a scale of 0", lambda g: _with_scale(0, _feed(g, 5, 3, 4, 7))),
        transposed_buffer(lambda g: _feed(g, 5, 3, 4, 7)[:4], 5, 3),
        # PyTorch enlarges an `out=` that has too few rows, and then ignores gaps in its memory.
        noncontiguous_buffer(lambda g: _feed(g, 3, 4, 2, 9)[:4], 3, 4),
    ),
    worst="The rows are independent; a batch at, before and past the ring's end are edge cases.",
    race_size=2000,
    count_sizes=(8, 64),
    story=prose(
        """
        A vibration sensor writes rows of 512 bands into a ring buffer, one after the other; after the last row it
        continues with the first. A model monitors the machine: its next batch consists of the rows from row `start` on,
        each column multiplied by its `scale`, plus its `shift`. The batch is computed a hundred times per second, so
        its memory is allocated once and refilled each time. (On a machine with a GPU, it would be pinned.) Write
        `feed_batch(ring, start, scale, shift, batch)`, which fills `batch`.
        """
    ),
    rules=prose(
        """
        - `ring` and `batch` are matrices with as many columns as `scale` and `shift` have values, all of one floating
          dtype and on the same device. `start` is the index of a row of the ring, a Python integer, 0 or more. `batch` has at
          most as many rows as the ring.
        - The result is the content of `batch` afterward; the return value is ignored. Nothing else is modified.
        - The limit is one read and one write of each value. How close can you get?
        """
    ),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    target=2.0,
    cost=lambda size: Cost(reads=4 * COLUMNS * size, writes=4 * COLUMNS * size, launches=2),
    ways={"indexing": by_index, "slices": by_slices},
    hints=items(
        """
        - Consecutive rows are a slice, which copies nothing. At the ring's end a second slice starts: how many rows
          does the first slice have?
        - An operation with a new result writes it to memory, and another operation reads it again. With
          `out=batch[:head]`, an operation writes directly into the batch.
        - PyTorch multiplies and adds in one pass with `torch.addcmul(shift, rows, scale, out=…)`.
        """
    ),
    mistakes=(
        Mistake("The rows past the ring's end are missing: continue with its first row.", _without_wrap),
        Mistake("The shift is missing: add it.", _with_rows(lambda rows, scale, shift: rows * scale)),
        Mistake("The scale is missing: multiply by it.", _with_rows(lambda rows, scale, shift: rows + shift)),
        Mistake(
            "The shift is added before the scale: multiply first, then add.",
            _with_rows(lambda rows, scale, shift: (rows + shift) * scale),
        ),
        Mistake("Off by one: the first row is row `start` itself.", _with_offset(1)),
        Mistake("Off by one: this starts one row before `start`, so begin at `start`.", _with_offset(-1)),
        Mistake(
            "These are the rows from the ring's first row on: begin at `start`.",
            lambda ring, start, scale, shift, batch: by_index(ring, 0, scale, shift, batch),
        ),
    ),
    sources=("S1.1",),
)
