"""torch's accelerator: its events, and how to flush its caches. Nothing here imports torch."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from course_utils.frameworks.accelerator_interface import DEFAULT_FLUSH_BYTES, Event


class TorchAccelerator:
    """CUDA's events, and a flush that zeroes twice the size of the L2 cache, if torch reports that size."""

    def __init__(self, torch: Any, device: str) -> None:
        self._cuda = torch.cuda if device.startswith("cuda") else None
        self._device = device
        cache_bytes = self._cuda.get_device_properties(device).L2_cache_size if self._cuda else 0
        self.flush_caches = torch.empty(2 * cache_bytes or DEFAULT_FLUSH_BYTES, dtype=torch.int8, device=device).zero_

    def device_scope(self) -> AbstractContextManager[object]:
        return self._cuda.device(self._device) if self._cuda else nullcontext()

    def event_pair(self) -> tuple[Event, Event] | None:
        if self._cuda is None:
            return None
        return self._cuda.Event(enable_timing=True), self._cuda.Event(enable_timing=True)
