"""Answers to hotspots."""

from collections import deque

import numpy as np

from answers import AnswersTo
from course_utils.tasks.lesson_17_profile_first.task_1_hotspots import hotspots_slow

answers = AnswersTo("hotspots")
answers.exception("the slow loop itself", "fast")  # It runs no tensor operations that could be counted.
answers.exception("nothing returned", "correct", says="expected a list")


def _report(own, top):
    return sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))[:top]


def _by_stack(events, top, levels=None):
    """Return the answer of a stack that holds at most ``levels`` open events."""
    own, around = {}, deque(maxlen=levels)
    for name, start, end in events:
        while around and around[-1][1] <= start:
            around.pop()
        if around:
            own[around[-1][0]] -= end - start
        own[name] = own.get(name, 0) + end - start
        around.append((name, end))
    return _report(own, top)


@answers.right("a stack")
def by_stack(events, top):
    return _by_stack(events, top)


@answers.right("starts and ends in order")
def by_edges(events, top):
    own, around, now = dict.fromkeys([name for name, _, _ in events], 0), [], 0
    pending = iter(events)
    following = next(pending, None)
    while following or around:
        if around and (following is None or around[-1][2] <= following[1]):
            name, _, end = around.pop()
            own[name] += max(0, end - now)
            now = max(now, end)
        else:
            if around:
                own[around[-1][0]] += max(0, following[1] - now)
            now = following[1]
            around.append(following)
            following = next(pending, None)
    return _report(own, top)


@answers.wrong("drops names without time of their own", "correct")
def without_zeros(events, top):
    return [pair for pair in hotspots_slow(events, top) if pair[1]]


@answers.wrong("one event per name", "correct")
def last_of_each_name(events, top):
    own = {}
    for name, start, end in events:
        own[name] = end - start
    return _report(own, top)


@answers.wrong("the names only", "correct")
def names_only(events, top):
    return [name for name, _ in hotspots_slow(events, top)]


@answers.wrong("a loop over pairs of events", "fast")
def by_pairs(events, top):
    own = {name: 0 for name, _, _ in events}
    for i, (name, start, end) in enumerate(events):
        own[name] += end - start
        best = None
        for j in range(len(events)):
            if j < i and events[j][1] <= start and end <= events[j][2]:
                best = events[j]
        if best:
            own[best[0]] -= end - start
    return _report(own, top)


@answers.wrong("the events sorted in place", "correct", says="hotspots changed its input events")
def sorted_in_place(events, top):
    result = by_stack(events, top)
    events.sort()
    return result


@answers.wrong("times in float32", "correct", says="since 1970")
def times_in_float32(events, top):
    single = [(name, int(np.float32(start)), int(np.float32(end))) for name, start, end in events]
    return by_stack(single, top)


@answers.wrong("recursion, which Python limits", "correct", says="2,600 events, each inside the one before")
def by_recursion(events, top):
    own = dict.fromkeys([name for name, _, _ in events], 0)

    def visit(i):
        name, start, end = events[i]
        own[name] += end - start
        following = i + 1
        while following < len(events) and events[following][1] < end:
            own[name] -= events[following][2] - events[following][1]
            following = visit(following)
        return following

    position = 0
    while position < len(events):
        position = visit(position)
    return _report(own, top)


@answers.wrong("ends before starts at equal times", "correct", says="less than a microsecond")
def ends_first(events, top):
    own, around, last = dict.fromkeys([name for name, _, _ in events], 0), [], 0
    starts = [(start, True, i) for i, (_, start, _) in enumerate(events)]
    ends = [(end, False, -i) for i, (_, _, end) in enumerate(events)]
    for now, begins, i in sorted(starts + ends):
        if around:
            own[around[-1]] += now - last
        if begins:
            around.append(events[i][0])
        elif around:
            around.pop()
        last = now
    return _report(own, top)


@answers.wrong("the ten innermost open events only", "correct", says="each inside the one before")
def ten_levels(events, top):
    return _by_stack(events, top, levels=10)


@answers.wrong("short names first among equal times", "correct", says="equal times")
def short_names_first(events, top):
    return sorted(by_stack(events, None), key=lambda pair: (-pair[1], len(pair[0]), pair[0]))[:top]


@answers.wrong("names in lower case", "correct", says="a capital letter")
def lower_case(events, top):
    return by_stack([(name.lower(), start, end) for name, start, end in events], top)


@answers.wrong("int32 times", "correct", says="an hour")
def times_of_32_bits(events, top):
    return [(name, int(np.int64(time).astype(np.int32))) for name, time in by_stack(events, top)]


answers.wrong("at most 4,096 events", "correct", says="4,500 events")(lambda events, top: by_stack(events[:4096], top))

answers.wrong("times from 0 only", "correct", says="times before 0")(
    lambda events, top: by_stack([(name, max(0, start), max(0, end)) for name, start, end in events], top)
)

answers.wrong("names without spaces at their ends", "correct", says="differ in a space")(
    lambda events, top: by_stack([(name.strip(), start, end) for name, start, end in events], top)
)

answers.wrong("equal times sorted without regard to capital letters", "correct", says="a capital letter")(
    lambda events, top: sorted(by_stack(events, len(events)), key=lambda pair: (-pair[1], pair[0].lower()))[:top]
)

answers.wrong("at most 100 names", "correct", says="120 of 150 names")(
    lambda events, top: by_stack(events, min(top, 100))
)
