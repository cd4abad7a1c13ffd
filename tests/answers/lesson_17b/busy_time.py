"""Answers to busy_time."""

from answers import AnswersTo

answers = AnswersTo("busy_time")


@answers.right("the number of open events at each time")
def by_depth(events):
    edges = sorted([(start, 1) for start, _ in events] + [(end, -1) for _, end in events])
    busy, depth, last = 0, 0, 0
    for edge, change in edges:
        busy += (edge - last) * (depth > 0)
        depth, last = depth + change, edge
    return busy


@answers.wrong("a sweep from time 0", "correct", says="times before 0")
def from_time_0(events):
    busy, last = 0, 0
    for start, end in sorted(events):
        busy += max(0, end - max(start, last))
        last = max(last, end)
    return busy


@answers.wrong("one end for each start", "correct")
def one_end_per_start(events):
    busy, last = 0, float("-inf")
    for start, end in dict(sorted(events, key=lambda event: event[0])).items():
        busy += max(0, end - max(start, last))
        last = max(last, end)
    return busy


@answers.right("the set of all covered times")
def by_covered_times(events):
    return len({time for start, end in events for time in range(start, end)})


answers.wrong("at most 4,096 events", "correct", says="4,500 threads")(lambda events: by_depth(events[:4096]))

answers.wrong("a length of 1 or more", "correct", says="an event of no length")(
    lambda events: by_depth([(start, max(start + 1, end)) for start, end in events])
)
