"""Measures what a block allocates, by torch's profiler: also inside operations and inside compiled code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from course_utils.frameworks.runtime_interface import MemoryUse


@contextmanager
def measure_memory(torch: Any) -> Iterator[MemoryUse]:
    """Fill in the memory that the block's thread allocates on the CPU, when the block ends."""
    use = MemoryUse()
    # torch.profiler.profile would import the compiler, which takes seconds.
    with torch.autograd.profiler.profile(use_kineto=True, profile_memory=True) as profiler:
        yield use
    events = profiler.kineto_results.events()
    changes = sorted((event.start_ns(), event.nbytes()) for event in events if event.name() == "[memory]")
    live, peak_ns = 0, 0
    for time_ns, change in changes:
        live += change
        use.total += max(0, change)
        if live > use.peak:
            use.peak, peak_ns = live, time_ns
    running = [
        (event.start_ns(), event.name().removeprefix("aten::"), event.end_ns())
        for event in events
        if event.name().startswith("aten::") and event.start_ns() <= peak_ns <= event.end_ns()
    ]
    if running:
        _, use.operation, end_ns = min(running)
        use.temporary = use.peak - sum(change for time_ns, change in changes if time_ns <= end_ns)
