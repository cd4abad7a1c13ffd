"""``OperationTimes``: how long an operation of TensorFlow takes if the cache holds its values.

An operation runs again on a single row and on as many rows as the cache holds. Example, 1,000,000 rows of which the cache
holds 10,000:

    1 row         12 µs     the call, and what does not depend on the rows
    10,000 rows   62 µs     so each row takes 5 ns of arithmetic
    all rows      9 ms      5 ms of it are arithmetic, the rest is memory
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tensorflow as tf

from course_utils.counting import operation_kinds
from course_utils.frameworks import tensorflow_internals

Inputs = Sequence[Any]

_TWINS = {"AssignSub": "Sub", "AssignAdd": "AddV2"}
"""How the name of an update of a variable starts, which cannot run again → an operation that takes as long."""

_CACHED_BYTES, _MOST_CACHED_BYTES = 2**18, 2**20
"""The bytes of a trial, and those that the cache of a core still holds if a few rows have more."""

_LEAST_S = 5e-5
"""A shorter operation consists of little more than its call."""

_RUNS_OF_ALL, _WARM_UPS, _RUNS = 3, 2, 15


class OperationTimes:
    """Runs operations again; an operation on tensors of known shapes is tried once.

    Args:
        now: the clock.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._known: dict[Any, tuple[float, float]] = {}

    def seconds(
        self, op_type: str, inputs: Inputs, attrs: Sequence[Any], outputs: Sequence[Any]
    ) -> tuple[float, float]:
        """Return the seconds of an operation, and the part of them that is arithmetic; 0 for what cannot be measured.

        An update of a variable takes as long as the operation that computes the new value.
        """
        if twin := next((twin for name, twin in _TWINS.items() if op_type.startswith(name)), ""):
            op_type, inputs, attrs, outputs = (
                twin,
                [inputs[1], inputs[1]],
                ("T", inputs[1].dtype.as_datatype_enum),
                inputs[1:],
            )
        key = (op_type, *((each.dtype, tuple(each.shape)) for each in (*inputs, *outputs)))
        if key not in self._known:
            can_repeat = tensorflow_internals.is_stateless_operation(op_type)
            self._known[key] = self._try(op_type, inputs, attrs, outputs) if can_repeat else (0.0, 0.0)
        return self._known[key]

    def seconds_of_graph(self, name: str, inputs: Inputs, outputs: Sequence[Any]) -> tuple[float, float]:
        """Return the same for a call of a graph; 0 for a graph with effects or with loops, whose iterations are no arithmetic."""
        can_repeat = tensorflow_internals.is_stateless_without_loops(name)
        return self._try(name, inputs, (), outputs) if can_repeat else (0.0, 0.0)

    def _try(self, op_type: str, inputs: Inputs, attrs: Sequence[Any], outputs: Sequence[Any]) -> tuple[float, float]:
        def run(rows: Inputs, times: int) -> float | None:
            return self._time(op_type, rows, attrs, len(outputs), times)

        # The first run may prepare something: XLA compiles a graph again.
        whole_s = None if run(inputs, 1) is None else run(inputs, _RUNS_OF_ALL)
        moves = operation_kinds.kind_of(op_type) in ("copy", "reorder") or operation_kinds.is_gather(op_type)
        if whole_s is None or whole_s < _LEAST_S or moves:
            return whole_s or 0.0, 0.0
        for axis, rows, rank in _possible_cuts(inputs):
            size = sum(_size_of(each) for each in (*inputs, *outputs) if _rows_of(each, axis) == rows)
            some = min(rows, max(2, _CACHED_BYTES * rows // max(1, size)))
            if some * size > _MOST_CACHED_BYTES * rows:
                continue
            one_s, some_s = (
                run([_cut(each, axis, rows, rank, number) for each in inputs], _RUNS) for number in (1, some)
            )
            if one_s is not None and some_s is not None:
                return whole_s, min(whole_s, max(0.0, (some_s - one_s) * (rows - 1) / (some - 1)))
        return whole_s, 0.0

    def _time(self, op_type: str, inputs: Inputs, attrs: Sequence[Any], output_count: int, runs: int) -> float | None:
        """The seconds of the fastest run; None if the operation does not run on these inputs."""

        def run() -> float:
            start = self._now()
            tensorflow_internals.run_operation(op_type, output_count, inputs, attrs)
            tensorflow_internals.wait_for_operations()
            return self._now() - start

        try:
            for _ in range(_WARM_UPS if runs == _RUNS else 0):
                run()
            return min(run() for _ in range(runs))
        except (
            tf.errors.OpError,
            TypeError,
            ValueError,
        ):  # Some attributes are reported in another form than execution takes.
            return None


def _possible_cuts(inputs: Inputs) -> Iterator[tuple[int, int, int]]:
    """The ways to cut the largest input and what belongs to it: the axis, its length, and the least rank of what is cut.

    An input of a lower rank may belong to another axis: 16 channels are no 16 images.
    """
    largest = max(inputs, key=_size_of, default=None)
    for axis in (0, 1):
        if largest is not None and (rows := _rows_of(largest, axis)) > 1:
            ranks = {each.shape.rank for each in inputs if _rows_of(each, axis) == rows}
            yield from ((axis, rows, rank) for rank in sorted({min(ranks), largest.shape.rank}))


def _rows_of(tensor: Any, axis: int) -> int:
    return int(tensor.shape[axis]) if tensor.dtype.name != "resource" and tensor.shape.rank > axis else 0


def _size_of(tensor: Any) -> int:
    numeric = tensor.dtype.is_numpy_compatible and tensor.dtype.size is not None
    return int(tensor.shape.num_elements()) * tensor.dtype.size if numeric else 0


def _cut(tensor: Any, axis: int, rows: int, rank: int, number: int) -> Any:
    if _rows_of(tensor, axis) != rows or tensor.shape.rank < rank:
        return tensor
    return tensor[:, :number] if axis else tensor[:number]
