"""A selection that stays on the device: limits as tensors, and no ``if``.

Cases with outliers on a single side show which side an answer forgets.
"""

from __future__ import annotations

from math import nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, noncontiguous_case, random_case
from course_utils.tasks.torch_inputs import normal


def clip_outliers_slow(x, sigmas):
    """Return x with each value that is more than sigmas standard deviations from the mean moved to that distance."""
    mean = x.mean()
    reach = sigmas * x.std(unbiased=False)
    result = x.clone()
    for i in range(len(x)):
        if x[i] > mean + reach:
            result[i] = mean + reach
        elif x[i] < mean - reach:
            result[i] = mean - reach
    return result


def _with_outliers(generator, size, dtype=torch.float32):
    x = normal(generator, size, dtype=dtype)
    x[::5] *= 6
    return x, 1.5


def _by_sample_deviation(x, sigmas):
    if len(x) < 2:  # It is undefined for a single value.
        return x * nan
    return x.clamp(x.mean() - sigmas * x.std(), x.mean() + sigmas * x.std())


def _bounds(x, sigmas):
    mean, reach = x.mean(), sigmas * x.std(unbiased=False)
    return mean - reach, mean + reach


def _by_where(x, sigmas):
    low, high = _bounds(x, sigmas)
    return torch.where(x < low, low, torch.where(x > high, high, x))


def _by_clamp(x, sigmas):
    return x.clamp(*_bounds(x, sigmas))


def _outliers_at_both_ends(generator):
    x = normal(generator, 5000)
    x[:100] *= 6
    x[-100:] *= 9
    return x, 1.5


TASK = Task(
    id="clip_outliers",
    title="Clip outliers on the device",
    points=2,
    level=1,
    slow=clip_outliers_slow,
    reference=_by_clamp,
    inputs=lambda size, generator: _with_outliers(generator, size),
    edge_cases=(
        random_case("a single value", (1,), rest=(2.0,)),
        fixed_case("no outliers at all", [1.0, 2.0, 3.0], rest=(5.0,)),
        fixed_case("equal values", [3.0] * 5, rest=(1.0,)),
        random_case("a factor of 0", (6,), rest=(0.0,)),
        fixed_case("outliers on one side only", [0.0, 0.1, 0.2, 0.0, 9.0], rest=(1.0,)),
        fixed_case("outliers on both sides", [-9.0, 0.1, 0.0, 0.2, 0.0, 9.0], rest=(1.25,)),
        Case("float64 values", lambda generator: _with_outliers(generator, 11, torch.float64)),
        noncontiguous_case("every second value of a longer vector", (9,), rest=(1.0,)),
        Case("float64 values and a factor of 1.1", lambda g: (_with_outliers(g, 12, torch.float64)[0], 1.1)),
        Case("values far from zero", lambda generator: (normal(generator, 9) + 30_000, 1.0)),
        Case("an integer factor", lambda generator: (_with_outliers(generator, 10)[0], 1)),
    ),
    worst=(
        Case("one outlier among 500 equal values", lambda _: (torch.cat([torch.ones(500), torch.tensor([9.0])]), 3.0)),
        Case("outliers at both ends of 5,000 values", _outliers_at_both_ends),
        Case("a large factor", lambda _: (torch.cat([torch.ones(500), torch.tensor([9.0])]), 20.0)),
    ),
    race_size=600,
    story=prose(
        """
        A sensor sometimes produces outliers. Every value more than `sigmas` standard deviations from the mean moves
        back to exactly that distance. The loop below runs an `if` on every value, and each `if` makes Python wait for
        the device. Write `clip_outliers(x, sigmas)` without a synchronization.
        """
    ),
    rules=prose(
        """
        - `x` is a float32 or float64 vector with at least one value, all finite, and `sigmas` is a number, 0 or more. The
          standard deviation divides by n, not by n − 1. The result has the dtype and device of `x`, and `x` is not
          modified.
        """
    ),
    limits=(
        # An answer with two branches stays below this limit, so the message is about synchronizations.
        at_most(24, "ops"),
        at_most(0, "syncs"),
    ),
    target=20.0,
    cost=lambda size: Cost(reads=4 * size, writes=4 * size),
    ways={"where": _by_where, "clamp": _by_clamp},
    hints=items(
        """
        - The mean and the standard deviation are tensors. Where does Python read a value?
        - The two limits may stay tensors: `torch.where`, `torch.minimum` and `torch.maximum` accept tensors on both
          sides.
        - Compute `reach = sigmas * x.std(unbiased=False)`, and return `x.clamp(mean - reach, mean + reach)`: `clamp`
          accepts tensors as limits.
        """
    ),
    mistakes=(
        Mistake(
            "The standard deviation divides by n − 1: pass `unbiased=False`.",
            _by_sample_deviation,
        ),
        Mistake(
            "Only outliers above the mean are moved: move outliers below it too.",
            lambda x, sigmas: x.clamp(max=x.mean() + sigmas * x.std(unbiased=False)),
        ),
        Mistake(
            "Only outliers below the mean are moved: move outliers above it too.",
            lambda x, sigmas: x.clamp(min=x.mean() - sigmas * x.std(unbiased=False)),
        ),
        Mistake(
            "The limits are centered at 0: center them at the mean.",
            lambda x, sigmas: x.clamp(-sigmas * x.std(unbiased=False), sigmas * x.std(unbiased=False)),
        ),
        Mistake(
            "Outliers become the mean: move them to the limit on their side.",
            lambda x, sigmas: torch.where((x - x.mean()).abs() > sigmas * x.std(unbiased=False), x.mean(), x),
        ),
    ),
    sources=("S1.1", "S2.5"),
)
