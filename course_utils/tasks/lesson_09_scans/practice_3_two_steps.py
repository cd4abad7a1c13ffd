"""Practice of combining steps: two that multiply and add, as one of the same kind."""

from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_inputs import normal


def two_steps_slow(a, b, c, d):
    """The pair (factor, summand) of the one step that makes of any y what first a * y + b and then c * y + d make."""
    return c * a, c * b + d


TASK = Task(
    id="two_steps",
    title="Two steps in one",
    points=0,
    level=1,
    slow=two_steps_slow,
    inputs=lambda size, generator: tuple(normal(generator, size) for _ in range(4)),
    mistakes=(
        Mistake("These are the steps in the wrong order: c and d come second.", lambda a, b, c, d: (a * c, a * d + b)),
        Mistake("The second step multiplies b as well.", lambda a, b, c, d: (c * a, b + d)),
    ),
)
