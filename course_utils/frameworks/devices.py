"""Which devices the loaded frameworks can use, and what they are called."""

from __future__ import annotations

import re
from typing import Any

from course_utils import frameworks
from course_utils.core.errors import CourseError
from course_utils.core.wording import pluralize
from course_utils.frameworks import device_check, hardware
from course_utils.frameworks.device_check import DeviceProblem

FAKE = "meta"
"""The device whose name a check's fake tensors report. Every machine has it; torch's own tensors there have no values."""

_NAMES = re.compile(r"(cpu|cuda|mps)(:\d+)?")


class DeviceMissing(CourseError):
    """The requested device does not exist on this machine, or does not work."""


def available(framework: str | None = None) -> tuple[str, ...]:
    """Return the names of the devices that work, ``"cpu"`` first, then for example ``"cuda:0"``.

    Each accelerator runs one small kernel as a test, once per process.

    Args:
        framework: the name of a loaded framework; None for all of them.
    """
    names = ["cpu"]
    for each in frameworks.loaded():
        if framework in (None, each.name):
            working = [device for device in each.accelerators() if device_check.problem(each, device) is None]
            names += [device for device in working if device not in names]
    return tuple(names)


def broken() -> dict[str, DeviceProblem]:
    """Return the accelerators that a loaded framework lists and no loaded framework can use, each with its problem."""
    problems = {
        device: problem
        for framework in frameworks.loaded()
        for device in framework.accelerators()
        if (problem := device_check.problem(framework, device)) is not None
    }
    return {device: problem for device, problem in problems.items() if device not in available()}


def recheck(device: str) -> DeviceProblem | None:
    """Return why ``device`` stopped working, after a new test; None if it works or only lacks memory, and for the CPU."""
    problems = [device_check.recheck(each, device) for each in frameworks.loaded() if device in each.accelerators()]
    return problems[0] if all(problems) and problems else None


def is_name(value: Any) -> bool:
    """Return whether ``value`` is the name of a device that holds values, such as ``"cpu"`` or ``"cuda:0"``."""
    return isinstance(value, str) and _NAMES.fullmatch(value) is not None


def require(device: Any) -> str:
    """Return the canonical name of ``device``: ``"cuda"`` becomes ``"cuda:0"``.

    Raises:
        DeviceMissing: no loaded framework has the device, or it does not work; the message lists the devices that work.
    """
    name = str(device)
    canonical = "cuda:0" if name in ("cuda", "gpu") else name
    if canonical in broken():
        problem = broken()[canonical]
        choice = ", ".join(available())
        raise DeviceMissing(
            f"The device {name!r} does not work ({problem.reason}); {problem.remedy}, or choose one of: {choice}."
        )
    if canonical not in available():
        raise DeviceMissing(f"There is no device {name!r} on this machine; choose one of: {', '.join(available())}.")
    return canonical


def describe(device: str = "cpu") -> str:
    """Return the name of a device as people write it, such as ``"AMD EPYC, 2 cores, AVX2"`` or ``"NVIDIA H200"``."""
    for framework in frameworks.loaded():
        name = framework.describe(device)
        if name is not None:
            return name
    if device == "mps":
        return f"{hardware.cpu_name()} GPU"
    parts = hardware.cpu_name(), pluralize(hardware.core_count(), "core"), hardware.vector_instructions()
    return ", ".join(part for part in parts if part)


def machine_id() -> str:
    """Return the processor's name as a file name, such as ``"amd-epyc-2-cores-avx2"``."""
    return hardware.slug(describe())


def driver_version(device: str = "cpu") -> str:
    """Return the version of the driver of ``device``, such as ``"570.124.06"``; "" if it has none or none is found."""
    return hardware.nvidia_driver_version() if device.startswith("cuda") else ""
