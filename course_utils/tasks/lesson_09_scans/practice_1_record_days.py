"""Practice of built-in scans: the days on which a mark equals the highest one so far."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, infinity_and_nan, random_case
from course_utils.tasks.torch_inputs import normal


def record_days_slow(marks):
    """Return whether each mark is as high as the highest mark of its column so far, itself included."""
    out = torch.empty_like(marks, dtype=torch.bool)
    for day in range(len(marks)):
        out[day] = marks[day] == marks[: day + 1].amax(0)
    return out


TASK = Task(
    id="record_days",
    title="Record days",
    points=0,
    level=1,
    slow=record_days_slow,
    inputs=lambda size, generator: (normal(generator, size, 2 + size // 2),),
    edge_cases=(
        fixed_case("a record that is reached again", [[1.0], [3.0], [2.0], [3.0]]),
        random_case("one day", (1, 3)),
        random_case("300 columns", (3, 300)),
        fixed_case("marks of 0 and -1", [[0.0, -1.0], [0.0, 0.0], [-1.0, 0.0]]),
        infinity_and_nan([[-torch.inf, 1.0], [2.0, torch.inf], [torch.inf, torch.nan], [torch.inf, 3.0]]),
    ),
    worst=(
        fixed_case("marks that all tie", [[2.0, 1.0]] * 9),
        fixed_case(
            "a record that is reached and broken after 2,000 days", [[9.0]] + [[1.0]] * 2000 + [[9.0], [10.0], [9.0]]
        ),
        fixed_case("marks just below the record", [[1.0, 1e-25], [1 - 2**-24, 9e-26], [1.0, 1e-25]]),
        Case(
            "float64 marks just below the record", lambda _: (torch.tensor([[1.0], [1 - 2**-53]], dtype=torch.float64),)
        ),
    ),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "This compares with the highest mark of all days: compare with the highest mark so far.",
            lambda marks: marks == marks.amax(0),
        ),
        Mistake(
            "The first day is missing, and so are days that equal the record: compare with the highest mark so far, "
            "this day's included.",
            lambda marks: torch.cat([marks[:1] < marks[:1], marks[1:] > marks.cummax(0).values[:-1]]),
        ),
        Mistake(
            "Marks that equal the record are missing: they count too.",
            lambda marks: torch.cat([marks[:1] == marks[:1], marks[1:] > marks.cummax(0).values[:-1]]),
        ),
    ),
)
