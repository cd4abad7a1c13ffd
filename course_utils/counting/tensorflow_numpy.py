"""Tells when NumPy is handed an eager tensor: by ``np.array``, by an operation such as ``np.sin``, or by a function such as ``np.sort``.

NumPy goes round every method of the tensor and copies from its memory. For operations and functions it first asks the
tensor's class, by the protocols of NEP 13 and NEP 18; for the two conversions it asks nobody, so they are wrapped.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numpy as np
from tensorflow.python.framework import ops

from course_utils.counting.tensorflow_reads import numpy_way

_CONVERSIONS = ("array", "asarray")
# NumPy's operation → what Python calls on a tensor that stands to the right of an array. Without the protocol NumPy steps
# back from `array + tensor` by itself; with it NumPy asks in the same words as for np.add(array, tensor).
_OPERATORS = {
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


@contextmanager
def watched(read: Callable[[str], None]) -> Iterator[None]:
    """Call ``read(way)`` each time that somebody outside of TensorFlow gives NumPy a tensor."""
    base = ops._EagerTensorBase
    converting = {name: getattr(np, name) for name in _CONVERSIONS}

    def told(caller: FrameType, tensor: Any) -> None:
        if not _of_numpy(caller):  # a function of NumPy's that was told of already may go on to an operation
            way = numpy_way(caller, tensor)
            if way is not None:
                read(way)

    def wrapped(convert: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
        def converted(*args: Any, **kwargs: Any) -> np.ndarray:
            if args and isinstance(args[0], base):
                told(sys._getframe(1), args[0])
            return convert(*args, **kwargs)

        return converted

    def operation(tensor: Any, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        operator = _OPERATORS.get(ufunc.__name__) if method == "__call__" and not kwargs else None
        if operator and isinstance(inputs[0], (np.ndarray, np.generic)):
            return getattr(tensor, operator)(inputs[0])
        told(sys._getframe(1), tensor)
        arrays = [converting["asarray"](each) if isinstance(each, base) else each for each in inputs]
        return getattr(ufunc, method)(*arrays, **kwargs)

    def function(tensor: Any, called: Any, types: Any, args: tuple, kwargs: dict) -> Any:
        told(sys._getframe(1), tensor)
        return called._implementation(*args, **kwargs)

    for name, convert in converting.items():
        setattr(np, name, wrapped(convert))
    base.__array_ufunc__, base.__array_function__ = operation, function
    try:
        yield
    finally:
        del base.__array_ufunc__, base.__array_function__
        for name, convert in converting.items():
            setattr(np, name, convert)


def _of_numpy(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith("numpy.")
