"""Practice: the first question about a profile: which names take the most time together."""

from course_utils.tasks.task import Case, Mistake, Task

NAMES = ("Mean", "Square", "StridedSlice", "ConcatV2", "MatMul", "Relu")


def total_by_name_slow(events):
    """Return the total microseconds of each name, and how often it occurs, as name → (total, count)."""
    totals: dict[str, tuple[int, int]] = {}
    for name, duration in events:
        total, count = totals.get(name, (0, 0))
        totals[name] = (total + duration, count + 1)
    return totals


def _events(generator, count):
    return [(str(generator.choice(NAMES)), int(generator.integers(1, 500))) for _ in range(count)]


def _by(events, change):
    return {name: change(total, count) for name, (total, count) in total_by_name_slow(events).items()}


TASK = Task(
    id="total_by_name",
    title="The time of each name",
    points=0,
    level=1,
    framework="none",
    slow=total_by_name_slow,
    inputs=lambda size, generator: (_events(generator, size),),
    edge_cases=(
        Case("no events", lambda _: ([],)),
        Case("one name", lambda _: ([("Mean", 3), ("Mean", 4)],)),
        Case("equal events", lambda _: ([("Mean", 3), ("Relu", 2), ("Mean", 3)],)),
        Case("names with the same beginning", lambda _: ([("model/dense", 3), ("model/relu", 2), ("model", 4)],)),
        Case(
            "names that differ in a space, in a capital letter or after 40 letters",
            lambda _: ([("Mean", 3), ("Mean ", 2), ("mean", 6), ("a" * 40 + "b", 4), ("a" * 40 + "c", 5)],),
        ),
        Case("5,000 events of one name, and one of another", lambda _: ([*[("Mean", 3)] * 5000, ("Relu", 2)],)),
        Case("300 names", lambda _: ([(f"Layer{i}", i % 7 + 1) for i in range(300)],)),
        Case("an empty name", lambda _: ([("", 3), ("Mean", 2), ("", 4)],)),
        Case("durations that are floats", lambda _: ([("Mean", 2.0**-40), ("Relu", 0.5), ("Mean", 1.25)],)),
        Case("a total that float64 cannot represent", lambda _: ([("Mean", 2**53 - 1), ("Relu", 2), ("Mean", 2)],)),
        Case("an event of zero microseconds", lambda _: ([("Mean", 0), ("Square", 2)],)),
    ),
    worst="Each event adds to one name.",
    mistakes=(
        Mistake("The pair is in the wrong order: the total comes first.", lambda e: _by(e, lambda t, n: (n, t))),
        Mistake("This is the mean per event: return the sum.", lambda e: _by(e, lambda t, n: (t / n, n))),
        Mistake(
            "This is the last duration of each name: add up all its durations.",
            lambda e: {name: (duration, total_by_name_slow(e)[name][1]) for name, duration in e},
        ),
    ),
)
