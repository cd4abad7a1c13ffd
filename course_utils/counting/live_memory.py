"""``LiveMemory``: how many bytes of new tensors are alive at one time, at most."""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from typing import Any

from course_utils.counting.tally import Tally


class LiveMemory:
    """Follows new memory until its owner is freed, and writes the highest total to a tally's ``peak``."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._total = 0
        self._sizes: dict[Hashable, tuple[weakref.ref[Any], int]] = {}

    def grow(self, memory: Hashable, owner: Any, size: int) -> None:
        """Record that ``memory`` is new, or grew, by ``size`` bytes, which live as long as ``owner``."""
        reference, before = self._sizes.get(memory) or (weakref.ref(owner, lambda _: self._free(memory)), 0)
        if before + size <= 0:
            return  # The caller's own memory shrank.
        self._sizes[memory] = reference, before + size
        self._total += size
        self._tally.peak = max(self._tally.peak, self._total)

    def _free(self, memory: Hashable) -> None:
        self._total -= self._sizes.pop(memory)[1]

    def close(self) -> None:
        """Stop following memory, because memory that is alive now may never be freed."""
        self._sizes.clear()
