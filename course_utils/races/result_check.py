"""Checks that contenders return what the baseline returns, and finds out which arguments they change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from course_utils.core.errors import USER_CODE_ERRORS
from course_utils.frameworks import across_frameworks
from course_utils.frameworks.agreement import close
from course_utils.races.point import Point, failure_point
from course_utils.races.restore_arguments import restoring_arguments


@dataclass(frozen=True)
class CheckedContenders:
    """The contenders of one size after their first call.

    Attributes:
        agreeing: name → function of the contenders whose result agrees with the baseline's.
        arguments: what ``compare`` takes: the arguments, or a function that restores them.
        points: name → point of the contenders that are wrong or raised an error.
    """

    agreeing: dict[str, Callable[..., Any]]
    arguments: Any
    points: dict[str, Point]


def check_results(
    size: int,
    contenders: Mapping[str, Callable[..., Any]],
    make_arguments: Callable[[], tuple[Any, ...]],
    *,
    baseline: str,
    same: Callable[[Any, Any], str | None],
    device: str,
    threads: int,
    cancel: threading.Event,
) -> CheckedContenders:
    """Call each contender once, the baseline first, and compare the results with the baseline's.

    Args:
        size: for the notes.
        contenders: name → function.
        make_arguments: makes equal arguments at each call.
        baseline: the contender with the expected result; if it fails, the first contender that works has it.
        same: ``same(expected, result)`` returns None, or the difference as a phrase.
        device, threads, cancel: as in ``Race.run``.
    """
    agreeing: dict[str, Callable[..., Any]] = {}
    points: dict[str, Point] = {}
    changed: set[int] = set()
    expected: Any = None
    # The contenders share one set of arguments until one of them changes it. New arguments would need a new seed, and
    # seeding empties TensorFlow's cache of kernels, which slows down every graph's next call.
    untouched, arguments = make_arguments(), make_arguments()
    for name in sorted(contenders, key=lambda name: name != baseline):
        if cancel.is_set():
            break
        try:
            with across_frameworks.threads(threads), across_frameworks.full_precision():
                result = contenders[name](*arguments)
                across_frameworks.synchronize(device)
        except USER_CODE_ERRORS as error:  # the other contenders still race
            points[name] = failure_point(size, name, repr(name), error)
            continue
        finally:
            touched = {index for index, old in enumerate(untouched) if close(old, arguments[index]) is not None}
            if touched:
                changed, arguments = changed | touched, make_arguments()
        try:
            difference = same(expected, result) if agreeing else None
        except USER_CODE_ERRORS as error:  # a learner may have written the comparison
            points[name] = failure_point(size, name, f"The comparison of {name!r} with the others", error)
            continue
        if difference is None:
            expected = expected if agreeing else result
            agreeing[name] = contenders[name]
        else:
            points[name] = Point(size, name, "wrong", note=f"{name!r} is wrong at n = {size:,}: {difference}.")
    return CheckedContenders(agreeing, restoring_arguments(arguments, changed, make_arguments), points)
