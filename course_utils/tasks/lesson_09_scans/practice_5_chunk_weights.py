"""Practice of chunks: the triangular matrix of powers that multiplies every chunk."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case


def chunk_weights_slow(decay, width):
    """Return decay ** (t − s) at row t, column s, the weight that a value of row s has at row t; 0 if s > t."""
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
    inputs=lambda size, generator: (round(float(generator.uniform(0.7, 0.9)), 1), size + 1),
    edge_cases=(
        # 0.01 ** -39 is infinite in float32, and 0.01 ** 39 is 0: products with a mask and quotients of powers are NaN.
        fixed_case("a small decay and a wide matrix", rest=(0.01, 40)),
        fixed_case("a decay of 0", rest=(0.0, 3)),
        fixed_case("a negative decay", rest=(-0.5, 4)),
        fixed_case("a decay above 1", rest=(1.5, 4)),
        fixed_case("a decay near 1 and a wide matrix", rest=(0.99, 260)),
    ),
    worst="Each weight follows from its row and column; the slow loop computes each of them.",
    limits=(at_most(12, "ops"),),
    race_size=128,
    target=60.0,  # A loop over Python numbers uses no tensor that a count could see, so only its time reveals the loop.
    mistakes=(
        Mistake(
            "Rows and columns are swapped: row t combines earlier columns.",
            lambda decay, width: (decay ** _ages(width).T.clamp(min=0)).triu(),
        ),
        Mistake(
            "The upper triangle isn't 0: `tril` keeps the lower triangle.",
            lambda decay, width: decay ** _ages(width).clamp(min=0),
        ),
        Mistake(
            "t and s are swapped: the age is the row index minus the column index, `t[:, None] - t`.",
            lambda decay, width: (decay ** _ages(width).T.clamp(min=0)).tril(),
        ),
        Mistake(
            "Above the diagonal the exponent is negative, so the power can be infinite, and infinity times 0 is NaN: clamp the "
            "exponent at 0 first, or select with `tril`.",
            lambda decay, width: decay ** _ages(width).float() * (_ages(width) >= 0),
        ),
    ),
)
