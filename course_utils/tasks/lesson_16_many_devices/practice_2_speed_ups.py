"""Practice: strong and weak scaling of a step of which a part doesn't scale."""

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform


def speed_ups_slow(fixed_s, divisible_s, workers):
    """Return the speed-ups of strong scaling (the batch stays) and of weak scaling (the batch grows with the workers)."""
    strong = (fixed_s + divisible_s) / (fixed_s + divisible_s / workers)
    weak = 0.0
    for _ in range(workers):
        weak += (fixed_s + divisible_s) / (fixed_s + divisible_s)
    return strong, fixed_s / (fixed_s + divisible_s) + divisible_s * weak / (fixed_s + divisible_s)


def _times(generator, size):
    fixed, divisible = uniform(generator, 0.1, 2.0, 2).tolist()
    return fixed, divisible * size, size + 1


TASK = Task(
    id="speed_ups",
    title="Strong and weak scaling",
    points=0,
    level=1,
    framework="none",
    slow=speed_ups_slow,
    inputs=lambda size, generator: _times(generator, size),
    edge_cases=(
        Case("a single worker", lambda _: (1.0, 3.0, 1)),
        Case("a step that is divisible as a whole", lambda _: (0.0, 3.0, 4)),
        Case("120,000 workers", lambda _: (0.25, 3.0, 120_000)),
        Case("a step of which nothing is divisible", lambda _: (2.0, 0.0, 4)),
    ),
    worst="Both speed-ups are formulas of three numbers.",
    mistakes=(
        Mistake(
            "The speed-ups are swapped: first strong scaling, then weak scaling.",
            lambda fixed, divisible, workers: tuple(reversed(speed_ups_slow(fixed, divisible, workers))),
        ),
        Mistake(
            "The speed-up of weak scaling is the number of workers here: only the divisible part grows.",
            lambda fixed, divisible, workers: (speed_ups_slow(fixed, divisible, workers)[0], workers),
        ),
        Mistake(
            "These are the inverses: a speed-up is the time of one worker divided by the time of all workers together.",
            lambda fixed, divisible, workers: (
                (fixed + divisible / workers) / (fixed + divisible),
                (fixed + divisible) / (fixed + divisible * workers),
            ),
        ),
    ),
)
