"""``speed_and_error``: the time and the error of some contenders that approximate the same result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from course_utils.frameworks import tensor_trees
from course_utils.timing import compare


@dataclass(frozen=True)
class SpeedAndError:
    """The time and the error of each contender in each case.

    Attributes:
        contenders, cases: their names, in the order in which they were given.
        seconds: (contender, case) → median seconds per call.
        errors: (contender, case) → the largest error as a share of the largest true value; infinity if a result is not
            finite.
        threads: threads that an operation may use on the CPU.
    """

    contenders: tuple[str, ...]
    cases: tuple[str, ...]
    seconds: Mapping[tuple[str, str], float]
    errors: Mapping[tuple[str, str], float]
    threads: int


def speed_and_error(
    contenders: Mapping[str, Callable[..., Any]],
    cases: Mapping[str, tuple],
    truth: Callable[..., Any],
    *,
    budget_s: float = 5.0,
) -> SpeedAndError:
    """The time of all contenders in all cases, interleaved, and their errors; as a cell's last line it draws itself.

    Args:
        contenders: name → function; each returns one tensor.
        cases: name → the arguments.
        truth: ``truth(*arguments)`` is the correct tensor, in a wider precision.
        budget_s: seconds to spend on all.
    """
    expected = {case: tensor_trees.to_numpy(truth(*args)) for case, args in cases.items()}
    calls = {
        (name, case): partial(function, *args) for name, function in contenders.items() for case, args in cases.items()
    }
    comparison = compare({" ".join(pair): call for pair, call in calls.items()}, budget_s=budget_s)
    return SpeedAndError(
        tuple(contenders),
        tuple(cases),
        {pair: comparison.median_s(" ".join(pair)) for pair in calls},
        {pair: _error(tensor_trees.to_numpy(call()), expected[pair[1]]) for pair, call in calls.items()},
        comparison.threads,
    )


def _error(result: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference as a share of the largest value of ``expected``."""
    with np.errstate(invalid="ignore"):  # infinity minus infinity is NaN, which counts as an infinite error
        error = abs(result.astype(expected.dtype) - expected).max() / abs(expected).max()
    return float(error) if np.isfinite(error) else np.inf
