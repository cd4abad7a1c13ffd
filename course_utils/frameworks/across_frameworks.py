"""Settings and devices of all loaded frameworks at once: threads, seeds, precision, synchronization, memory errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from course_utils import frameworks


def synchronizers(device: str = "cpu") -> tuple[Callable[[], Any], ...]:
    """Return the functions that block until ``device`` is idle; none if its calls return when their work is done."""
    return tuple(synchronizer for each in frameworks.loaded() for synchronizer in each.synchronizers(device))


def synchronize(device: str = "cpu") -> None:
    """Block until ``device`` is idle, in every loaded framework."""
    for synchronizer in synchronizers(device):
        synchronizer()


def call_and_synchronize(device: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of a call after ``device`` is idle, so that asynchronous copies to the host are complete."""
    result = function(*arguments)
    synchronize(device)
    return result


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether ``error`` reports missing memory, in Python or any framework."""
    return any(each.is_out_of_memory(error) for each in (frameworks.NO_FRAMEWORK, *frameworks.ALL))


def seed(number: int) -> None:
    """Seed the global random number generators of every loaded framework."""
    for framework in frameworks.loaded():
        framework.seed(number)


def reseed(number: int) -> None:
    """Let the global generators of every loaded framework draw other values; faster than ``seed``."""
    for framework in frameworks.loaded():
        framework.reseed(number)


@contextmanager
def threads(count: int) -> Iterator[int]:
    """Run operations of the block with ``count`` threads; yields the number in force, which a framework may refuse to
    change.
    """
    with ExitStack() as stack:
        in_force = [stack.enter_context(framework.threads(count)) for framework in frameworks.loaded()]
        yield max(in_force, default=count)


@contextmanager
def full_precision() -> Iterator[None]:
    """Compute float32 as float32 inside the block, in every loaded framework.

    Results are compared in this block. GPUs compute convolutions, and on request matrix products, in TF32 with ten bits
    of mantissa, so two correct versions would differ in the fourth digit. Times are measured outside of the block,
    because the learner's code runs with the learner's settings.
    """
    with ExitStack() as stack:
        for framework in frameworks.loaded():
            stack.enter_context(framework.full_precision())
        yield


@contextmanager
def device_scope(device: str) -> Iterator[None]:
    """Run operations of the block on ``device``, including operations that a framework would place itself."""
    with ExitStack() as stack:
        for framework in frameworks.loaded():
            stack.enter_context(framework.device_scope(device))
        yield
