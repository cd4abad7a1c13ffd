"""Practice of combining steps: two linear steps (multiply, then add) as one linear step."""

from course_utils.tasks.task import Case, Mistake, Task


def two_steps_slow(a, b, c, d):
    """Return the pair (factor, summand) of one step that maps y to c * (a * y + b) + d."""
    return c * a, c * b + d


TASK = Task(
    id="two_steps",
    title="Two steps in one",
    points=0,
    level=1,
    framework="none",
    slow=two_steps_slow,
    inputs=lambda size, generator: tuple(map(float, generator.normal(size=4))),
    edge_cases=(
        Case("a small factor and a large summand", lambda _: (1e-3, 1e30, 0.5, 2.0)),
        Case("a second step with the factor 0", lambda _: (2.0, 3.0, 0.0, 5.0)),
        Case("a large factor and small summands", lambda _: (1e30, 3.0, 0.5, 2.0)),
    ),
    worst="One formula holds for all steps.",
    mistakes=(
        Mistake(
            "The steps are combined in the wrong order: (c, d) comes second.", lambda a, b, c, d: (a * c, a * d + b)
        ),
        Mistake("The factor c is missing on b: the second step multiplies b too.", lambda a, b, c, d: (c * a, b + d)),
    ),
)
