"""Practice of intervals: two versions differ if their intervals have no number in common."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import uniform


def are_disjoint_slow(low_a, high_a, low_b, high_b):
    """Return True for each pair of intervals, low_a to high_a and low_b to high_b, without a common number."""
    result = torch.empty(len(low_a), dtype=torch.bool, device=low_a.device)
    for i in range(len(low_a)):
        result[i] = bool(high_a[i] < low_b[i]) or bool(high_b[i] < low_a[i])
    return result


def _intervals(size, generator):
    """Return pairs of intervals around a ratio of 10; some overlap."""
    a, b = (uniform(generator, 9.0, 11.0, size) for _ in "ab")
    wide_a, wide_b = (uniform(generator, 0.1, 0.6, size) for _ in "ab")
    return a - wide_a, a + wide_a, b - wide_b, b + wide_b


def _tiny_gaps():
    """Return pairs of intervals: one ends at 1.1 or 1.3, and the other begins at the next float64.

    The nearest float32 is above 1.1 but below 1.3, so a bound in float32 makes one of the two intervals overlap.
    """
    ends = torch.tensor([1.1, 1.3], dtype=torch.float64)
    starts = ends.nextafter(torch.tensor(2.0, dtype=torch.float64))
    below, above = (ends - 1000, ends), (starts, starts + 1000)
    return tuple(torch.cat(bounds) for bounds in zip((*below, *above), (*above, *below)))


_EACH_SIDE = ([1.0, 8.0, 2.0, 4.0], [2.0, 9.0, 6.0, 5.0], [3.0, 5.0, 4.0, 2.0], [4.0, 6.0, 5.0, 6.0])

TASK = Task(
    id="are_disjoint",
    title="Intervals without a common number",
    points=0,
    level=1,
    slow=are_disjoint_slow,
    inputs=_intervals,
    sizes=(3, 5, 17),
    edge_cases=(
        fixed_case("a below b, a above b, a around b, a inside b", *_EACH_SIDE),
        fixed_case("two intervals that touch", [1.0, 2.0], [2.0, 3.0], [2.0, 1.0], [3.0, 2.0]),
        fixed_case("two intervals with a tiny gap", [1.0, 2.000001], [2.0, 3.0], [2.000001, 1.0], [3.0, 2.0]),
        Case("float64 intervals with a gap of one rounding", lambda _: _tiny_gaps()),
        fixed_case("intervals below 0", [-3.0, -1.0, -3.0], [-2.0, -0.5, -1.0], [-1.0, -3.0, -2.0], [-0.5, -2.0, -0.5]),
        fixed_case(
            "very large numbers", [-2e30, 3e30, 1e30], [-1e30, 4e30, 3e30], [-4e30, 1e30, 2e30], [-3e30, 2e30, 5e30]
        ),
        fixed_case(
            "intervals of one number and longer ones",
            [1.0, 2.0, 5.0],
            [1.0, 2.0, 5.0],
            [2.0, 2.0, 3.0],
            [3.0, 2.0, 6.0],
        ),
        fixed_case("intervals of tiny numbers and 0", [0.0, 2e-30], [1e-30, 3e-30], [2e-30, 0.0], [3e-30, 1e-30]),
        Case("no intervals", lambda generator: _intervals(0, generator)),
        Case("5,000 pairs", lambda generator: _intervals(5000, generator)),
    ),
    worst="Each value of the result depends on one pair of intervals, whatever the size.",
    limits=(at_most(24, "ops"), at_most(0, "syncs")),
    hints=(
        "Two intervals have no number in common if one ends before the other begins.",
        "Either a ends before b begins, or b ends before a begins. `|` combines two boolean tensors by *or*, pair by pair.",
    ),
    mistakes=(
        Mistake(
            "The result is False if a is entirely above b: test that case, too.",
            lambda low_a, high_a, low_b, high_b: high_a < low_b,
        ),
        Mistake(
            "The result is False if a is entirely below b: test that case, too.",
            lambda low_a, high_a, low_b, high_b: high_b < low_a,
        ),
        Mistake(
            "The result is True for intervals that overlap: invert the result.",
            lambda low_a, high_a, low_b, high_b: (high_a >= low_b) & (high_b >= low_a),
        ),
        Mistake(
            "The result is True for intervals that touch: they have a number in common, so return False.",
            lambda low_a, high_a, low_b, high_b: (high_a <= low_b) | (high_b <= low_a),
        ),
    ),
)
