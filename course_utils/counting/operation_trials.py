"""``OperationTrials``: how long an operation takes if the cache holds its values.

An operation runs again on a single row and on as many rows as the cache holds. Example, 1,000,000 rows of which the cache
holds 10,000:

    1 row         12 µs     the call, and what does not depend on the rows
    10,000 rows   62 µs     so each row takes 5 ns of arithmetic
    all rows      9 ms      5 ms of it are arithmetic, the rest is memory
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Inputs = Sequence[Any]

LEAST_S = 5e-5
"""A shorter operation consists of little more than its call."""

_CACHED_BYTES, _MOST_CACHED_BYTES = 2**18, 2**20
"""The usual bytes of a trial; the most bytes, for wide rows, that a core's cache still holds."""

_WARM_UPS, _RUNS = 2, 15


class OperationTrials(ABC):
    """Runs operations again.

    Args:
        now: the clock.
    """

    errors: tuple[type[Exception], ...] = (TypeError, ValueError)
    """The errors that an operation raises if it does not run on the inputs of a trial."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now

    @abstractmethod
    def shape_of(self, tensor: Any) -> Sequence[int]:
        """Return the shape of a tensor's values; () for a handle."""

    @abstractmethod
    def value_bytes(self, tensor: Any) -> int:
        """Return the bytes of one value; 0 if they are not known."""

    def arithmetic_s(self, run: Callable[[Inputs], object], inputs: Inputs, outputs: Sequence[Any]) -> float:
        """Return the seconds of arithmetic for all rows; 0 if no rows can be tried.

        Args:
            run: runs the operation on inputs that are cut.
        """
        for axis, rows, rank in self._possible_cuts(inputs):
            size = sum(self._bytes_of(each) for each in (*inputs, *outputs) if self._rows_of(each, axis) == rows)
            some = min(rows, max(2, _CACHED_BYTES * rows // max(1, size)))
            if some * size > _MOST_CACHED_BYTES * rows:
                continue
            one_s, some_s = (
                self.fastest_s(run, [self._cut(each, axis, rows, rank, number) for each in inputs], _RUNS, _WARM_UPS)
                for number in (1, some)
            )
            if one_s is not None and some_s is not None:
                return max(0.0, (some_s - one_s) * (rows - 1) / (some - 1))
        return 0.0

    def fastest_s(self, run: Callable[[Inputs], object], inputs: Inputs, runs: int, warm_ups: int = 0) -> float | None:
        """Return the seconds of the fastest run; None if the operation does not run on these inputs."""

        def seconds() -> float:
            start = self._now()
            run(inputs)
            return self._now() - start

        try:
            for _ in range(warm_ups):
                seconds()
            return min(seconds() for _ in range(runs))
        except self.errors:
            return None

    def _possible_cuts(self, inputs: Inputs) -> Iterator[tuple[int, int, int]]:
        """Yield the ways to cut the inputs to fewer rows: the axis of the largest input, its length, and a rank.

        Only inputs of this rank or more are cut. In an input of a lower rank, the same length may belong to another axis:
        16 channels are not 16 images.
        """
        largest = max(inputs, key=self._bytes_of, default=None)
        for axis in (0, 1):
            if largest is not None and (rows := self._rows_of(largest, axis)) > 1:
                ranks = {len(self.shape_of(each)) for each in inputs if self._rows_of(each, axis) == rows}
                yield from ((axis, rows, rank) for rank in sorted({min(ranks), len(self.shape_of(largest))}))

    def _rows_of(self, tensor: Any, axis: int) -> int:
        shape = self.shape_of(tensor)
        return shape[axis] if len(shape) > axis else 0

    def _bytes_of(self, tensor: Any) -> int:
        return math.prod(self.shape_of(tensor)) * self.value_bytes(tensor)

    def _cut(self, tensor: Any, axis: int, rows: int, rank: int, number: int) -> Any:
        if self._rows_of(tensor, axis) != rows or len(self.shape_of(tensor)) < rank:
            return tensor
        return tensor[:, :number] if axis else tensor[:number]
