"""Calls of an answer that are counted or measured in its own process, because this process cannot see what they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_utils.core.plain_data import from_data
from course_utils.grading.channel import Json
from course_utils.grading.child_handle import Child
from course_utils.grading.codec_primitives import ValueInvalid
from course_utils.grading.remote_function import converse
from course_utils.judging import measured_calls
from course_utils.tasks import Task

_LIMIT_S = 60.0  # A fresh child imports a compiler.


def call_before(child: Child, codec: Any, task: Task, as_written: bool) -> None:
    """Call the answer with inputs of each size, so that its graphs are already traced for changing lengths.

    In a notebook, a check counts after calls like these as well.
    """
    for size in task.sizes:
        inputs = task.inputs(size, np.random.default_rng())
        _call(child, codec, inputs, {"do": "call", "first": True, "as_written": as_written})


def measure(child: Child, codec: Any, caller: Callable[..., Any], inputs: tuple, as_written: bool) -> tuple[Any, Any]:
    """Return the result and the facts of one call.

    Args:
        caller: one of ``measured_calls.FACTS``.
        as_written: whether compiled functions run uncompiled.

    Raises:
        ValueInvalid: the child answers with something else.
    """
    result, reply = _call(child, codec, inputs, {"do": "measure", "name": caller.__name__, "as_written": as_written})
    try:
        return result, from_data(measured_calls.FACTS[caller], reply.get("facts"))
    except (ValueError, TypeError) as error:
        raise ValueInvalid("its counts are no counts") from error


def _call(child: Child, codec: Any, inputs: tuple, request: Json) -> tuple[Any, Json]:
    """Return the result of a call with these inputs, and the child's whole reply."""
    child.allow(_LIMIT_S)
    codec.begin_call()
    data, frame = codec.pack(inputs)
    reply, blobs = converse(child, codec, request | {"arguments": data}, frame.blobs)
    result, _ = codec.unpack(reply.get("value"), blobs)
    return result, reply
