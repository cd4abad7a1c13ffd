"""Follows the memory of TensorFlow's eager tensors: a reshaped one and the one that it was made of share theirs."""

from __future__ import annotations

import weakref
from typing import Any

from course_utils.counting.alive import Alive
from course_utils.counting.tally import Tally
from course_utils.counting.tensorflow_traffic import SAME_MEMORY, size_of


class _Memory:
    """Lasts as long as the tensors that share it."""


class EagerMemory:
    """Tells of the memory that operations make, in a tally's ``peak``."""

    def __init__(self, tally: Tally) -> None:
        self._alive = Alive(tally)
        self._of: dict[int, tuple[weakref.ref[Any], _Memory]] = {}

    def made(self, op_type: str, inputs: tuple, outputs: Any) -> None:
        """An operation, or a graph, gave ``outputs``."""
        for output in outputs or ():
            if op_type in SAME_MEMORY:
                known = self._of.get(inputs[0]._id) if inputs else None
                if known is None:
                    continue  # the memory is older than the count
                memory = known[1]
            elif size_of(output):
                memory = _Memory()
                self._alive.grew(id(memory), memory, size_of(output))
            else:
                continue
            self._hold(output, memory)

    def _hold(self, tensor: Any, memory: _Memory) -> None:
        id_ = tensor._id
        self._of[id_] = weakref.ref(tensor, lambda _: self._of.pop(id_, None)), memory

    def close(self) -> None:
        """Look no longer."""
        self._alive.close()
        self._of.clear()
