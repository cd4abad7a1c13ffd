"""Self time from nested events: the time of each operation without the operations inside it.

Events of one thread are nested, so one pass with a stack of the open events is enough; the loop looks at all events in every
interval.
"""

from __future__ import annotations

from itertools import pairwise

from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task

NAMES = ("step", "linear", "addmm", "backward", "mean", "sum", "copy_")


def hotspots_slow(events, top):
    """Return the `top` names with the most self time, each with its time: the largest first, equal times by name."""
    own = {name: 0 for name, _, _ in events}
    edges = sorted({edge for _, start, end in events for edge in (start, end)})
    for left, right in pairwise(edges):
        running = [name for name, start, end in events if start <= left and right <= end]
        if running:
            own[running[-1]] += right - left  # The innermost one is the last that began.
    return sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))[:top]


def by_stack(events, top):
    """Return the same in one pass, which subtracts each event's duration from the event around it."""
    own = dict.fromkeys((name for name, _, _ in events), 0)
    around: list[tuple[str, int]] = []
    for name, start, end in events:
        while around and around[-1][1] <= start:
            around.pop()
        if around:
            own[around[-1][0]] -= end - start
        own[name] += end - start
        around.append((name, end))
    return sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))[:top]


def _nested(generator, count):
    """Return ``count`` events of one thread; some begin or end together with the event around them."""
    events: list[list] = []
    around: list[list] = []
    now = int(generator.integers(0, 1000))
    while len(events) < count or around:
        deep = len(around) >= 6 or len(events) == count
        if around and (deep or generator.random() < 0.45):
            now += int(generator.integers(0, 30))
            last = around.pop()
            last[2] = now = max(now, last[1] + 1)
        else:
            now += int(generator.integers(0, 20))
            event = [str(generator.choice(NAMES)), now, None]
            events.append(event)
            around.append(event)
    return [tuple(event) for event in events]


def _of_all(events, top, amount, smallest_first=False):
    """Return the ``top`` names, each with the sum of ``amount(event, events)`` over its events."""
    totals = dict.fromkeys((name for name, _, _ in events), 0)
    for event in events:
        totals[event[0]] += amount(event, events)
    return sorted(totals.items(), key=lambda pair: (pair[1] if smallest_first else -pair[1], pair[0]))[:top]


def _all_inside(event, events):
    _, start, end = event
    inside = [other for other in events if other is not event and start <= other[1] and other[2] <= end]
    return end - start - sum(last - first for _, first, last in inside)


def _later(events, offset):
    return [(name, start + offset, end + offset) for name, start, end in events]


TASK = Task(
    id="hotspots",
    title="The hot spots of a profile",
    points=3,
    level=1,
    framework="none",
    slow=hotspots_slow,
    reference=by_stack,
    inputs=lambda size, generator: (_nested(generator, 2 * size), 3),
    edge_cases=(
        Case("no events", lambda _: ([], 3)),
        Case("a single event", lambda _: ([("sum", 5, 9)], 3)),
        Case("an event inside another one of the same name", lambda _: ([("f", 0, 10), ("g", 1, 9), ("f", 2, 5)], 5)),
        Case(
            "events that begin and end together",
            lambda _: ([("outer", 0, 8), ("inner", 0, 8), ("above", 9, 12), ("below", 9, 12)], 5),
        ),
        Case(
            "events that take less than a microsecond",
            lambda _: ([("all", 0, 9), ("short", 4, 4), ("long", 4, 7), ("short", 7, 7)], 5),
        ),
        Case("events that touch", lambda _: ([("a", 0, 4), ("b", 4, 8), ("c", 4, 6), ("d", 6, 8)], 5)),
        Case("equal times", lambda _: ([("b", 0, 2), ("aa", 3, 5), ("c", 6, 8)], 2)),
        Case("a name with a capital letter", lambda _: ([("Step", 0, 2), ("step", 3, 6), ("mean", 7, 9)], 5)),
        Case("fewer names than `top`", lambda g: (_nested(g, 4), 50)),
        Case("`top` of zero", lambda g: (_nested(g, 4), 0)),
        Case("gaps between outermost events", lambda _: ([("a", 0, 2), ("a", 100, 103), ("b", 500, 504)], 5)),
        Case("times before 0", lambda g: (_later(_nested(g, 9), -10_000), 5)),
        Case(
            "names that are empty, or differ in a space or after 40 letters",
            lambda _: ([("", 0, 2), ("a", 3, 6), ("a ", 7, 11), ("b" * 40, 12, 18), ("b" * 40 + "c", 19, 28)], 5),
        ),
        Case("120 of 150 names", lambda _: ([(f"f{i}", 2 * i, 2 * i + 1 + i % 2) for i in range(150)], 120)),
        Case("an event of an hour", lambda _: ([("hour", 0, 3_600_000_000), ("short", 5, 9)], 5)),
    ),
    worst=(
        Case("microseconds since 1970", lambda g: (_later(_nested(g, 9), 1_700_000_000_000_000), 5)),
        Case(
            "2,600 events, each inside the one before, and a later one",
            # The last event is inside only five of them, so an answer must first leave most of the nesting.
            lambda _: ([*((f"f{i % 5}", i, 6000 - i) for i in range(2600)), ("last", 5995, 5996)], 9),
        ),
        Case(
            "4,500 events at one moment, and a later one",
            lambda _: ([("all", 0, 9), *[("short", 4, 4)] * 4500, ("late", 5, 7)], 5),
        ),
        Case(
            "400 events inside one",
            lambda _: ([("all", 0, 4000), *(("one", 10 * i, 10 * i + 7) for i in range(400))], 2),
        ),
    ),
    race_size=200,
    story=prose(
        """
        A profile of a training step lists thousands of nested events: `step` contains `linear`, which contains
        `addmm`. The *self time* of an event is the time in which it runs and no event inside it runs. A report lists
        the names with the most self time. The loop below looks at every event again for each interval between two times. Write
        `hotspots(events, top)`, which reports the same and is fast enough for a real profile.
        """
    ),
    rules=prose(
        """
        - `events` is a list of tuples `(name, start, end)` with integer microseconds, all of one thread: of two events, one is
          inside the other, or they don't overlap. The events are in the order of their starts, an outer event before
          the inner ones.
        - The result is a list of pairs `(name, self time)`, the largest time first, with at most `top` pairs. Pairs with equal
          times are in alphabetical order, capital letters first. A name's self time adds up over all its events.
        """
    ),
    target=6.0,
    ways={"stack of open events": by_stack},
    hints=items(
        """
        - The self time of an event is its duration minus the durations of the events *directly* inside it. How do you find the
          event directly around another one?
        - Go through the events once, and keep a list of the events that are still open. Before you add the next event, remove
          those that have ended by its start.
        - Add each event's duration to its own name, and subtract it from the name of the innermost open event.
        """
    ),
    mistakes=(
        Mistake(
            "These are total times: subtract the time of the events inside.",
            lambda events, top: _of_all(events, top, lambda event, _: event[2] - event[1]),
        ),
        Mistake(
            "Some events are subtracted more than once: subtract only the events directly inside.",
            lambda events, top: _of_all(events, top, _all_inside),
        ),
        Mistake(
            "These are numbers of calls: return the self time.",
            lambda events, top: _of_all(events, top, lambda event, _: 1),
        ),
        Mistake(
            "These are the names with the least self time: sort in descending order.",
            lambda events, top: sorted(by_stack(events, len(events)), key=lambda pair: (pair[1], pair[0]))[:top],
        ),
        Mistake(
            "Names with equal times are out of order: sort them alphabetically, capital letters first.",
            lambda events, top: sorted(by_stack(events, len(events)), key=lambda pair: pair[::-1], reverse=True)[:top],
        ),
        Mistake(
            "The names are in alphabetical order: sort by time.",
            lambda events, top: sorted(by_stack(events, len(events)))[:top],
        ),
    ),
    sources=("S2.9",),
)
