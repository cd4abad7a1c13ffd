"""Fixtures with the device of the GPU tests; they skip a test, with the reason, if the machine has no such device.

``--gpu-device cpu:0`` rehearses the tests on a machine without a GPU. torch then lists ``cpu:0`` as an accelerator, and
its events read the host's clock. The rehearsal skips the tests that need CUDA itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter

import pytest

from course_utils import frameworks
from course_utils.frameworks import devices

REHEARSAL = "cpu:0"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--gpu-device", default="cuda:0", help="the device of tests/gpu; cpu:0 rehearses them on the CPU")


@pytest.fixture(scope="session")
def device(pytestconfig: pytest.Config) -> Iterator[str]:
    """Return the name of the device that the tests use."""
    pytest.importorskip("torch", reason="PyTorch is not installed")
    name = str(pytestconfig.getoption("--gpu-device", "cuda:0"))
    with pytest.MonkeyPatch.context() as patch:
        if name == REHEARSAL:
            torch = frameworks.by_name("torch")
            patch.setattr(torch, "accelerators", lambda: [REHEARSAL])
            patch.setattr(torch, "accelerator", lambda device: HostAccelerator() if device == REHEARSAL else None)
        problem = devices.broken().get(name)
        if problem is not None:
            pytest.skip(f"{name} does not work: {problem.reason}")
        if name not in devices.available("torch"):
            pytest.skip(f"PyTorch finds no {name} on this machine")
        yield name


@pytest.fixture(scope="session")
def measured_device(device: str) -> str:
    """Return the name of a device that other processes know as well; in a rehearsal the CPU."""
    return device if device != REHEARSAL else "cpu"


@pytest.fixture(scope="session")
def cuda(device: str) -> str:
    """Return the name of the CUDA device; in a rehearsal there is none."""
    if device == REHEARSAL:
        pytest.skip("this test needs CUDA itself, which a rehearsal does not have")
    return device


class HostEvent:
    """An event of the rehearsal: the host's clock."""

    time: float

    def record(self) -> None:
        self.time = perf_counter()

    def synchronize(self) -> None:
        pass

    def elapsed_time(self, end: HostEvent) -> float:
        return 1e3 * (end.time - self.time)


class HostAccelerator:
    """The accelerator of the rehearsal; it has no caches to flush."""

    def device_scope(self) -> AbstractContextManager[object]:
        return nullcontext()

    def flush_caches(self) -> None:
        pass

    def event_pair(self) -> tuple[HostEvent, HostEvent]:
        return HostEvent(), HostEvent()
