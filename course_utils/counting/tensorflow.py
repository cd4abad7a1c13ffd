"""Counts what TensorFlow does: eager operations by operation callbacks, traced graphs by running them step by step.

To the callbacks a call of a graph is one operation. So each graph that was called runs once more in the graph stepper,
which sees every operation and every iteration of its loops. The operations of a compiled XLA kernel are counted as
written.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from course_utils.counting import operation_kinds, tensorflow_graph_stepper, tensorflow_numpy_conversions
from course_utils.counting.tally import NUMERICS_CHECK, Tally
from course_utils.counting.tensorflow_live_memory import TensorMemory
from course_utils.counting.tensorflow_shared_pieces import shared_pieces
from course_utils.counting.tensorflow_traffic import TrafficRecorder, size_of
from course_utils.counting.tensorflow_value_reads import cause_of_read
from course_utils.counting.traffic_ledger import Recorder, without_tracing
from course_utils.frameworks import tensor_trees, tensorflow_internals

_LONG_LIST = 100  # Shorter lists aren't reported: TensorFlow itself converts such lists, for example shapes.


@contextmanager
def counting(tally: Tally) -> Iterator[Callable[[Any, Any], None]]:
    """Add all that TensorFlow does in this thread to ``tally``; yields a function that counts ``unseen_results``."""
    memory = TensorMemory(tally)
    observer = _Observer(lambda: tally, memory=memory)
    with _reporting_to(observer), tensorflow_internals.wrap_copies(observer.following_copies):
        yield lambda arguments, result: observer.count_unseen(tally, arguments, result)
    memory.close()


@contextmanager
def counting_by_line(ledger: Recorder) -> Iterator[None]:
    """Add everything to the ledger's lines, with what each operation moves, while the ledger records."""
    observer = _Observer(ledger.current_line, TrafficRecorder(ledger))
    ledger.on_toggle.append(observer.set_active)
    with _reporting_to(observer), _timed_conversions(observer, ledger.now):
        yield


@contextmanager
def _reporting_to(observer: _Observer) -> Iterator[None]:
    with _value_reads(observer), tensorflow_internals.operation_callback(observer.on_operation):
        yield


class _Observer:
    """Receives each operation. It ignores operations that it runs itself to see into a graph."""

    def __init__(
        self, current: Callable[[], Any], traffic: TrafficRecorder | None = None, memory: TensorMemory | None = None
    ) -> None:
        self._current, self._traffic, self._memory = current, traffic, memory
        self._traced: list[Any] = []
        self._copied_by_reads: set[int] = set()  # the handles of variables
        self._seen: set[int] = set()  # the tensors that counted operations returned
        self._copied_from: dict[int, int] = {}
        self._is_ignoring = False

    def set_active(self, active: bool) -> None:
        """Start or stop counting."""
        self._is_ignoring = not active

    def count_unseen(self, tally: Tally, arguments: Any, result: Any) -> None:
        """Count the tensors of ``result`` if none of them comes from a counted operation or is an argument.

        Some, but not all, may be constants that follow from the arguments' shapes, which no operation makes.
        """
        seen, results = self._seen | _ids(arguments), _ids(result)
        tally.unseen_results += 0 if any(self._original(each) in seen for each in results) else len(results)

    def _original(self, tensor: int) -> int:
        while tensor in self._copied_from:
            tensor = self._copied_from[tensor]
        return tensor

    def following_copies(self, copy: Callable[..., Any]) -> Callable[..., Any]:
        """Return the method that copies a tensor without an operation, as ``x.cpu()`` does, so that the observer notes each copy."""

        def copy_and_note(tensor: Any, *args: Any, **kwargs: Any) -> Any:
            copied = copy(tensor, *args, **kwargs)
            self._copied_from[tensorflow_internals.tensor_id(copied)] = tensorflow_internals.tensor_id(tensor)
            return copied

        return copy_and_note

    def on_operation(
        self, op_type: Any, inputs: tuple, attrs: tuple, outputs: Any, op_name: Any = None, graph: Any = None
    ) -> None:
        """Count an eager operation, a call of a graph, or a graph that is being traced: TensorFlow's callback."""
        if self._is_ignoring:
            return
        if graph is not None:
            self._count_trace(graph)
            return
        op_type = op_type.decode() if isinstance(op_type, bytes) else op_type  # Some gradients give the type as bytes.
        self._is_ignoring = True
        try:
            with without_tracing():
                self._count(op_type, inputs, attrs, outputs)
        finally:
            self._is_ignoring = False

    def on_read(self, cause: str) -> None:
        """Count one read of a tensor's values by Python."""
        if not self._is_ignoring:
            self._current().record_sync(cause)

    def on_conversion(self, type_name: str, seconds: float) -> None:
        """Count one conversion of a list or tuple to a tensor."""
        if not self._is_ignoring:
            tally = self._current()
            tally.record_conversion(type_name)
            tally.conversion_seconds[type_name] += seconds

    def _count(self, op_type: str, inputs: tuple, attrs: tuple, outputs: Any) -> None:
        tally = self._current()
        self._seen.update(map(tensorflow_internals.tensor_id, outputs or ()))
        tally.launches += 1
        op_type, inputs = shared_pieces(self._as_executed(op_type, inputs), inputs, outputs)
        if tensorflow_internals.is_graph_function(op_type):
            tally.xla_graphs += tensorflow_internals.is_compiled_by_xla(op_type)
            flops_before = {**tally.flops} if self._traffic is not None else {}
            # Step through the function now, because it may be freed after its call.
            tensorflow_graph_stepper.run(op_type, inputs, functools.partial(self._count_in_graph, tally))
            if self._traffic is not None:
                self._traffic.record_graph(tally, op_type, inputs, outputs, flops_before)
        else:
            if op_type == "CheckNumerics":  # Python waits to learn whether the operation raises an error.
                tally.record_sync(NUMERICS_CHECK)
            _add(tally, op_type, outputs)
            if self._traffic is not None:
                self._traffic.record_operation(tally, op_type, inputs, attrs, outputs)
        if self._memory is not None:
            self._memory.add_outputs(op_type, inputs, outputs)

    def _as_executed(self, op_type: str, inputs: tuple) -> str:
        """Return the operation's type, "CopyVariable" for a read that copies the variable.

        A read shares the variable's memory until an eager operation accesses a part of the variable. From then on,
        TensorFlow copies at each read, so that later writes to parts need no copy (`EnsureSparseVariableAccess` in
        tensorflow/core/kernels/training_op_helpers.h).
        """
        if op_type.startswith(operation_kinds.PART_ACCESSES):
            self._copied_by_reads.add(tensorflow_internals.tensor_id(inputs[0]))
        elif op_type == "ReadVariableOp" and tensorflow_internals.tensor_id(inputs[0]) in self._copied_by_reads:
            return "CopyVariable"
        return op_type

    def _count_in_graph(self, tally: Any, op_type: str, inputs: Any, attrs: Any, outputs: Any) -> None:
        op_type, inputs = shared_pieces(op_type, inputs, outputs)
        _add(tally, op_type, outputs)
        if self._traffic is not None:
            self._traffic.record_in_graph(tally, op_type, inputs, attrs, outputs)

    def _count_trace(self, graph: Any) -> None:
        """Count one trace for each outermost function graph; the bodies of its loops belong to it."""
        is_function_graph = tensorflow_internals.is_function_graph
        is_outermost = is_function_graph(graph) and not is_function_graph(graph.outer_graph)
        if is_outermost and not any(graph is known for known in self._traced):
            self._traced.append(graph)
            self._current().traces += 1


def _ids(tree: Any) -> set[int]:
    """Return the ids of the eager tensors of a tree that have values."""
    tensors = filter(tensor_trees.element_count, tensor_trees.tensors(tree))
    base = tensorflow_internals.eager_tensor_base()
    return {tensorflow_internals.tensor_id(each) for each in tensors if isinstance(each, base)}


def _add(tally: Tally, op_type: str, outputs: Any) -> None:
    tally.ops += 1
    if op_type in operation_kinds.PYTHON_IN_GRAPH:
        tally.record_sync("Python inside a graph")
    tally.threads += op_type in operation_kinds.READS_PIPELINE
    tally.views += len(outputs) if op_type in (*operation_kinds.CUTS, operation_kinds.SHARED_CUT) else 0
    if op_type not in operation_kinds.VIEWS:
        tally.bytes += sum(size_of(output) for output in outputs)


@contextmanager
def _timed_conversions(observer: _Observer, now: Callable[[], float]) -> Iterator[None]:
    """Report each long list and tuple that becomes a tensor, and the seconds that it takes."""

    def wrap(convert: Callable[..., Any]) -> Callable[..., Any]:
        def convert_and_report(value: Any, *args: Any, **kwargs: Any) -> Any:
            tensor = convert(value, *args, **kwargs)
            if isinstance(value, (list, tuple)) and tensor.shape.num_elements() >= _LONG_LIST:
                with without_tracing():  # Tracing the conversion takes longer than the conversion.
                    start = now()
                    convert(value, *args, **kwargs)
                    observer.on_conversion(type(value).__name__, now() - start)
            return tensor

        return convert_and_report

    with tensorflow_internals.wrap_conversions(wrap):
        yield


@contextmanager
def _value_reads(observer: _Observer) -> Iterator[None]:
    """Report each read of an eager tensor's values that code outside of TensorFlow asks for.

    TensorFlow has no hook for it. Its own reads, such as ``.numpy()``, ``float()`` and ``if``, all call one method of
    the tensor's base class, which is wrapped inside the block. NumPy's reads are watched separately.
    """

    def wrap(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def read_and_report(tensor: Any) -> Any:
            cause = cause_of_read(tensor)
            if cause is not None:
                observer.on_read(cause)
            return read(tensor)

        return read_and_report

    with tensorflow_internals.wrap_value_reads(wrap), tensorflow_numpy_conversions.watch(observer.on_read):
        yield
