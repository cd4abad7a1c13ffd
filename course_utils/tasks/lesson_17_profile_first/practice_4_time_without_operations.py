"""Practice: the time between the operations of a profile, in which Python runs."""

from course_utils.tasks.task import Case, Mistake, Task


def time_without_operations_slow(operations, start, end):
    """Return the time between start and end in which no operation runs; operations are (start, end) pairs."""
    free = end - start
    for first, last in operations:
        free -= max(0.0, min(last, end) - max(first, start))
    return free


def _operations(size, generator):
    """Return operations one after the other; the first ones may begin before the span, the last ones may end after it."""
    edges = sorted(float(edge) for edge in generator.uniform(0, 100, 2 * size))
    return list(zip(edges[::2], edges[1::2])), 20.0, 80.0


TASK = Task(
    id="time_without_operations",
    title="The time between operations",
    points=0,
    level=1,
    framework="none",
    slow=time_without_operations_slow,
    inputs=_operations,
    sizes=(2, 5, 17, 40),
    edge_cases=(
        Case("no operations", lambda _: ([], 2.0, 5.0)),
        Case("an operation around the whole span", lambda _: ([(1.0, 9.0)], 2.0, 5.0)),
        Case("operations outside of the span", lambda _: ([(0.0, 1.0), (6.0, 9.0)], 2.0, 5.0)),
        Case("operations that aren't in the order of their times", lambda _: ([(4.0, 4.5), (2.5, 3.0)], 2.0, 5.0)),
        Case("times before 0", lambda _: ([(-9.0, -8.0), (-7.5, -3.0), (-1.0, 0.5)], -8.5, 2.0)),
        Case("5,000 operations", lambda _: ([(float(i), i + 0.25) for i in range(5000)], 0.0, 5000.0)),
        Case("operations without gaps", lambda _: ([(2.0, 3.0), (3.0, 5.0)], 2.0, 5.0)),
    ),
    worst="Operations don't overlap, so each of them is one subtraction.",
    mistakes=(
        Mistake(
            "This is the time in which operations run: subtract it from the length of the span.",
            lambda operations, start, end: end - start - time_without_operations_slow(operations, start, end),
        ),
        Mistake(
            "The parts of operations outside of the span are subtracted, too: subtract only the parts inside.",
            lambda operations, start, end: end - start - sum(last - first for first, last in operations),
        ),
        Mistake(
            "Operations that begin before the span or end after it are left out: subtract their parts inside.",
            lambda operations, start, end: end - start - sum(b - a for a, b in operations if start <= a and b <= end),
        ),
    ),
)
