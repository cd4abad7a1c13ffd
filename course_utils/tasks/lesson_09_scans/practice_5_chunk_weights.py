"""Practice of chunks: the small triangle of powers by which all chunks are multiplied."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task


def chunk_weights_slow(decay, width):
    """Row t and column s: what is left at row t of a number that came at row s, and 0 where it comes later."""
    out = torch.zeros(width, width)
    for t in range(width):
        for s in range(t + 1):
            out[t, s] = decay ** (t - s)
    return out


def _ages(width):
    t = torch.arange(width)
    return t[:, None] - t


TASK = Task(
    id="chunk_weights",
    title="The triangle of powers",
    points=0,
    level=1,
    slow=chunk_weights_slow,
    inputs=lambda size, generator: (round(float(generator.uniform(0.3, 0.9)), 1), size + 1),
    limits=(at_most(12, "ops"),),
    mistakes=(
        Mistake(
            "Rows and columns are mixed up: row t looks back at earlier columns.",
            lambda decay, width: (decay ** _ages(width).T.clamp(min=0)).triu(),
        ),
        Mistake(
            "What comes later is not cut off: `tril` keeps the lower triangle.",
            lambda decay, width: decay ** _ages(width).clamp(min=0),
        ),
        Mistake(
            "t and s have changed places: the age is the row less the column, `t[:, None] - t`.",
            lambda decay, width: (decay ** _ages(width).T.clamp(min=0)).tril(),
        ),
    ),
)
