"""``speed_and_error``: how long some ways to the same result take, and how far off they are. It draws nothing."""

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
    """What was found of each contender in each case.

    Attributes:
        contenders, cases: their names, in the order in which they were given.
        seconds: (contender, case) → median seconds per call.
        errors: (contender, case) → the largest error, as a share of the largest true value; infinity where a value is no number.
        threads: the threads that an operation could use on the CPU.
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
    """Time all contenders in all cases, in turns, and hold their results against the truth; as a cell's last line it draws itself.

    Args:
        contenders: name → function; each returns one tensor.
        cases: name → the arguments.
        truth: ``truth(*arguments)`` is the tensor that is right, in a wider precision.
        budget_s: seconds to spend on all.
    """
    right = {case: tensor_trees.to_numpy(truth(*args)) for case, args in cases.items()}
    calls = {(name, case): partial(way, *cases[case]) for name, way in contenders.items() for case in cases}
    found = compare({" ".join(pair): call for pair, call in calls.items()}, budget_s=budget_s)
    return SpeedAndError(
        tuple(contenders),
        tuple(cases),
        {pair: found.median_s(" ".join(pair)) for pair in calls},
        {pair: _error(tensor_trees.to_numpy(call()), right[pair[1]]) for pair, call in calls.items()},
        found.threads,
    )


def _error(given: np.ndarray, right: np.ndarray) -> float:
    """The largest difference as a share of the largest value of ``right``."""
    with np.errstate(invalid="ignore"):  # infinity less infinity is no number, and told as such
        off = abs(given.astype(right.dtype) - right).max() / abs(right).max()
    return float(off) if np.isfinite(off) else np.inf
