"""Practice of first calls: a function that is retraced for each new shape has several."""

from course_utils.tasks.task import Case, Mistake, Task


def with_new_shapes_slow(first_us, steady_us, shapes, calls):
    """Return the total microseconds of all calls if the first call with each new shape is slow."""
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
    title="A first call for each shape",
    points=0,
    level=1,
    framework="none",
    slow=with_new_shapes_slow,
    inputs=_inputs,
    edge_cases=(
        Case("one shape", lambda _: (200_000, 400, 1, 90)),
        Case("a new shape in each call", lambda _: (900_000, 400, 5_000, 5_000)),
        Case("no calls", lambda _: (200_000, 400, 0, 0)),
        Case("later calls that take no time", lambda _: (300, 0, 2, 9)),
        Case("20,000 calls", lambda _: (3_000_000, 5_000, 7_000, 20_000)),
    ),
    worst="The result is a sum of two products, whatever the numbers are.",
    hints=("`shapes` calls are first calls; how many calls remain in the steady state?",),
    mistakes=(
        Mistake(
            "This counts one first call: there is one for each shape.",
            lambda first_us, steady_us, shapes, calls: first_us + (calls - 1) * steady_us,
        ),
        Mistake(
            "This counts the first calls twice: `calls - shapes` calls remain in the steady state.",
            lambda first_us, steady_us, shapes, calls: shapes * first_us + calls * steady_us,
        ),
    ),
)
