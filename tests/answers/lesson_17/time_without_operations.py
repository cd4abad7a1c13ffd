"""Answers to time_without_operations."""

from answers import AnswersTo

answers = AnswersTo("time_without_operations")


@answers.right("a loop over sorted operations")
def gap_by_gap(operations, start, end):
    free, now = 0.0, start
    for first, last in sorted(operations):
        if last > start and first < end:
            free += max(0.0, first - now)
            now = max(now, last)
    return free + max(0.0, end - now)


@answers.wrong("a loop over operations in the order of the list", "correct")
def in_order_of_list(operations, start, end):
    free, now = 0.0, start
    for first, last in operations:
        free += max(0.0, min(first, end) - now)
        now = max(now, min(last, end))
    return free + max(0.0, end - now)


answers.wrong("times from 0 only", "correct", says="times before 0")(
    lambda operations, start, end: gap_by_gap([(max(0.0, first), last) for first, last in operations], start, end)
)
