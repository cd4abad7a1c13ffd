"""``WarmCacheTimes``: how long an operation takes if the cache holds its values.

An operation runs again on a single row and on as many rows as the cache holds. Example, 1,000,000 rows of which the cache
holds 10,000:

    1 row         12 µs     the call, and work that does not depend on the rows
    10,000 rows   62 µs     so each row takes 5 ns of arithmetic
    all rows      9 ms      5 ms of it are arithmetic, the rest is memory
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

Inputs = Sequence[Any]

LEAST_S = 5e-5
"""A shorter operation consists of little more than its call."""

_CACHED_BYTES, _MOST_CACHED_BYTES = 2**18, 2**20
"""The usual bytes of a trial; the most bytes, for wide rows, that a core's cache still holds."""

_WARM_UPS, _RUNS = 2, 15

_CLEARLY_LONGER = 1.3
"""Rows take time if several take at least this many times as long as one; a smaller difference may be noise."""

_MOST_LARGE = 3
"""At most this many of the largest inputs are cut, one after the other, until the operation runs."""


class WarmCacheTimes(ABC):
    """Runs operations again on fewer rows, to separate arithmetic from memory.

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

    def arithmetic_s(
        self,
        run: Callable[[Inputs], Sequence[Any]],
        inputs: Inputs,
        outputs: Sequence[Any],
        written: Collection[int] = (),
    ) -> float:
        """Return the seconds of arithmetic for all rows; 0 if a trial is impossible.

        Args:
            run: runs the operation on shortened inputs, and returns its outputs.
            inputs, outputs: the operation's tensors.
            written: the positions of the inputs that it writes; a trial writes into copies.
        """
        for axes, rows in self._possible_cuts(inputs):

            def cut(number: int, axes: Sequence[int | None] = axes) -> Inputs:
                some = [each if axis is None else self._cut(each, axis, number) for each, axis in zip(inputs, axes)]
                return [self._copy(each) if index in written else each for index, each in enumerate(some)]

            one = cut(1)
            try:
                outputs_of_one = run(one)
            except self.errors:
                continue
            changed = [self._changed_axes(*pair) for pair in zip(outputs, outputs_of_one)]
            if max(changed, default=0) > 1:
                continue  # The output is a table of pairs of rows, which a cut shrinks along two axes.
            same = [self._bytes_of(each) for each, number in zip(outputs, changed) if not number]
            if sum(same) > _MOST_CACHED_BYTES and not written:
                continue  # The outputs that the cut does not shrink are too large for the cache.
            size = sum(self._bytes_of(each) for each, axis in zip(inputs, axes) if axis is not None)
            size += sum(self._bytes_of(each) for each, number in zip(outputs, changed) if number)
            some = min(rows, max(2, _CACHED_BYTES * rows // max(1, size)))
            if some * size > _MOST_CACHED_BYTES * rows:
                continue
            try:
                one_s, some_s = self._fastest_in_turn(run, one, cut(some))
            except self.errors:
                continue
            return (some_s - one_s) * (rows - 1) / (some - 1) if some_s >= _CLEARLY_LONGER * one_s else 0.0
        return 0.0

    def _fastest_in_turn(self, run: Callable[[Inputs], object], one: Inputs, some: Inputs) -> tuple[float, float]:
        """Return the seconds of the fastest run on each; in turn, so that a slow moment of the machine affects both."""
        pairs = [(self._seconds(run, one), self._seconds(run, some)) for _ in range(_WARM_UPS + _RUNS)]
        one_s, some_s = map(min, zip(*pairs[_WARM_UPS:]))
        return one_s, some_s

    def _seconds(self, run: Callable[[Inputs], object], inputs: Inputs) -> float:
        start = self._now()
        run(inputs)
        return self._now() - start

    def _changed_axes(self, before: Any, after: Any) -> int:
        """Return the number of axes that differ in length; 2 if the tensors differ in rank."""
        shapes = self.shape_of(before), self.shape_of(after)
        return sum(one != other for one, other in zip(*shapes)) if len(shapes[0]) == len(shapes[1]) else 2

    def fastest_s(self, run: Callable[[Inputs], object], inputs: Inputs, runs: int, warm_ups: int = 0) -> float | None:
        """Return the seconds of the fastest run; None if the operation does not run on these inputs."""
        try:
            for _ in range(warm_ups):
                run(inputs)
            return min(self._seconds(run, inputs) for _ in range(runs))
        except self.errors:
            return None

    def _possible_cuts(self, inputs: Inputs) -> Iterator[tuple[tuple[int | None, ...], int]]:
        """Yield the ways to cut a large input together with the inputs that match it: the axis to cut in each input,
        and its length.

        An input of a lower rank matches the last axes, as in broadcasting, or the first ones, as one label per row
        does:

            scores (8, 512, 512) and mask (512, 512): axis 1 of the scores is axis 0 of the mask
            rows (1000, 16) and labels (1000,): axis 0 of both
        """
        ways: dict[tuple[tuple[int | None, ...], int], None] = {}
        for large in sorted(inputs, key=self._bytes_of, reverse=True)[:_MOST_LARGE]:
            rank = len(self.shape_of(large))
            for axis in range(min(2, rank)):
                rows = self._rows_of(large, axis)
                last = [axis - rank + len(self.shape_of(each)) for each in inputs]
                for positions in (last, [axis] * len(inputs)):
                    pairs = zip(inputs, positions)
                    ways[tuple(each if self._rows_of(one, each) == rows else None for one, each in pairs), rows] = None
        return (way for way in ways if way[1] > 1)

    def _rows_of(self, tensor: Any, axis: int) -> int:
        shape = self.shape_of(tensor)
        return shape[axis] if 0 <= axis < min(2, len(shape)) else 0

    def _bytes_of(self, tensor: Any) -> int:
        return math.prod(self.shape_of(tensor)) * self.value_bytes(tensor)

    def _cut(self, tensor: Any, axis: int, number: int) -> Any:
        return tensor[:, :number] if axis else tensor[:number]

    def _copy(self, tensor: Any) -> Any:
        """Return a tensor that a trial may overwrite."""
        return tensor
