"""A challenge: rows out of a ring buffer, scaled on the way into a given batch, at the speed of a copy.

Where the rows pass the ring's end they lie in two pieces: an index over all of them copies, a slice does not.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import buffer
from course_utils.tasks.torch_inputs import integers, normal, uniform
from course_utils.tasks.unwrap import items, prose

COLUMNS = 512


def feed_batch_slow(ring, start, scale, shift, batch):
    """Fill batch with the rows of ring from start on, each column times its scale plus its shift."""
    for i in range(len(batch)):
        row = ring[(start + i) % len(ring)]
        batch[i] = row * scale + shift


def _feed(generator, rows, columns, start, length, dtype=torch.float32):
    return (
        normal(generator, length, columns, dtype=dtype),
        start,
        uniform(generator, 0.5, 2.0, columns, dtype=dtype),
        normal(generator, columns, dtype=dtype),
        buffer(generator, rows, columns, dtype=dtype),
    )


def _anywhere(generator, size):
    rows = size + 1
    length = rows + int(integers(generator, 1, rows + 2, 1))
    return _feed(generator, rows, 3, int(integers(generator, 0, length, 1)), length)


def _turned(inputs):
    ring, *rest = inputs
    return ring.T.contiguous().T, *rest


def by_index(ring, start, scale, shift, batch):
    """The rows picked by their numbers."""
    rows = (start + torch.arange(len(batch), device=ring.device)) % len(ring)
    batch.copy_(ring[rows] * scale + shift)


def by_slices(ring, start, scale, shift, batch):
    """Two slices, each into fresh memory and then into the batch."""
    head = min(len(batch), len(ring) - start)
    batch[:head] = ring[start : start + head] * scale + shift
    batch[head:] = ring[: len(batch) - head] * scale + shift


def _written(change):
    """A mistake that is made with the rows, picked rightly."""

    def mistake(ring, start, scale, shift, batch):
        rows = (start + torch.arange(len(batch))) % len(ring)
        batch.copy_(change(ring[rows], scale, shift))

    return mistake


def _from_row(offset):
    def mistake(ring, start, scale, shift, batch):
        by_index(ring, start + offset, scale, shift, batch)

    return mistake


def _stopping_at_the_end(ring, start, scale, shift, batch):
    head = min(len(batch), len(ring) - start)
    batch[:head] = ring[start : start + head] * scale + shift


TASK = Task(
    id="feed_batch",
    title="A batch at the speed of a copy",
    points=4,
    level=3,
    slow=feed_batch_slow,
    inputs=lambda size, generator: (
        _anywhere(generator, size) if size < 1000 else _feed(generator, size, COLUMNS, size, size + size // 2)
    ),
    writes=("batch",),
    edge_cases=(
        Case("rows that end before the ring's end", lambda g: _feed(g, 3, 4, 2, 9)),
        Case("rows that end just with the ring", lambda g: _feed(g, 3, 4, 6, 9)),
        Case("rows that pass the ring's end", lambda g: _feed(g, 5, 4, 7, 9)),
        Case("a batch as long as the ring", lambda g: _feed(g, 6, 4, 4, 6)),
        Case("a start at the ring's last row", lambda g: _feed(g, 4, 3, 5, 6)),
        Case("a batch without rows", lambda g: _feed(g, 0, 3, 2, 5)),
        Case("as many rows as columns", lambda g: _feed(g, 4, 4, 3, 6)),
        Case("float64 values", lambda g: _feed(g, 5, 3, 4, 7, torch.float64)),
        Case("a ring turned on its side", lambda g: _turned(_feed(g, 5, 3, 4, 7))),
    ),
    race_size=2000,
    count_sizes=(8, 64),
    timeout_s=8.0,
    story=prose(
        """
        A vibration sensor writes one row of 512 bands after the other into a ring buffer; after its last row it goes on with its
        first. A model watches the machine: its next batch are the rows from row `start` on, each column times its `scale` plus
        its `shift`. The batch is made anew a hundred times a second, so its memory is given once and is filled again each time.
        (On a machine with a GPU it would be pinned.) Write `feed_batch(ring, start, scale, shift, batch)`, which fills `batch`.
        """
    ),
    rules=prose(
        """
        - `ring` and `batch` are matrices of as many columns as `scale` and `shift` have values, all of one dtype and device.
        `start` is a row of the ring, a Python number; `batch` has at most as many rows as the ring.
        - What stands in `batch` afterwards counts, whatever you return. All else stays as it was.
        - A few tensor operations, however many rows there are, and Python waits for no value.
        - The challenge: the least that must be done is to read each number once and to write it once. How near can you come?
        """
    ),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    target=2.0,
    cost=lambda size: Cost(reads=4 * COLUMNS * size, writes=4 * COLUMNS * size, launches=2),
    ways={"index": by_index, "slices": by_slices},
    hints=items(
        """
        - Rows that follow each other are a slice, which copies nothing. Where the ring ends, a second slice begins: how many
          rows has the first?
        - Every operation with a result of its own writes that result, and somebody reads it again. `out=batch[:head]` lets an
          operation write where the numbers are to end.
        - torch has one operation that multiplies and adds in one pass: `torch.addcmul(shift, rows, scale, out=…)`.
        """
    ),
    mistakes=(
        Mistake("The rows past the ring's end are missing: it goes on with its first row.", _stopping_at_the_end),
        Mistake("The shift is missing.", _written(lambda rows, scale, shift: rows * scale)),
        Mistake("The scale is missing.", _written(lambda rows, scale, shift: rows + shift)),
        Mistake(
            "The shift was added first, and multiplied as well: each value times scale, then plus shift.",
            _written(lambda rows, scale, shift: (rows + shift) * scale),
        ),
        Mistake("Off by one: the first row is row `start` itself.", _from_row(1)),
        Mistake("Off by one: this begins a row before `start`.", _from_row(-1)),
        Mistake(
            "These are the rows from the ring's beginning on, not from `start`.",
            lambda ring, start, scale, shift, batch: by_index(ring, 0, scale, shift, batch),
        ),
    ),
    sources=("S1.1",),
)
