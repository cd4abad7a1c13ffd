"""Reports when code outside of TensorFlow gives an eager tensor to NumPy: ``np.array(x)``, ``np.sin(x)``,
``np.sort(x)``.

NumPy copies from a tensor's memory without calling any method of it. Before operations and functions it asks the
tensor's class, by the protocols of NEP 13 and NEP 18. Before conversions such as ``np.array`` and ``np.asarray`` it
does not ask. ``memoryview`` does not ask either, and cannot be replaced, so nothing reports it.

So this module replaces NumPy's conversions for the whole process while at least one count runs. The replacements call
the originals with the same arguments and report only eager tensors, and only in threads that count. The last count to
end restores the originals.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numpy as np

from course_utils.counting.tensorflow_value_reads import cause_of_numpy_read
from course_utils.frameworks import tensorflow_internals

# NumPy's operation → the method that Python calls on a tensor to the right of an array. Without the protocol, NumPy
# leaves `array + tensor` to the tensor; with it, NumPy calls `__array_ufunc__` as for np.add.
_REFLECTED = {
    "add": "__radd__",
    "subtract": "__rsub__",
    "multiply": "__rmul__",
    "divide": "__rtruediv__",
    "floor_divide": "__rfloordiv__",
    "remainder": "__rmod__",
    "power": "__rpow__",
    "matmul": "__rmatmul__",
    "bitwise_and": "__rand__",
    "bitwise_or": "__ror__",
    "bitwise_xor": "__rxor__",
    "less": "__gt__",
    "less_equal": "__ge__",
    "greater": "__lt__",
    "greater_equal": "__le__",
    "equal": "__eq__",
    "not_equal": "__ne__",
}

_CONVERSIONS = (
    "array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "frombuffer", "from_dlpack",
)  # fmt: skip

OnRead = Callable[[str], None]

_lock = threading.Lock()
_watchers: list[tuple[int, OnRead]] = []  # (thread, function), the innermost count last
_originals: dict[str, Callable[..., np.ndarray]] = {}


@contextmanager
def watch(on_read: OnRead) -> Iterator[None]:
    """Call ``on_read(cause)`` each time that this thread gives an eager tensor to NumPy inside the block."""
    watcher = threading.get_ident(), on_read
    with _lock:
        if not _watchers:
            _install()
        _watchers.append(watcher)
    try:
        yield
    finally:
        with _lock:
            _watchers.remove(watcher)
            if not _watchers:
                _uninstall()


def _install() -> None:
    base = tensorflow_internals.eager_tensor_base()
    for name in _CONVERSIONS:
        _originals[name] = getattr(np, name)
        setattr(np, name, _reporting(_originals[name]))
    base.__array_ufunc__, base.__array_function__ = _array_ufunc, _array_function


def _uninstall() -> None:
    base = tensorflow_internals.eager_tensor_base()
    del base.__array_ufunc__, base.__array_function__
    for name, original in _originals.items():
        setattr(np, name, original)


def _report(caller: FrameType, tensor: Any) -> None:
    if str(caller.f_globals.get("__name__", "")).startswith("numpy."):
        return  # NumPy's own code is the caller, in a function that was reported already.
    cause = cause_of_numpy_read(caller, tensor)
    if cause is not None:
        for thread, on_read in _watchers:
            if thread == threading.get_ident():
                on_read(cause)


def _reporting(convert: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    base = tensorflow_internals.eager_tensor_base()

    def convert_and_report(*args: Any, **kwargs: Any) -> np.ndarray:
        if args and isinstance(args[0], base):
            _report(sys._getframe(1), args[0])
        return convert(*args, **kwargs)

    return convert_and_report


def _array_ufunc(tensor: Any, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """Report NumPy's operation on a tensor, and return its result (NEP 13)."""
    reflected = _REFLECTED.get(ufunc.__name__) if method == "__call__" and not kwargs else None
    if reflected and isinstance(inputs[0], (np.ndarray, np.generic)):
        return getattr(tensor, reflected)(inputs[0])
    _report(sys._getframe(1), tensor)
    base = tensorflow_internals.eager_tensor_base()
    arrays = [_originals["asarray"](each) if isinstance(each, base) else each for each in inputs]
    return getattr(ufunc, method)(*arrays, **kwargs)


def _array_function(tensor: Any, function: Any, types: Any, args: tuple, kwargs: dict) -> Any:
    """Report NumPy's function on a tensor, and return its result (NEP 18)."""
    _report(sys._getframe(1), tensor)
    return function._implementation(*args, **kwargs)  # NEP 18's own name for the function without the protocol.
