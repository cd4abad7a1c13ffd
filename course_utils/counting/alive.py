"""Follows the memory that a call makes, for as long as anything holds it: how many bytes there are at one time, at most."""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from typing import Any

from course_utils.counting.tally import Tally


class Alive:
    """Bytes of new memory that are alive now; the most that there were stand in a tally's ``peak``."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._now = 0
        self._held: dict[Hashable, tuple[weakref.ref[Any], int]] = {}

    def grew(self, memory: Hashable, owner: Any, size: int) -> None:
        """``memory`` is new, or grew, by ``size`` bytes, which last as long as ``owner`` does."""
        reference, before = self._held.get(memory) or (weakref.ref(owner, lambda _: self._freed(memory)), 0)
        if before + size <= 0:
            return  # what the caller brought along and made smaller is not the call's
        self._held[memory] = reference, before + size
        self._now += size
        self._tally.peak = max(self._tally.peak, self._now)

    def _freed(self, memory: Hashable) -> None:
        self._now -= self._held.pop(memory)[1]

    def close(self) -> None:
        """Look no longer. What is held now may be held for ever."""
        self._held.clear()
