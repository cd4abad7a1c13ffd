"""Answers to are_disjoint."""

import torch

from answers import AnswersTo

answers = AnswersTo("are_disjoint")


@answers.right()
def by_the_gap(low_a, high_a, low_b, high_b):
    return torch.maximum(low_a, low_b) > torch.minimum(high_a, high_b)


@answers.wrong("a gap of at least 0.001", "correct")
def by_a_tolerance(low_a, high_a, low_b, high_b):
    return (low_b - high_a > 1e-3) | (low_a - high_b > 1e-3)


@answers.right()
def by_each_end(low_a, high_a, low_b, high_b):
    ends_of_a = [(low_b <= end) & (end <= high_b) for end in (low_a, high_a)]
    ends_of_b = [(low_a <= end) & (end <= high_a) for end in (low_b, high_b)]
    return ~(ends_of_a[0] | ends_of_a[1] | ends_of_b[0] | ends_of_b[1])


answers.wrong("compared in float32", "correct", says="one rounding")(
    lambda low_a, high_a, low_b, high_b: by_the_gap(low_a.float(), high_a.float(), low_b.float(), high_b.float())
)
answers.wrong("a gap of at least 1e-9", "correct", says="one rounding")(
    lambda low_a, high_a, low_b, high_b: (low_b - high_a > 1e-9) | (low_a - high_b > 1e-9)
)
answers.wrong("the distance between the centers", "correct", says="one rounding")(
    lambda low_a, high_a, low_b, high_b: (
        (low_a + high_a - low_b - high_b).abs() / 2 > (high_a - low_a) / 2 + (high_b - low_b) / 2
    )
)
answers.wrong("the quotient of the ends", "correct", says="below 0")(
    lambda low_a, high_a, low_b, high_b: torch.maximum(low_a, low_b) / torch.minimum(high_a, high_b) > 1
)
answers.wrong("the product of the gaps, which can underflow", "correct", says="tiny numbers")(
    lambda low_a, high_a, low_b, high_b: (low_a - high_b) * (low_b - high_a) < 0
)
answers.wrong("the quotient of each low end and the other high end", "correct", says="below 0")(
    lambda low_a, high_a, low_b, high_b: (low_b / high_a > 1) | (low_a / high_b > 1)
)


@answers.wrong("comparisons without parentheses", "correct", says="put each comparison in parentheses")
def without_parentheses(low_a, high_a, low_b, high_b):
    return high_a < low_b | high_b < low_a


@answers.wrong("never disjoint for an interval of one number", "correct", says="intervals of one number")
def wide_intervals_only(low_a, high_a, low_b, high_b):
    return by_the_gap(low_a, high_a, low_b, high_b) & (low_a < high_a) & (low_b < high_b)
