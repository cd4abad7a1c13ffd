"""Frameworks and devices: which exist, how to wait for them, seed them, and read their peak memory.

Nothing here imports a framework that the learner has not imported: a TensorFlow lesson never pays for torch, nor the
reverse. Nothing here measures time.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

from course_utils.ground.errors import CourseError
from course_utils.ground.wording import counted

FRAMEWORKS = ("torch", "tensorflow")
_DISTRIBUTIONS = {"torch": ("torch",), "tensorflow": ("tensorflow", "tensorflow-cpu", "tensorflow-intel", "tf-nightly")}


class DeviceMissing(CourseError):
    """The device asked for is not on this machine."""


def loaded() -> tuple[str, ...]:
    """The frameworks that this process has imported, in the order of ``FRAMEWORKS``."""
    return tuple(name for name in FRAMEWORKS if hasattr(sys.modules.get(name), "__version__"))


def installed() -> dict[str, str]:
    """Framework → version for those that could be imported, without importing them."""
    found = {}
    for framework, distributions in _DISTRIBUTIONS.items():
        for distribution in distributions:
            try:
                found[framework] = importlib.metadata.version(distribution)
                break
            except importlib.metadata.PackageNotFoundError:
                continue
    return found


def versions() -> dict[str, str]:
    """Python's version and those of NumPy and the frameworks in use here."""
    found = {"python": platform.python_version()}
    for name in ("numpy", *loaded()):
        if name in sys.modules:
            found[name] = str(sys.modules[name].__version__)
    return found


def framework_of(value: Any) -> str | None:
    """The framework that made ``value``, told by its type's module, or None for anything else.

    >>> framework_of([1.0])
    """
    for kind in type(value).__mro__:
        root = kind.__module__.partition(".")[0]
        if root in FRAMEWORKS:
            return root
    return None


def available(framework: str | None = None) -> tuple[str, ...]:
    """Device names that the loaded frameworks can use, ``"cpu"`` first, then for example ``"cuda:0"``.

    Args:
        framework: look at this one only, None for every loaded one.
    """
    names = ["cpu"]
    for name in loaded() if framework is None else (framework,):
        names += [device for device in _accelerators(name) if device not in names]
    return tuple(names)


def _accelerators(framework: str) -> list[str]:
    if framework not in loaded():
        return []
    if framework == "torch":
        torch = sys.modules["torch"]
        found = [f"cuda:{index}" for index in range(torch.cuda.device_count())]
        return found + (["mps"] if torch.backends.mps.is_available() else [])
    tensorflow = sys.modules["tensorflow"]
    return [f"cuda:{index}" for index, _ in enumerate(tensorflow.config.list_physical_devices("GPU"))]


def require(device: Any) -> str:
    """The canonical name of ``device`` (``"cuda"`` becomes ``"cuda:0"``).

    Raises:
        DeviceMissing: when no loaded framework has it; the message lists what there is.
    """
    name = str(device)
    canonical = "cuda:0" if name in ("cuda", "gpu") else name
    if canonical not in available():
        raise DeviceMissing(f"There is no device {name!r} on this machine; choose one of: {', '.join(available())}.")
    return canonical


def describe(device: str = "cpu") -> str:
    """What a person calls the device, for example ``"AMD EPYC, 2 cores"`` or ``"NVIDIA H200"``."""
    if device.startswith("cuda") and "torch" in loaded():
        return sys.modules["torch"].cuda.get_device_name(device)
    if device.startswith("cuda") and "tensorflow" in loaded():
        config = sys.modules["tensorflow"].config
        physical = config.list_physical_devices("GPU")[int(device.partition(":")[2] or 0)]
        return config.experimental.get_device_details(physical).get("device_name", "GPU")
    if device == "mps":
        return f"{_processor()} GPU"
    return f"{_processor()}, {counted(cores(), 'core')}"


def machine_id(device: str = "cpu") -> str:
    """``describe`` as a file name, for example ``"amd-epyc-2-cores"``."""
    return file_name(describe(device))


def file_name(machine: str) -> str:
    """What ``describe`` returned, in letters, digits and hyphens only."""
    return re.sub(r"[^a-z0-9]+", "-", machine.lower()).strip("-")


def cores() -> int:
    """Logical cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _processor() -> str:
    name = platform.processor() or platform.machine()
    if sys.platform.startswith("linux"):
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        name = models[0] if models else name
    return (
        re.sub(r"\((R|TM)\)|\bCPU\b|@.*|\d+-Core Processor|Processor", "", name, flags=re.IGNORECASE).strip() or "CPU"
    )


def waiters(device: str = "cpu") -> tuple[Callable[[], Any], ...]:
    """What must be called for all work given to ``device`` to be done: empty where calls return only when done.

    torch works at once on the CPU; TensorFlow may run operations behind the caller's back there too.
    """
    found: list[Callable[[], Any]] = []
    if "torch" in loaded() and device.startswith("cuda"):
        found.append(partial(sys.modules["torch"].cuda.synchronize, device))
    if "torch" in loaded() and device == "mps":
        found.append(sys.modules["torch"].mps.synchronize)
    if "tensorflow" in loaded():
        found.append(sys.modules["tensorflow"].test.experimental.sync_devices)
    return tuple(found)


def synchronize(device: str = "cpu") -> None:
    """Return when all work given to ``device`` is done, in every loaded framework."""
    for wait in waiters(device):
        wait()


def out_of_memory(error: BaseException) -> bool:
    """Whether ``error`` is Python's, torch's or TensorFlow's way to say that memory ran out."""
    if isinstance(error, MemoryError) or type(error).__name__ in ("OutOfMemoryError", "ResourceExhaustedError"):
        return True
    return isinstance(error, RuntimeError) and "alloc" in str(error) and "memory" in str(error)


def seed(number: int) -> None:
    """Seed the global generators of every loaded framework."""
    for framework in loaded():
        if framework == "torch":
            sys.modules["torch"].manual_seed(number)
        else:
            sys.modules["tensorflow"].random.set_seed(number)


@contextmanager
def threads(count: int) -> Iterator[int]:
    """Let operations use ``count`` threads inside the block; yields the number that is really in force.

    torch changes it at any time. TensorFlow fixes it at its first operation: where that has passed, the number it has is
    what is yielded.
    """
    in_force = count
    if "tensorflow" in loaded():
        in_force = _tensorflow_threads(count)
    if "torch" not in loaded():
        yield in_force
        return
    torch = sys.modules["torch"]
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield max(in_force, torch.get_num_threads())
    finally:
        torch.set_num_threads(before)


@contextmanager
def placed(device: str) -> Iterator[None]:
    """Keep TensorFlow's operations on ``device`` inside the block: where there is a GPU it would take that one for all."""
    if len(available("tensorflow")) == 1:
        yield
        return
    with sys.modules["tensorflow"].device(device.replace("cuda", "GPU")):
        yield


def _tensorflow_threads(count: int) -> int:
    threading = sys.modules["tensorflow"].config.threading
    try:
        threading.set_intra_op_parallelism_threads(count)
        threading.set_inter_op_parallelism_threads(count)
    except RuntimeError:  # TensorFlow's own signal that its runtime has started; the number can only be read now
        pass
    declared = threading.get_intra_op_parallelism_threads() or int(os.environ.get("TF_NUM_INTRAOP_THREADS", "0"))
    return declared or cores()


@contextmanager
def hushed() -> Iterator[None]:
    """Drop what compiled code writes to stderr inside the block; exceptions still get through.

    TensorFlow greets at import with lines that no log level silences.
    """
    sys.stderr.flush()
    kept, sink = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(sink)


def reset_peak_memory(device: str) -> None:
    """Begin a new peak on an accelerator; on the CPU there is no counter to reset."""
    if device.startswith("cuda") and "torch" in loaded():
        sys.modules["torch"].cuda.reset_peak_memory_stats(device)
    elif device.startswith("cuda") and "tensorflow" in loaded():
        sys.modules["tensorflow"].config.experimental.reset_memory_stats(device.replace("cuda", "GPU"))


def peak_memory(device: str) -> int | None:
    """Bytes at the highest since ``reset_peak_memory``; None where the device keeps no such count (the CPU)."""
    if device.startswith("cuda") and "torch" in loaded():
        return sys.modules["torch"].cuda.max_memory_allocated(device)
    if device.startswith("cuda") and "tensorflow" in loaded():
        return sys.modules["tensorflow"].config.experimental.get_memory_info(device.replace("cuda", "GPU"))["peak"]
    return None
