"""Follows the memory of TensorFlow's eager tensors; a reshaped tensor shares the memory of the original."""

from __future__ import annotations

import weakref
from typing import Any

from course_utils.counting.live_memory import LiveMemory
from course_utils.counting.operation_kinds import VIEWS
from course_utils.counting.tally import Tally
from course_utils.counting.tensorflow_traffic import size_of
from course_utils.frameworks.tensorflow_internals import tensor_id


class _Memory:
    """Lives as long as the tensors that share it."""


class TensorMemory:
    """Adds the memory of each operation's outputs to a ``LiveMemory``."""

    def __init__(self, tally: Tally) -> None:
        self._live_memory = LiveMemory(tally)
        self._memories: dict[int, tuple[weakref.ref[Any], _Memory]] = {}

    def add_outputs(self, op_type: str, inputs: tuple, outputs: Any) -> None:
        """Follow the outputs of an operation or a graph."""
        for output in outputs or ():
            if op_type in VIEWS:
                known = self._memories.get(tensor_id(inputs[0])) if inputs else None
                if known is None:
                    continue  # The memory existed before the count.
                memory = known[1]
            elif size_of(output):
                memory = _Memory()
                self._live_memory.grow(id(memory), memory, size_of(output))
            else:
                continue
            self._hold(output, memory)

    def close(self) -> None:
        """Stop following."""
        self._live_memory.close()
        self._memories.clear()

    def _hold(self, tensor: Any, memory: _Memory) -> None:
        id_ = tensor_id(tensor)
        self._memories[id_] = weakref.ref(tensor, lambda _: self._memories.pop(id_, None)), memory
