"""Counts what TensorFlow does: eager operations by its operation callbacks, traced graphs by running them step by step.

A graph is one operation to the callbacks, so each graph that was called is run once more by ``graphs``, which sees the
turns of its loops. Nothing here looks into a compiled XLA kernel: its operations are counted as written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tensorflow.python.eager import context
from tensorflow.python.framework import op_callbacks, ops
from tensorflow.python.framework.func_graph import FuncGraph

from course_utils.counting import tensorflow_graph_stepper as graphs
from course_utils.counting import tensorflow_numpy
from course_utils.counting.ledger import Ledger, untraced
from course_utils.counting.tally import Tally
from course_utils.counting.tensorflow_alive import EagerMemory
from course_utils.counting.tensorflow_reads import way
from course_utils.counting.tensorflow_traffic import SAME_MEMORY, Traffic, size_of

_PYTHON_IN_GRAPH = ("PyFunc", "PyFuncStateless", "EagerPyFunc")


@contextmanager
def counting(tally: Tally) -> Iterator[None]:
    """Add everything that TensorFlow does on this thread to ``tally``."""
    alive = EagerMemory(tally)
    with _told(_Observer(lambda: tally, alive=alive)):
        yield
    alive.close()


@contextmanager
def counting_by_line(ledger: Ledger) -> Iterator[None]:
    """The same line by line, with what each operation moves, while the ledger is open."""
    observer = _Observer(ledger.here, Traffic(ledger))
    ledger.doors.append(observer.open)
    with _told(observer):
        yield


@contextmanager
def _told(observer: _Observer) -> Iterator[None]:
    with _python_reads(observer):
        op_callbacks.add_op_callback(observer.see)
        try:
            yield
        finally:
            op_callbacks.remove_op_callback(observer.see)


class _Observer:
    """Told of each operation; looks away while it runs a graph once more itself, and while it is closed."""

    def __init__(
        self, here: Callable[[], Any], traffic: Traffic | None = None, alive: EagerMemory | None = None
    ) -> None:
        self._here, self._traffic, self._alive = here, traffic, alive
        self._traced: list[FuncGraph] = []
        self._looks_away = False

    def open(self, wanted: bool) -> None:
        """Begin or stop looking."""
        self._looks_away = not wanted

    def see(
        self, op_type: Any, inputs: tuple, attrs: tuple, outputs: Any, op_name: Any = None, graph: Any = None
    ) -> None:
        """TensorFlow's callback, after an eager operation, after a call of a graph, or while a graph is traced."""
        if self._looks_away:
            return
        if graph is not None:
            self._trace(graph)
            return
        op_type = op_type.decode() if isinstance(op_type, bytes) else op_type  # as some gradients tell it
        self._looks_away = True
        try:
            with untraced():
                self._count(op_type, inputs, attrs, outputs)
        finally:
            self._looks_away = False

    def _count(self, op_type: str, inputs: tuple, attrs: tuple, outputs: Any) -> None:
        tally = self._here()
        tally.launches += 1
        if context.context().has_function(op_type):  # and at once: nothing keeps the function alive after its call
            graphs.run(op_type, inputs, lambda op_type, outputs: _add(tally, op_type, outputs))
            if self._traffic is not None:
                self._traffic.graph(tally, inputs, outputs)
        else:
            _add(tally, op_type, outputs)
            if self._traffic is not None:
                self._traffic.operation(tally, op_type, inputs, attrs, outputs)
        if self._alive is not None:
            self._alive.made(op_type, inputs, outputs)

    def read(self, name: str) -> None:
        """Python asks for a tensor's values, by the way called ``name``."""
        if not self._looks_away:
            self._here().record_sync(name)

    def _trace(self, graph: Any) -> None:
        """One trace for each outermost function graph; the bodies of its loops belong to it."""
        outermost = isinstance(graph, FuncGraph) and not isinstance(graph.outer_graph, FuncGraph)
        if outermost and not any(graph is known for known in self._traced):
            self._traced.append(graph)
            self._here().traces += 1


def _add(tally: Tally, op_type: str, outputs: Any) -> None:
    tally.ops += 1
    if op_type in _PYTHON_IN_GRAPH:
        tally.record_sync("Python inside a graph")
    if op_type not in SAME_MEMORY:
        tally.bytes += sum(size_of(output) for output in outputs)


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
