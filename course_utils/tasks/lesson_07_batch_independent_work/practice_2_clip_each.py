"""Practice: a condition on a value, written without `if` so that vmap can run it."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import normal


def clip_each_slow(rows, longest):
    """Return the rows, with each row longer than ``longest`` scaled down to that length."""
    clipped = []
    for row in rows:
        length = row.norm()
        clipped.append(row * (longest / length) if length > longest else row)
    return torch.stack(clipped)


def _inputs(size, generator):
    columns = 4 + size
    return normal(generator, size + 1, columns, scale=1.9 / columns**0.5), 1.9  # About half of the rows are longer.


TASK = Task(
    id="clip_each",
    title="Shorten the long rows",
    points=0,
    level=1,
    slow=clip_each_slow,
    inputs=_inputs,
    edge_cases=(
        fixed_case("a row of zeros", [[0.0, 0.0], [3.0, 4.0]], rest=(1.0,)),
        fixed_case("a row exactly as long as the limit", [[3.0, 4.0], [6.0, 8.0], [0.3, 0.4]], rest=(5.0,)),
        random_case("a single row", (1, 3), rest=(1.0,)),
        random_case("rows of one value", (50, 1), rest=(0.5,)),
        random_case("4,099 rows", (4099, 2), rest=(1.5,)),
        random_case("rows of 4,099 values", (4, 4099), rest=(32.0,)),
        float64((4, 3), rest=(1.0,)),
        Case("rows of about 1e-15", lambda generator: (normal(generator, 4, 3, scale=1e-15), 1e-15)),
    ),
    worst="Each row is clipped on its own; a row exactly at the limit is an edge case.",
    limits=(at_most(40, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "Every row was scaled to `longest`, including the short ones: a short row stays unchanged.",
            lambda rows, longest: rows * (longest / rows.norm(dim=1, keepdim=True)),
        ),
        Mistake(
            "Each value was clipped separately: `longest` limits the length (norm) of the whole row.",
            lambda rows, longest: rows.clamp(-longest, longest),
        ),
        Mistake(
            "All rows were scaled by one factor, from the norm of all values: each row has a norm of its own.",
            lambda rows, longest: rows * (longest / rows.norm()).clamp(max=1),
        ),
    ),
)
