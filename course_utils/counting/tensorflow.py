"""Counts what TensorFlow does: eager operations by its operation callbacks, traced graphs by running them step by step.

A graph is one operation to the callbacks, so each graph that was called is run once more by ``graphs``, which sees the
turns of its loops. Nothing here looks into a compiled XLA kernel: its operations are counted as written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tensorflow.python.eager import context
from tensorflow.python.framework import op_callbacks, ops
from tensorflow.python.framework.func_graph import FuncGraph

from course_utils.counting import tensorflow_graphs as graphs
from course_utils.counting import tensorflow_numpy
from course_utils.counting.tally import Tally
from course_utils.counting.tensorflow_reads import way

_PYTHON_IN_GRAPH = ("PyFunc", "PyFuncStateless", "EagerPyFunc")
_SAME_MEMORY = ("Identity", "IdentityN", "Reshape", "ExpandDims", "Squeeze", "StopGradient", "ReadVariableOp", "Shape")


@contextmanager
def counting(tally: Tally) -> Iterator[None]:
    """Add everything that TensorFlow does on this thread to ``tally``."""
    observer = _Observer(tally)
    with _python_reads(observer):
        op_callbacks.add_op_callback(observer.see)
        try:
            yield
        finally:
            op_callbacks.remove_op_callback(observer.see)
    tally.traces += len(observer.traced)


class _Observer:
    """Told of each operation; looks away while it runs a graph once more itself."""

    def __init__(self, tally: Tally) -> None:
        self.traced: list[FuncGraph] = []
        self._tally = tally
        self._looks_away = False

    def see(
        self, op_type: str, inputs: tuple, attrs: tuple, outputs: Any, op_name: Any = None, graph: Any = None
    ) -> None:
        """TensorFlow's callback, after an eager operation, after a call of a graph, or while a graph is traced."""
        if self._looks_away:
            return
        if graph is not None:
            self._trace(graph)
        elif context.context().has_function(op_type):
            self._tally.launches += 1
            self._looks_away = True  # and at once: nothing keeps the function alive after its call
            try:
                graphs.run(op_type, inputs, lambda op_type, outputs: _add(self._tally, op_type, outputs))
            finally:
                self._looks_away = False
        else:
            self._tally.launches += 1
            _add(self._tally, op_type, outputs)

    def read(self, name: str) -> None:
        """Python asks for a tensor's values, by the way called ``name``."""
        if not self._looks_away:
            self._tally.escape(name)

    def _trace(self, graph: Any) -> None:
        """One trace for each outermost function graph; the bodies of its loops belong to it."""
        outermost = isinstance(graph, FuncGraph) and not isinstance(graph.outer_graph, FuncGraph)
        if outermost and not any(graph is known for known in self.traced):
            self.traced.append(graph)


def _add(tally: Tally, op_type: str, outputs: Any) -> None:
    tally.ops += 1
    if op_type in _PYTHON_IN_GRAPH:
        tally.escape("Python inside a graph")
    if op_type not in _SAME_MEMORY:
        tally.bytes += sum(_bytes(output) for output in outputs)


def _bytes(tensor: Any) -> int:
    if not tensor.dtype.is_numpy_compatible or tensor.dtype.size is None:
        return 0  # a handle or a list of tensors: what it holds was counted when it was made
    return int(tensor.shape.num_elements()) * tensor.dtype.size


@contextmanager
def _python_reads(observer: _Observer) -> Iterator[None]:
    """Tell the observer each time that an eager tensor's values come to Python because somebody outside asks for them.

    TensorFlow has no hook for this. Its own ways (``.numpy()``, ``float()``, ``if``) go through one method of the base
    class, which is wrapped for as long as the count lasts; NumPy's ways are watched beside it.
    """
    base = ops._EagerTensorBase
    read = base._numpy

    def counted(tensor: Any) -> Any:
        name = way(tensor)
        if name is not None:
            observer.read(name)
        return read(tensor)

    base._numpy = counted
    try:
        with tensorflow_numpy.watched(observer.read):
            yield
    finally:
        base._numpy = read
