"""Practice: events of several threads overlap, so their durations don't add up to the time that passes."""

from course_utils.tasks.task import Case, Mistake, Task


def busy_time_slow(events):
    """Return the time in which at least one event runs; events are (start, end) pairs of integers, of any threads."""
    edges = sorted({edge for event in events for edge in event})
    busy = 0
    for left, right in zip(edges, edges[1:]):  # noqa: RUF007 - the page shows plain Python
        if any(start <= left and right <= end for start, end in events):
            busy += right - left
    return busy


def _events(generator, count):
    starts = [int(start) for start in generator.integers(0, 20 * count + 1, count)]
    return [(start, start + int(generator.integers(1, 30))) for start in starts]


TASK = Task(
    id="busy_time",
    title="The time in which anything runs",
    points=0,
    level=1,
    framework="none",
    slow=busy_time_slow,
    inputs=lambda size, generator: (_events(generator, size),),
    edge_cases=(
        Case("no events", lambda _: ([],)),
        Case("events that touch", lambda _: ([(0, 4), (4, 9)],)),
        Case("an event inside another one", lambda _: ([(0, 10), (2, 5), (11, 12)],)),
        Case("events that overlap, in any order", lambda _: ([(8, 12), (0, 5), (4, 9)],)),
        Case("times before 0", lambda _: ([(-9, -2), (-4, 3), (-20, -15)],)),
        Case(
            "nanoseconds since 1970",
            lambda _: ([(1_790_000_000_000_000_001 + t, 1_790_000_000_000_000_004 + t) for t in (0, 2, 7)],),
        ),
        Case("an event of no length", lambda _: ([(3, 3), (5, 8)],)),
        Case("4,500 threads that do the same, and a later event", lambda _: ([*[(0, 4)] * 4500, (6, 9)],)),
        Case("two threads that do the same", lambda _: ([(3, 7), (3, 7)],)),
        Case("events that start together", lambda _: ([(3, 7), (5, 8), (3, 5), (12, 15), (12, 19), (12, 14)],)),
    ),
    worst="A loop over sorted events looks at each event once, however they overlap.",
    mistakes=(
        Mistake(
            "Time in which two events run counts twice here: count it once.",
            lambda events: sum(end - start for start, end in events),
        ),
        Mistake(
            "This includes the gaps between the events: leave them out.",
            lambda events: max((end for _, end in events), default=0) - min((start for start, _ in events), default=0),
        ),
    ),
)
