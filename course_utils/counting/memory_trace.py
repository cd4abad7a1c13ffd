"""``memory_trace``: which tensors one call allocates and frees, in which order, for ``replay``."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from typing import Any

from course_utils.counting.allocator_replay import Event
from course_utils.counting.live_memory import LiveMemory
from course_utils.counting.tally import Tally


class _Recorder(LiveMemory):
    """Writes down each allocation and each free."""

    def __init__(self, tally: Tally) -> None:
        super().__init__(tally)
        self.events: list[Event] = []
        self._named: dict[Hashable, tuple[str, int]] = {}
        self._count = 0

    def grow(self, memory: Hashable, owner: Any, size: int) -> None:
        if memory in self._named or size <= 0:
            return  # Memory that changes its size is rare; its first size counts.
        name = f"t{self._count}"
        self._count += 1
        self._named[memory] = name, size
        self.events.append(("alloc", name, size))
        self._sizes[memory] = weakref.ref(owner, lambda _: self._free(memory)), size

    def _free(self, memory: Hashable) -> None:
        self._sizes.pop(memory, None)
        name, size = self._named.pop(memory)
        self.events.append(("free", name, size))


def memory_trace(function: Callable[..., Any], /, *args: Any) -> list[Event]:
    """Return the allocations and frees of one call of a PyTorch function, in order; its result stays alive.

    What one operation allocates and frees internally is not seen, and that may differ between devices.

    >>> import torch
    >>> memory_trace(lambda x: (x + 1) * 2, torch.ones(1000))
    [('alloc', 't0', 4000), ('alloc', 't1', 4000), ('free', 't0', 4000)]
    """
    from course_utils.counting import torch

    recorder = _Recorder(Tally())
    with torch.counting(Tally(), recorder):
        result = function(*args)
        events = list(recorder.events)
    del result
    return events
