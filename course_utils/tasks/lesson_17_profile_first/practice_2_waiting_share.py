"""Practice: the loader's own clock, read as a share of the whole loop."""

from course_utils.tasks.task import Case, Mistake, Task


def waiting_share_slow(asked, received, end):
    """Return the share of the time from the first request to the end in which the loop waited for a batch."""
    waited = 0.0
    for step in range(len(asked)):
        waited += received[step] - asked[step]
    return waited / (end - asked[0])


def _clock(size, generator):
    """The loop begins at an arbitrary time, as `perf_counter` does."""
    pieces = [float(piece) for piece in generator.uniform(0.01, 0.5, 2 * size)]
    now, asked, received = float(generator.uniform(100, 200)), [], []
    for wait, work in zip(pieces[::2], pieces[1::2]):
        asked.append(now)
        received.append(now + wait)
        now += wait + work
    return asked, received, now


TASK = Task(
    id="waiting_share",
    title="The share of waiting",
    points=0,
    level=1,
    framework="none",
    slow=waiting_share_slow,
    inputs=_clock,
    tolerance=0.01,  # This means 2e-11 in float64, because differences of clock readings lose some digits.
    edge_cases=(
        Case("a loader that takes no time", lambda _: ([5.0, 6.0], [5.0, 6.0], 7.0)),
        Case("waits of a millisecond", lambda _: ([5.0, 6.0], [5.001, 6.001], 7.0)),
        Case(
            "5,000 steps of a clock that begins at 0",
            lambda _: ([float(i) for i in range(5000)], [i + 0.25 for i in range(5000)], 5000.0),
        ),
        Case("a loop that only waits", lambda _: ([5.0, 6.0], [6.0, 7.0], 7.0)),
    ),
    worst="Each wait is one difference, and the result is their sum divided by one number.",
    mistakes=(
        Mistake(
            "This is the time between two batches: the loop waits from `asked` to `received`.",
            lambda asked, received, end: (sum(asked[1:]) - sum(received[:-1])) / (end - asked[0]),
        ),
        Mistake(
            "This is the share of the work: subtract it from 1.",
            lambda asked, received, end: 1 - waiting_share_slow(asked, received, end),
        ),
        Mistake(
            "The last step's work is left out: divide by the time until `end`.",
            lambda asked, received, end: (
                sum(b - a for a, b in zip(asked, received)) / ((received[-1] - asked[0]) or 1.0)
            ),
        ),
        Mistake(
            "The time is counted from 0, but the loop begins at the first request: divide by `end - asked[0]`.",
            lambda asked, received, end: sum(b - a for a, b in zip(asked, received)) / end,
        ),
    ),
)
