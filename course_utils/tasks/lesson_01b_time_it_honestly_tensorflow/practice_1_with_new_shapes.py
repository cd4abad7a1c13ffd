"""Practice of first calls: a function that is traced anew for every shape has several."""

from course_utils.tasks.task import Case, Mistake, Task


def with_new_shapes_slow(first_us, steady_us, shapes, calls):
    """Microseconds of all calls, when each new shape makes one of them a first call."""
    total = 0
    for call in range(calls):
        total += first_us if call < shapes else steady_us
    return total


def _inputs(size, generator):
    calls = int(generator.integers(size, 50 * size + 1))
    shapes = int(generator.integers(1, calls + 1))
    return int(generator.integers(100_000, 900_000)), int(generator.integers(10, 900)), shapes, calls


TASK = Task(
    id="with_new_shapes",
    title="A first call for every shape",
    points=0,
    level=1,
    framework="none",
    slow=with_new_shapes_slow,
    inputs=_inputs,
    edge_cases=(
        Case("one shape", lambda _: (200_000, 400, 1, 90)),
        Case("a new shape at every call", lambda _: (200_000, 400, 7, 7)),
    ),
    hints=("shapes calls are first calls; how many are left for the steady state?",),
    mistakes=(
        Mistake(
            "Only one first call was paid for; there is one for each shape.",
            lambda first_us, steady_us, shapes, calls: first_us + (calls - 1) * steady_us,
        ),
        Mistake(
            "The first calls were paid for twice: calls - shapes calls are left for the steady state.",
            lambda first_us, steady_us, shapes, calls: shapes * first_us + calls * steady_us,
        ),
    ),
)
