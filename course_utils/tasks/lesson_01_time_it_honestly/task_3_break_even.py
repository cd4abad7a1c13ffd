"""After how many calls a compile pays: two conditions, chosen value by value.

The usual mistakes are the two cases in which the plain formula has nothing to say.
"""

from __future__ import annotations

from math import inf

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import noncontiguous, uniform
from course_utils.tasks.unwrap import items, prose


def break_even_slow(first_call_s, steady_s, baseline_s):
    """How many calls it takes until compiling has cost no more than not compiling."""
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
    title="When does a compile pay?",
    points=2,
    level=1,
    slow=break_even_slow,
    inputs=_break_even_inputs,
    edge_cases=(
        Case("no functions at all", lambda generator: _break_even_inputs(0, generator)),
        Case(
            "a compile that never pays, and one that saves nothing",
            lambda _: (torch.tensor([1.0, 1.0]), torch.tensor([0.5, 0.25]), torch.tensor([0.25, 0.25])),
        ),
        Case(
            "a first call that is already the faster one",
            lambda _: (
                torch.tensor([0.1, 0.25, 0.1]),
                torch.tensor([0.01, 0.01, 0.5]),
                torch.tensor([0.25, 0.25, 0.2]),
            ),
        ),
        Case(
            "a first call like a plain one, and later calls that save nothing",
            lambda _: (torch.tensor([0.25, 0.25]), torch.tensor([0.25, 0.5]), torch.tensor([0.25, 0.25])),
        ),
        Case("every second value of longer tensors", lambda g: tuple(map(noncontiguous, _break_even_inputs(5, g)))),
        Case("float64 values", lambda generator: _break_even_inputs(5, generator, dtype=torch.float64)),
        Case(
            "very long and very short times",
            lambda _: (
                torch.tensor([3e4, 1e30, 1e-6]),
                torch.tensor([1e-9, 1e-30, 1e-12]),
                torch.tensor([2e-9, 1.0, 1e-9]),
            ),
        ),
        Case(
            "a first call that never ends",
            lambda _: (torch.tensor([inf, inf]), torch.tensor([0.1, 0.3]), torch.tensor([0.2, 0.2])),
        ),
    ),
    count_sizes=(8, 1000),
    race_size=1000,
    story=prose(
        """
        A compiler makes the first call long and the later ones short. For many functions at once: after how many
        calls has compiling cost no more than not compiling? Write `break_even(first_call_s, steady_s, baseline_s)`,
        where `first_call_s` and `steady_s` are the seconds of the first and of each later compiled call, `baseline_s`
        those of a plain call.
        """
    ),
    rules=prose(
        """
        - The three tensors have the shape (n,) and one floating-point dtype, and so has the result; they stay as they
        were.
        - `n` calls cost `first + (n − 1)·steady` with the compiler and `n·baseline` without. The result is the `n` at
        which the two are equal, not rounded, but at least 1.
        - Infinity where it never pays: the first call costs more, and the later ones save nothing.
        - A few tensor operations, however many functions.
        - Python waits for no value: no `if` on a tensor, and no mask that picks some of its values.
        """
    ),
    limits=(at_most(24, "ops"), at_most(0, "syncs")),
    target=50.0,
    hints=items(
        """
        - Work out debt and saved for all functions at once; each is one subtraction. What remains are the two
          conditions.
        - `torch.where(condition, a, b)` chooses value by value, and one `where` may stand inside another. Both sides
          are worked out for every value; only the choice counts.
        - torch.where(debt <= 0, 1, torch.where(saved <= 0, inf, 1 + debt / saved)), with inf = float('inf').
        """
    ),
    mistakes=(
        Mistake(
            "Off by one: the first call is a call too, so 1 is added to debt / saved.",
            lambda first, steady, baseline: break_even_slow(first, steady, baseline) - 1,
        ),
        Mistake(
            "The number of calls is negative where compiling never pays: it is infinity there.",
            lambda first, steady, baseline: torch.where(
                first <= baseline, torch.ones_like(first), 1 + (first - baseline) / (baseline - steady)
            ),
        ),
        Mistake(
            "Where the first compiled call costs no more than a plain one, the result is 1: it has paid at once.",
            lambda first, steady, baseline: torch.where(
                baseline <= steady, torch.full_like(first, inf), 1 + (first - baseline) / (baseline - steady)
            ),
        ),
        Mistake(
            "Infinite only where both fail: where the first call costs no more than a plain one, the result is 1.",
            lambda first, steady, baseline: torch.where(
                baseline <= steady,
                torch.full_like(first, inf),
                (1 + (first - baseline) / (baseline - steady)).clamp(min=1),
            ),
        ),
        Mistake(
            "The debt is only what the first call costs more than a plain one: subtract baseline from it.",
            lambda first, steady, baseline: torch.where(
                first <= baseline,
                torch.ones_like(first),
                torch.where(baseline <= steady, torch.full_like(first, inf), first / (baseline - steady)),
            ),
        ),
        Mistake(
            "The numbers are rounded up; leave them as they are.",
            lambda first, steady, baseline: break_even_slow(first, steady, baseline).ceil(),
        ),
    ),
    sources=("S1.2",),
)
