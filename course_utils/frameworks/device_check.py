"""Whether an accelerator that a framework counts works: one small kernel and a wait for it, tried once in a process.

A card counts also where its driver is too old, where the framework holds no kernels for it, and where another program has
taken all of its memory. It times nothing, and chooses nothing in place of what does not work.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from course_utils.frameworks.base import Framework


@dataclass(frozen=True)
class DeviceProblem:
    """Why a device cannot be used.

    Attributes:
        reason: in the framework's own words, a line without a full stop.
        remedy: what a person can do, as the rest of a sentence.
        is_full: whether only its memory is missing.
    """

    reason: str
    remedy: str
    is_full: bool


_found: dict[tuple[str, str], DeviceProblem | None] = {}


def refusal(framework: Framework, device: str) -> DeviceProblem | None:
    """Why ``framework`` cannot use ``device``, None where it can; tried the first time that it is asked."""
    key = framework.name, device
    if key not in _found:
        _found[key] = _tried(framework, device)
    return _found[key]


def lost(framework: Framework, device: str) -> DeviceProblem | None:
    """As ``refusal``, for a device that worked: tried once more, and None also where only its memory is missing."""
    if refusal(framework, device) is None:
        refused = _tried(framework, device)
        if refused is not None and not refused.is_full:
            _found[framework.name, device] = refused
    return _found[framework.name, device]


def _tried(framework: Framework, device: str) -> DeviceProblem | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what torch remarks on an old card; what matters of it is raised
        try:
            framework.touch(device)
        except Exception as error:  # noqa: BLE001 - each framework, driver and card has an error of its own
            return _told(framework, error)
    return None


def _told(framework: Framework, error: Exception) -> DeviceProblem:
    said = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(" .")
    if framework.is_out_of_memory(error):
        return DeviceProblem(said, "end what else uses its memory and restart the kernel", is_full=True)
    remedy = f"restart the kernel if it worked before, else install a driver and a {framework.title} that fit it"
    return DeviceProblem(said, remedy, is_full=False)
