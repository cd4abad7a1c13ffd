"""Answers to total_by_name."""

from answers import AnswersTo

answers = AnswersTo("total_by_name")


@answers.right("a list per name")
def from_lists(events):
    by_name = {}
    for name, duration in events:
        by_name.setdefault(name, []).append(duration)
    return {name: (sum(durations), len(durations)) for name, durations in by_name.items()}


@answers.wrong("equal events counted once", "correct")
def distinct_events(events):
    totals = {}
    for name, duration in set(events):
        total, count = totals.get(name, (0, 0))
        totals[name] = (total + duration, count + 1)
    return totals


@answers.wrong("int32 totals", "correct", says="float64 cannot represent")
def in_32_bits(events):
    totals = from_lists(events)
    return {
        name: ((total + 2**31) % 2**32 - 2**31 if isinstance(total, int) else total, count)
        for name, (total, count) in totals.items()
    }


answers.wrong("at most 4,096 events", "correct", says="5,000 events of one name")(
    lambda events: from_lists(events[:4096])
)

answers.wrong("names without spaces at their ends", "correct", says="differ in a space")(
    lambda events: from_lists([(name.strip(), duration) for name, duration in events])
)


@answers.wrong("totals in float64", "correct", says="float64 cannot represent")
def in_float64(events):
    totals = from_lists(events)
    return {
        name: (int(float(total)) if isinstance(total, int) else total, count) for name, (total, count) in totals.items()
    }


@answers.wrong("names that differ only in capital letters as one", "correct", says="in a capital letter")
def without_regard_to_case(events):
    first = {}
    return from_lists([(first.setdefault(name.lower(), name), duration) for name, duration in events])


answers.wrong("the hundred largest totals", "correct", says="300 names")(
    lambda events: dict(sorted(from_lists(events).items(), key=lambda item: -item[1][0])[:100])
)
