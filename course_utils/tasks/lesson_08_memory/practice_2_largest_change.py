"""Practice of chunks: each chunk is reduced to a small result, and the chunk itself is freed."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import float64
from course_utils.tasks.torch_inputs import normal

_CHUNKS = 16


def largest_change_slow(before, after, chunk):
    """Return the largest absolute difference in each column of two tables of the same shape."""
    largest = torch.zeros(before.shape[1], dtype=before.dtype, device=before.device)
    for i in range(before.shape[0]):
        for j in range(before.shape[1]):
            change = abs(after[i, j] - before[i, j])
            largest[j] = max(largest[j], change)
    return largest


def _tables(generator, rows, chunk, columns=3):
    return normal(generator, rows, columns), normal(generator, rows, columns), chunk


def _early_change(generator, chunks):
    before, after, chunk = _tables(generator, 2 * chunks, 2)
    after[0] = before[0] - 100
    return before, after, chunk


def _late_change(generator):
    before, after, chunk = _tables(generator, 4099, 2049)
    after[-1] = before[-1] + 100
    return before, after, chunk


TASK = Task(
    id="largest_change",
    title="The largest change, in chunks",
    points=0,
    level=1,
    slow=largest_change_slow,
    inputs=lambda size, generator: _tables(generator, _CHUNKS * size, size, columns=max(3, size // 2)),
    edge_cases=(
        Case("a shorter last chunk", lambda g: _tables(g, 7, 3)),
        Case("a single chunk", lambda g: _tables(g, 4, 9)),
        Case("a single column", lambda g: _tables(g, 5, 2, columns=1)),
        Case("a single row of 600 columns", lambda g: _tables(g, 1, 2, columns=600)),
        float64((5, 3), (5, 3), rest=(2,)),
    ),
    worst=(
        Case("the largest change in the first chunk of 40", lambda g: _early_change(g, 40)),
        Case("the largest change in a last chunk of one row, after chunks of 2,049", _late_change),
        Case("300 chunks", lambda g: _tables(g, 300, 1, columns=2)),
        Case("changes of about 1e25", lambda g: (normal(g, 5, 3, scale=1e25), normal(g, 5, 3, scale=1e25), 2)),
        Case("changes of about a billionth", lambda g: (normal(g, 5, 3, scale=1e-9), normal(g, 5, 3, scale=1e-9), 2)),
    ),
    reference=lambda before, after, chunk: (after - before).abs().amax(0),
    sizes=(1, 2, 3),
    count_sizes=(8, 256),
    limits=(
        at_most(120, "ops"),
        at_most(
            lambda before, after, chunk: 3 * chunk * before.shape[1] * 4 + 1024,
            "peak bytes",
            "three chunks plus 1,024 bytes",
        ),
        at_most(0, "syncs"),
    ),
    mistakes=(
        Mistake(
            "Decreases are ignored: take the absolute value.",
            lambda before, after, chunk: (after - before).amax(0).clamp(min=0),
        ),
        Mistake(
            "This is the largest change in the last chunk only: keep the maximum over all chunks.",
            lambda before, after, chunk: (after - before).abs().split(chunk)[-1].amax(0),
        ),
        Mistake(
            "These are the largest changes per row: return one value per column.",
            lambda before, after, chunk: (after - before).abs().amax(1),
        ),
    ),
)
