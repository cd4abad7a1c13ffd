"""The number of calls after which compiling pays off: one of three results, chosen value by value.

Most mistakes concern the two cases to which the plain formula does not apply.
"""

from __future__ import annotations

from math import inf

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import noncontiguous, uniform


def break_even_slow(first_call_s, steady_s, baseline_s):
    """Return the number of calls after which compiling costs no more than not compiling."""
    calls = torch.empty_like(first_call_s)
    for i in range(len(first_call_s)):
        debt = first_call_s[i] - baseline_s[i]
        saved = baseline_s[i] - steady_s[i]
        if debt <= 0:
            calls[i] = 1
        elif saved <= 0:
            calls[i] = float("inf")
        else:
            calls[i] = 1 + debt / saved
    return calls


def _break_even_inputs(size, generator, dtype=torch.float32):
    first = uniform(generator, 0.5, 2.0, size, dtype=dtype)
    steady = uniform(generator, 0.001, 0.01, size, dtype=dtype)
    return first, steady, uniform(generator, 0.002, 0.02, size, dtype=dtype)


TASK = Task(
    id="break_even",
    title="When does compiling pay off?",
    points=2,
    level=1,
    slow=break_even_slow,
    inputs=_break_even_inputs,
    edge_cases=(
        Case("no functions", lambda generator: _break_even_inputs(0, generator)),
        Case(
            "compiling that slows down later calls, and compiling that saves nothing",
            lambda _: (torch.tensor([1.0, 1.0]), torch.tensor([0.5, 0.25]), torch.tensor([0.25, 0.25])),
        ),
        Case(
            "a first call that takes no longer than a plain one",
            lambda _: (
                torch.tensor([0.1, 0.25, 0.1]),
                torch.tensor([0.01, 0.01, 0.5]),
                torch.tensor([0.25, 0.25, 0.2]),
            ),
        ),
        Case(
            "a first call as long as a plain one, and later calls that save nothing",
            lambda _: (torch.tensor([0.25, 0.25]), torch.tensor([0.25, 0.5]), torch.tensor([0.25, 0.25])),
        ),
        Case(
            "compiling that pays off by the second call",
            lambda _: (torch.tensor([0.375, 1.0]), torch.tensor([0.125, 0.0]), torch.tensor([0.25, 0.75])),
        ),
        Case(
            "first calls that take hardly longer than plain ones",
            lambda _: (
                torch.tensor([1 + 2**-20, 1 + 2**-20, 1 + 2**-20, 3 * 2**-100]),
                torch.tensor([1 - 2**-21, 1.0, 1000.0, 2**-100]),
                torch.tensor([1.0, 1.0, 1.0, 2 * 2**-100]),
            ),
        ),
        Case("every second value of longer tensors", lambda g: tuple(map(noncontiguous, _break_even_inputs(5, g)))),
        Case("float64 values", lambda generator: _break_even_inputs(5, generator, dtype=torch.float64)),
        Case(
            "very long and very short times",
            lambda _: (
                torch.tensor([3e4, 1e30, 1e-6]),
                torch.tensor([1e-9, 1e-30, 1e-12]),
                torch.tensor([2e-9, 1e-7, 1e-9]),
            ),
        ),
        Case(
            "calls that never end",
            lambda _: (
                torch.tensor([inf, inf, 1.0, 1.0, 0.1]),
                torch.tensor([0.1, 0.3, 0.5, inf, inf]),
                torch.tensor([0.2, 0.2, inf, 0.5, 0.5]),
            ),
        ),
        Case(
            "calls that take no time",
            lambda _: (torch.tensor([1.0, 0.0, 1.0, 0.0]), torch.zeros(4), torch.tensor([0.25, 0.0, 0.0, 0.25])),
        ),
        Case("5,000 functions", lambda generator: _break_even_inputs(5000, generator)),
    ),
    worst=(
        Case(
            "savings that are 0 or tiny next to the times",
            lambda _: (
                torch.tensor([2.0, 1.5, 1.25], dtype=torch.float64),
                torch.tensor([1.0, 1.0, 1.0], dtype=torch.float64),
                1 + torch.tensor([1e-13, 1e-10, 0.0], dtype=torch.float64),
            ),
        ),
    ),
    count_sizes=(8, 1000),
    race_size=1000,
    story=prose(
        """
        A compiler makes the first call longer and later calls shorter. After how many calls does compiling cost no more than
        not compiling? Write `break_even(first_call_s, steady_s, baseline_s)`, which answers that for many functions at once.
        `first_call_s` and `steady_s` are the seconds of the first and of each later compiled call; a plain call takes `baseline_s`.
        """
    ),
    rules=prose(
        """
        - The three tensors have shape (functions,) and one dtype, float32 or float64, and they don't change. A time can be 0,
        and at most one of a function's three times is infinite. The result has the same shape and dtype.
        - `n` calls cost `first_call_s + (n − 1)·steady_s` with the compiler and `n·baseline_s` without it. If the first call
        costs more than a plain call, the result is the `n` at which both costs are equal, not rounded, or infinity if later calls
        save nothing.
        - If the first call costs no more than a plain call, the result is 1.
        """
    ),
    limits=(at_most(24, "ops"), at_most(0, "syncs")),
    target=50.0,
    hints=items(
        """
        - Compute `debt` and `saved` for all functions at once: each is one subtraction. The two conditions remain.
        - `torch.where(condition, a, b)` chooses value by value. It computes both `a` and `b` for every value. One `where` can
          be an argument of another.
        - `torch.where(debt <= 0, 1, torch.where(saved <= 0, inf, 1 + debt / saved))`, with `inf = float("inf")`.
        """
    ),
    mistakes=(
        Mistake(
            "Off by one: the first call counts, so add 1 to `debt / saved`.",
            lambda first, steady, baseline: break_even_slow(first, steady, baseline) - 1,
        ),
        Mistake(
            "If later calls cost more than plain ones, `debt / saved` is negative: return infinity.",
            lambda first, steady, baseline: torch.where(
                first <= baseline, torch.ones_like(first), 1 + (first - baseline) / (baseline - steady)
            ),
        ),
        Mistake(
            "If the first compiled call costs no more than a plain one, compiling pays at once: return 1.",
            lambda first, steady, baseline: torch.where(
                baseline <= steady, torch.full_like(first, inf), 1 + (first - baseline) / (baseline - steady)
            ),
        ),
        Mistake(
            "The result is infinity although the first call costs no more than a plain one: return 1.",
            lambda first, steady, baseline: torch.where(
                baseline <= steady,
                torch.full_like(first, inf),
                (1 + (first - baseline) / (baseline - steady)).clamp(min=1),
            ),
        ),
        Mistake(
            "The whole first call is divided by the saving: divide `first_call_s - baseline_s`, and add 1.",
            lambda first, steady, baseline: torch.where(
                first <= baseline,
                torch.ones_like(first),
                torch.where(baseline <= steady, torch.full_like(first, inf), first / (baseline - steady)),
            ),
        ),
        Mistake(
            "The numbers are rounded up: don't round them.",
            lambda first, steady, baseline: break_even_slow(first, steady, baseline).ceil(),
        ),
    ),
    sources=("S1.2",),
)
