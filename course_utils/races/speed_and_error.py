"""``speed_and_error``: the time and the error of some contenders that approximate the same result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from course_utils.core.errors import USER_CODE_ERRORS, CourseError, summarize_error
from course_utils.core.measurement_budgets import FIRST_LOOK_S
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
        device: ``"cpu"``, ``"cuda:0"``, …
        failures: (contender, case) → the error that the contender raised; it has no time and no error in that case.
    """

    contenders: tuple[str, ...]
    cases: tuple[str, ...]
    seconds: Mapping[tuple[str, str], float]
    errors: Mapping[tuple[str, str], float]
    threads: int
    device: str
    failures: Mapping[tuple[str, str], str]


def speed_and_error(
    contenders: Mapping[str, Callable[..., Any]],
    cases: Mapping[str, tuple],
    truth: Callable[..., Any],
    *,
    device: str = "cpu",
    budget_s: float = 2.5 * FIRST_LOOK_S,
) -> SpeedAndError:
    """Return the time and the error of each contender in each case; on a cell's last line, the result shows a chart.

    The contenders are timed in interleaved rounds.

    Args:
        contenders: name → function; each returns one tensor. A contender that raises an error in a case is left out
            of that case; some machines have no code for a dtype.
        cases: name → the arguments.
        truth: ``truth(*arguments)`` is the correct tensor, in a wider precision.
        device: the device on which the contenders compute.
        budget_s: seconds for all measurements.

    Raises:
        CourseError: every contender raised an error in every case.
        devices.DeviceMissing: this machine doesn't have the device.
    """
    expected = {case: tensor_trees.to_numpy(truth(*args)) for case, args in cases.items()}
    calls = {
        (name, case): partial(function, *args) for name, function in contenders.items() for case, args in cases.items()
    }
    results: dict[tuple[str, str], np.ndarray] = {}
    failures: dict[tuple[str, str], str] = {}
    for pair, call in calls.items():
        try:
            results[pair] = tensor_trees.to_numpy(call())
        except USER_CODE_ERRORS as error:
            failures[pair] = summarize_error(error)
    if not results:
        name, case = next(iter(calls))
        raise CourseError(f"No contender works in any case; {name} in the case {case} raised {failures[name, case]}")
    comparison = compare({" ".join(pair): calls[pair] for pair in results}, device=device, budget_s=budget_s)
    return SpeedAndError(
        tuple(contenders),
        tuple(cases),
        {pair: comparison.median_s(" ".join(pair)) for pair in results},
        {pair: _error(result, expected[pair[1]]) for pair, result in results.items()},
        comparison.threads,
        device,
        failures,
    )


def _error(result: np.ndarray, expected: np.ndarray) -> float:
    """Return the largest difference as a share of the largest value of ``expected``."""
    with np.errstate(invalid="ignore"):  # Infinity minus infinity is NaN, which counts as an infinite error.
        error = abs(result.astype(expected.dtype) - expected).max() / abs(expected).max()
    return float(error) if np.isfinite(error) else np.inf
