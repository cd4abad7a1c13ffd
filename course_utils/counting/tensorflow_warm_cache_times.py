"""How long an operation or a graph of TensorFlow takes if the cache holds its values."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from course_utils.counting import operation_kinds
from course_utils.counting.warm_cache_times import LEAST_S, Inputs, WarmCacheTimes
from course_utils.frameworks import tensorflow_internals

_TWINS = {"AssignSub": "Sub", "AssignAdd": "AddV2"}
"""Prefix of an operation that updates a variable and cannot run again → an operation that takes as long."""

_RUNS_OF_ALL = 3

_MOST_AXES = 8
"""A vector of at most this many integers may hold a shape, as the sizes in the gradient of a convolution do."""

_TRIAL_SEED = 0x7E57
"""A random operation has one generator per seed, so trials with this seed leave the learner's generator alone."""


class TensorflowWarmCacheTimes(WarmCacheTimes):
    """Runs operations of TensorFlow again; an operation on tensors of known shapes is tried once.

    Trials are timed by the processor time of all threads, because other programs interrupt a long run, but seldom a trial.
    """

    # The last two come from attributes that are reported in another form than execution accepts.
    errors = (tf.errors.OpError, TypeError, ValueError)

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__(time.process_time)
        self._wall_now = now
        self._known: dict[Any, tuple[float, float]] = {}

    def seconds(
        self, op_type: str, inputs: Inputs, attrs: Sequence[Any], outputs: Sequence[Any]
    ) -> tuple[float, float]:
        """Return the seconds of an operation, and the part that is arithmetic; each is 0 if it cannot be measured.

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
            only_reads = op_type.startswith(operation_kinds.VARIABLE_GATHERS)
            if operation_kinds.kind_of(op_type) == "math" and "seed" in attrs[::2]:
                only_reads, attrs = True, _with_other_seed(attrs)
            can_repeat = only_reads or tensorflow_internals.is_stateless_operation(op_type)
            self._known[key] = self._try(op_type, inputs, attrs, outputs) if can_repeat else (0.0, 0.0)
        return self._known[key]

    def seconds_of_graph(self, name: str, inputs: Inputs, outputs: Sequence[Any]) -> tuple[float, float]:
        """Return a graph call's seconds and the part that is arithmetic; both 0 if it has side effects or loops."""
        can_repeat = tensorflow_internals.is_stateless_without_loops(name)
        return self._try(name, inputs, (), outputs) if can_repeat else (0.0, 0.0)

    def shape_of(self, tensor: Any) -> Sequence[int]:
        return () if tensor.dtype.name == "resource" else tuple(tensor.shape)

    def value_bytes(self, tensor: Any) -> int:
        numeric = tensor.dtype.is_numpy_compatible and tensor.dtype.size is not None
        return tensor.dtype.size if numeric else 0

    def _rows_of(self, tensor: Any, axis: int) -> int:
        """Return the length of an axis; 0 for a vector that may hold a shape: some operations end the process if
        a shape lacks an axis."""
        may_be_shape = tensor.dtype.is_integer and tensor.shape.rank == 1 and tensor.shape[0] <= _MOST_AXES
        return 0 if may_be_shape else super()._rows_of(tensor, axis)

    def _try(self, op_type: str, inputs: Inputs, attrs: Sequence[Any], outputs: Sequence[Any]) -> tuple[float, float]:
        def run(some: Inputs) -> Sequence[Any]:
            results = tensorflow_internals.run_operation(op_type, len(outputs), some, attrs)
            tensorflow_internals.wait_for_operations()
            return results

        wall_s = list[float]()

        def run_all(some: Inputs) -> None:
            start = self._wall_now()
            run(some)
            wall_s.append(self._wall_now() - start)

        # The first run may prepare something: XLA compiles a graph again.
        core_s = self.fastest_s(run_all, inputs, _RUNS_OF_ALL, warm_ups=1)
        whole_s = min(wall_s[1:], default=0.0)
        moves = operation_kinds.kind_of(op_type) in ("copy", "reorder") or operation_kinds.is_gather(op_type)
        on_cpu = all("GPU" not in each.device for each in (*inputs, *outputs))
        if not core_s or whole_s < LEAST_S or moves or not on_cpu:
            return whole_s, 0.0
        return whole_s, whole_s * min(1.0, self.arithmetic_s(run, inputs, outputs) / core_s)


def _with_other_seed(attrs: Sequence[Any]) -> Sequence[Any]:
    """Return the attributes of a random operation with another seed, so that it takes no numbers from the learner's generator."""
    return [_TRIAL_SEED if name == "seed" else value for name, value in zip(("", *attrs), attrs)]
