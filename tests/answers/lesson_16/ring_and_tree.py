"""Answers to ring_and_tree."""

from math import ceil, log2

from answers import AnswersTo

answers = AnswersTo("ring_and_tree")


@answers.right("two formulas")
def two_formulas(size, workers, latency_s, bandwidth):
    ring = 2 * (workers - 1) * (latency_s + size / (workers * bandwidth))
    return ring, 2 * ceil(log2(workers)) * (latency_s + size / bandwidth)


@answers.wrong("a tree of parts", "correct")
def a_tree_of_parts(size, workers, latency_s, bandwidth):
    part = latency_s + size / (workers * bandwidth)
    return 2 * (workers - 1) * part, 2 * ceil(log2(workers)) * part


answers.wrong("an addition of 0.999 instead of rounding up", "correct", says="one worker more")(
    lambda size, workers, latency_s, bandwidth: (
        two_formulas(size, workers, latency_s, bandwidth)[0],
        2 * int(log2(workers) + 0.999) * (latency_s + size / bandwidth),
    )
)
answers.wrong("at most 128 workers", "correct", says="one worker more")(
    lambda size, workers, latency_s, bandwidth: two_formulas(size, min(workers, 128), latency_s, bandwidth)
)

answers.wrong("a latency of 0 replaced", "correct", says="without latency")(
    lambda size, workers, latency_s, bandwidth: two_formulas(size, workers, latency_s or 1e-6, bandwidth)
)


@answers.wrong("parts of a byte or more", "correct", says="fewer bytes than workers")
def at_least_one_byte(size, workers, latency_s, bandwidth):
    part = max(size / workers, 1.0) if size else 0.0
    return 2 * (workers - 1) * (latency_s + part / bandwidth), two_formulas(size, workers, latency_s, bandwidth)[1]
