"""Why Python reads an eager tensor's values: for the learner's code, or for TensorFlow itself.

TensorFlow also reads tensors to learn a shape or to put a constant into a graph, although its caller requested no
value. The frames of the call distinguish the two. Nothing is counted here.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from course_utils.counting.tally import PRINTED, SCALAR_READS
from course_utils.frameworks.tensorflow_internals import NUMPY_FUNCTION_MODULE, WRAPPER_MODULES

_, _FLOAT, _INT, _BRANCH, _ONE_VALUE, _ = SCALAR_READS
_CAUSE_OF_METHOD = {
    "__float__": _FLOAT,
    "__int__": _INT,
    "__index__": _INT,
    "__bool__": _BRANCH,
    "__str__": PRINTED,
    "__repr__": PRINTED,
}
# TensorFlow's functions that read a tensor and return the values to their caller.
_CAUSE_OF_FUNCTION = {
    "numpy": ".numpy()",
    "constant_value": "tf.get_static_value()",
    "to_list": ".to_list()",
    "__next__": ".as_numpy_iterator()",
}
_PRINTING_FUNCTIONS = ("numpy_text", "value_text")


def cause_of_read(tensor: Any) -> str | None:
    """Return why ``tensor`` is read, from the frames two levels up; None if TensorFlow reads it for itself.

    A condition that TensorFlow reads, for ``tf.cond`` or ``tf.while_loop``, is a branch of the learner's code. Keras asserts
    conditions on shapes, which no learner can avoid.
    """
    method = ""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and (_is_method_of(frame, tensor) or _module(frame).startswith(WRAPPER_MODULES)):
        method = frame.f_code.co_name if _is_method_of(frame, tensor) else method
        frame = frame.f_back
    if not _module(frame).startswith("tensorflow."):
        return _cause_of_method(method, tensor)
    function, caller = _outermost_function(frame)
    if function.startswith("assert_") and caller.startswith("keras."):
        return None
    if tensor.dtype.is_bool and not tensor.shape.rank:
        return _BRANCH
    return _CAUSE_OF_FUNCTION.get(function)


def cause_of_numpy_read(caller: FrameType, tensor: Any) -> str | None:
    """Return why NumPy reads ``tensor`` in a call that ``caller`` makes; None if TensorFlow's own code makes it."""
    if _module(caller) == NUMPY_FUNCTION_MODULE:
        return "NumPy inside tf.numpy_function"
    if _module(caller).startswith("tensorflow."):
        return "tf.make_tensor_proto()" if _outermost_function(caller)[0] == "make_tensor_proto" else None
    return "NumPy on a tensor" if tensor.shape.rank else _ONE_VALUE


def _cause_of_method(method: str, tensor: Any) -> str:
    if method == "__format__" and tensor.shape.rank:  # An f-string reads the value of a zero-dimensional tensor.
        return PRINTED
    return _CAUSE_OF_METHOD.get(method) or (".numpy()" if tensor.shape.rank else _ONE_VALUE)


def _is_method_of(frame: FrameType, tensor: Any) -> bool:
    return frame.f_locals.get("self") is tensor or frame.f_code.co_name in _PRINTING_FUNCTIONS


def _outermost_function(frame: FrameType | None) -> tuple[str, str]:
    """Return the name of the TensorFlow function that code outside of TensorFlow called, and the module of that code."""
    name = ""
    while frame is not None and _module(frame).startswith("tensorflow."):
        name = name if _module(frame).startswith(WRAPPER_MODULES) else frame.f_code.co_name
        frame = frame.f_back
    return name, _module(frame)


def _module(frame: FrameType | None) -> str:
    return "" if frame is None else str(frame.f_globals.get("__name__", ""))
