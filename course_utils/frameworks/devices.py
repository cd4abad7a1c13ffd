"""Devices, asked of all loaded frameworks at once: which there are, how to wait for them, seed them and name them.

Nothing here imports a framework that the learner has not imported, and nothing measures time.
"""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from course_utils import frameworks
from course_utils.core.errors import CourseError
from course_utils.core.wording import pluralize
from course_utils.frameworks import device_check
from course_utils.frameworks.driver import nvidia_driver
from course_utils.frameworks.processor import cores, processor

_NAMES = re.compile(r"(cpu|cuda|mps)(:\d+)?")


class DeviceMissing(CourseError):
    """The device asked for is not on this machine, or does not work."""


def installed() -> dict[str, str]:
    """Framework → version for those that could be imported, without importing them."""
    found = {each.name: each.installed_version() for each in frameworks.ALL}
    return {name: version for name, version in found.items() if version is not None}


def versions() -> dict[str, str]:
    """Python's version and those of NumPy and the frameworks in use here."""
    found = {"python": platform.python_version()}
    for name in ("numpy", *(each.name for each in frameworks.loaded())):
        found[name] = str(sys.modules[name].__version__)
    return found


def available(framework: str | None = None) -> tuple[str, ...]:
    """Device names that the loaded frameworks can use, ``"cpu"`` first, then for example ``"cuda:0"``.

    Each accelerator is tried once, by a small kernel; what does not work is left out.

    Args:
        framework: look at this one only, None for every loaded one.
    """
    names = ["cpu"]
    for each in frameworks.loaded():
        if framework in (None, each.name):
            working = [device for device in each.accelerators() if device_check.refusal(each, device) is None]
            names += [device for device in working if device not in names]
    return tuple(names)


def refused() -> dict[str, device_check.DeviceProblem]:
    """The accelerators that a loaded framework counts and none can use, each with why."""
    found = {
        device: why
        for each in frameworks.loaded()
        for device in each.accelerators()
        if (why := device_check.refusal(each, device)) is not None
    }
    return {device: why for device, why in found.items() if device not in available()}


def lost(device: str) -> device_check.DeviceProblem | None:
    """Why ``device`` does not work any more, tried now; None where it works, or is only full. The CPU always works."""
    found = [device_check.lost(each, device) for each in frameworks.loaded() if device in each.accelerators()]
    return found[0] if all(found) and found else None


def is_name(value: Any) -> bool:
    """Whether ``value`` is a text that names a device which holds values, as ``"cpu"`` and ``"cuda:0"`` do."""
    return isinstance(value, str) and _NAMES.fullmatch(value) is not None


def require(device: Any) -> str:
    """The canonical name of ``device`` (``"cuda"`` becomes ``"cuda:0"``).

    Raises:
        DeviceMissing: when no loaded framework has it, or it does not work; the message lists what there is.
    """
    name = str(device)
    canonical = "cuda:0" if name in ("cuda", "gpu") else name
    if canonical in refused():
        why = refused()[canonical]
        choice = ", ".join(available())
        raise DeviceMissing(
            f"The device {name!r} does not work ({why.reason}); {why.remedy}, or choose one of: {choice}."
        )
    if canonical not in available():
        raise DeviceMissing(f"There is no device {name!r} on this machine; choose one of: {', '.join(available())}.")
    return canonical


def describe(device: str = "cpu") -> str:
    """What a person calls the device, for example ``"AMD EPYC, 2 cores"`` or ``"NVIDIA H200"``."""
    for framework in frameworks.loaded():
        told = framework.describe(device)
        if told is not None:
            return told
    if device == "mps":
        return f"{processor()} GPU"
    return f"{processor()}, {pluralize(cores(), 'core')}"


def driver(device: str = "cpu") -> str:
    """The version of the driver that ``device`` runs on, "" where it has none of its own, or none that tells."""
    return nvidia_driver() if device.startswith("cuda") else ""


def machine_id(device: str = "cpu") -> str:
    """``describe`` as a file name, for example ``"amd-epyc-2-cores"``."""
    return file_name(describe(device))


def file_name(machine: str) -> str:
    """What ``describe`` returned, in letters, digits and hyphens only."""
    return re.sub(r"[^a-z0-9]+", "-", machine.lower()).strip("-")


def waiters(device: str = "cpu") -> tuple[Callable[[], Any], ...]:
    """What must be called for all work given to ``device`` to be done: empty where calls return only when done."""
    return tuple(wait for each in frameworks.loaded() for wait in each.waiters(device))


def synchronize(device: str = "cpu") -> None:
    """Return when all work given to ``device`` is done, in every loaded framework."""
    for wait in waiters(device):
        wait()


def waited(device: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a call once all work given to ``device`` is done: what it sends to the host unwaited has arrived."""
    result = function(*arguments)
    synchronize(device)
    return result


def out_of_memory(error: BaseException) -> bool:
    """Whether ``error`` is Python's or any framework's way to say that memory ran out."""
    return any(each.is_out_of_memory(error) for each in (frameworks.PLAIN, *frameworks.ALL))


def seed(number: int) -> None:
    """Seed the global generators of every loaded framework."""
    for framework in frameworks.loaded():
        framework.seed(number)


@contextmanager
def threads(count: int) -> Iterator[int]:
    """Let operations use ``count`` threads inside the block; yields the number that is really in force."""
    with ExitStack() as stack:
        in_force = [stack.enter_context(framework.threads(count)) for framework in frameworks.loaded()]
        yield max(in_force, default=count)


@contextmanager
def exact() -> Iterator[None]:
    """Inside the block float32 is computed as float32 in every loaded framework.

    Results are compared so. GPUs compute a convolution, and matrix products if told to, in TF32: ten bits of mantissa, so
    that two right ways differ in the fourth digit, and none of them is at fault. Time is taken outside of the block, under
    the settings that are the learner's, since that is what their code runs on.
    """
    with ExitStack() as stack:
        for framework in frameworks.loaded():
            stack.enter_context(framework.exact())
        yield


@contextmanager
def placed(device: str) -> Iterator[None]:
    """Keep operations on ``device`` inside the block, also those of a framework that places them by itself."""
    with ExitStack() as stack:
        for framework in frameworks.loaded():
            stack.enter_context(framework.placed(device))
        yield
