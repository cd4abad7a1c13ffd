"""Practice: a function that looks at a value, said without an `if`, so that vmap can follow it."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import normal


def clip_each_slow(rows, longest):
    """Each row that is longer than ``longest``, shortened to that length; the others as they are."""
    clipped = []
    for row in rows:
        length = row.norm()
        clipped.append(row * (longest / length) if length > longest else row)
    return torch.stack(clipped)


TASK = Task(
    id="clip_each",
    title="Shorten the long rows",
    points=0,
    level=1,
    slow=clip_each_slow,
    inputs=lambda size, generator: (normal(generator, size + 1, 4), 2.0),
    edge_cases=(
        fixed_case("a row of zeros", [[0.0, 0.0], [3.0, 4.0]], rest=(1.0,)),
        fixed_case("a row of just that length", [[3.0, 4.0], [6.0, 8.0], [0.3, 0.4]], rest=(5.0,)),
    ),
    limits=(at_most(40, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "Every row has that length now, the short ones too: a row that is short enough stays as it is.",
            lambda rows, longest: rows * (longest / rows.norm(dim=1, keepdim=True)),
        ),
        Mistake(
            "Each value is clipped by itself: meant is the length of the whole row.",
            lambda rows, longest: rows.clamp(-longest, longest),
        ),
    ),
)
