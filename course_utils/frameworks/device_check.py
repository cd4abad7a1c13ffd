"""Tests whether an accelerator that a framework lists can run a kernel, once per process.

A framework also lists a card whose driver is too old, a card that it has no kernels for, and a card whose memory is
full.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from course_utils.frameworks.framework_interface import Framework


@dataclass(frozen=True)
class DeviceProblem:
    """Why a device cannot be used.

    Attributes:
        reason: the framework's own words, one line without a full stop.
        remedy: what a person can do, as the second half of a sentence.
        is_full: whether the device only lacks free memory.
    """

    reason: str
    remedy: str
    is_full: bool


_problems: dict[tuple[str, str], DeviceProblem | None] = {}


def problem(framework: Framework, device: str) -> DeviceProblem | None:
    """Return why ``framework`` cannot use ``device``, None if it can; only the first call runs the test."""
    key = framework.name, device
    if key not in _problems:
        _problems[key] = _test(framework, device)
    return _problems[key]


def recheck(framework: Framework, device: str) -> DeviceProblem | None:
    """Return ``problem``; a device that worked before is tested again, and a lack of memory is then no problem."""
    if problem(framework, device) is None:
        new_problem = _test(framework, device)
        if new_problem is not None and not new_problem.is_full:
            _problems[framework.name, device] = new_problem
    return _problems[framework.name, device]


def _test(framework: Framework, device: str) -> DeviceProblem | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns about old cards; what prevents their use is raised as well.
        try:
            framework.run_test_kernel(device)
        except Exception as error:  # noqa: BLE001 - each framework, driver and card raises its own type.
            return _problem_of(framework, error)
    return None


def _problem_of(framework: Framework, error: Exception) -> DeviceProblem:
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(" .")
    if framework.is_out_of_memory(error):
        return DeviceProblem(reason, "end other programs that use its memory and restart the kernel", is_full=True)
    remedy = (
        f"restart the kernel if the device worked before, else install a driver and a version of {framework.title} "
        "that support it"
    )
    return DeviceProblem(reason, remedy, is_full=False)
