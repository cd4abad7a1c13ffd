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
