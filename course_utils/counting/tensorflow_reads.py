"""Tells who asks when an eager tensor's values come to Python: the learner, or TensorFlow for itself.

TensorFlow reads tensors of its own accord, to learn a shape or to put a constant into a graph; the code that called it asked
for no value. The frames of the call tell the two apart. Nothing is counted here.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from course_utils.counting.tally import PRINTED, SCALAR_READS

_, _FLOAT, _INT, _BRANCH, _ONE_VALUE = SCALAR_READS
_METHODS = {
    "__float__": _FLOAT,
    "__int__": _INT,
    "__index__": _INT,
    "__bool__": _BRANCH,
    "__str__": PRINTED,
    "__repr__": PRINTED,
}
_HANDING_OUT = {  # TensorFlow's functions that read a tensor for whoever called them
    "numpy": ".numpy()",
    "constant_value": "tf.get_static_value()",
    "to_list": ".to_list()",
    "__next__": ".as_numpy_iterator()",
}
_SCRIPTS = "tensorflow.python.ops.script_ops"
_PRINTING = ("numpy_text", "value_text")
_WRAPPERS = ("tensorflow.python.util.", "tensorflow.python.autograph.")


def way(tensor: Any) -> str | None:
    """How the code that called the caller of this function came to ask for the values of ``tensor``; None where it did not.

    A condition that TensorFlow reads, for ``tf.cond`` or ``tf.while_loop``, is a branch of the learner's.
    """
    method = ""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and (_is_own_method(frame, tensor) or _module(frame).startswith(_WRAPPERS)):
        method = frame.f_code.co_name if _is_own_method(frame, tensor) else method
        frame = frame.f_back
    if not _module(frame).startswith("tensorflow."):
        return _told(method, tensor)
    if tensor.dtype.is_bool and not tensor.shape.rank:
        return _BRANCH
    return _HANDING_OUT.get(_entrance(frame))


def numpy_way(caller: FrameType, tensor: Any) -> str | None:
    """The same for ``np.array(tensor)``, ``np.sin(tensor)`` and the like that ``caller`` wrote."""
    if _module(caller) == _SCRIPTS:
        return "NumPy inside tf.numpy_function"
    if _module(caller).startswith("tensorflow."):
        return None
    return "NumPy on a tensor" if tensor.shape.rank else _ONE_VALUE


def _told(method: str, tensor: Any) -> str:
    if method == "__format__" and tensor.shape.rank:  # an f-string takes the number out of one without dimensions
        return PRINTED
    return _METHODS.get(method) or (".numpy()" if tensor.shape.rank else _ONE_VALUE)


def _is_own_method(frame: FrameType, tensor: Any) -> bool:
    return frame.f_locals.get("self") is tensor or frame.f_code.co_name in _PRINTING


def _entrance(frame: FrameType | None) -> str:
    """The name of the TensorFlow function that was called from outside."""
    name = ""
    while frame is not None and _module(frame).startswith("tensorflow."):
        name = name if _module(frame).startswith(_WRAPPERS) else frame.f_code.co_name
        frame = frame.f_back
    return name


def _module(frame: FrameType | None) -> str:
    return "" if frame is None else str(frame.f_globals.get("__name__", ""))
