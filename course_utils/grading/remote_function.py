"""What the parent knows of a function in a child: its signature, and the errors that it raised."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable
from typing import Any

from course_utils.core.process_announcements import ComputingProcesses
from course_utils.grading.child_handle import Child
from course_utils.grading.codec_primitives import Uncountable, ValueInvalid
from course_utils.judging.error_hints import ErrorElsewhere


class RemoteFunction:
    """Stands for the function in this process, with its signature and without its code.

    Args:
        call: calls the function in the child.
        description: the child's description of its arguments.
        computing: returns which processes computed something in the last call.
    """

    def __init__(self, call: Callable[..., Any], description: Any, computing: Callable[[], ComputingProcesses]) -> None:
        self._call, self.computing = call, computing
        self.__signature__ = _signature(description)

    def __call__(self, *inputs: Any) -> Any:
        return self._call(*inputs)


class _Signature(inspect.Signature):
    """A signature that prints as the learner wrote it."""

    __slots__ = ("text",)
    text: str

    def __str__(self) -> str:
        return self.text


def _signature(description: Any) -> inspect.Signature:
    """Return the signature that a child describes; one that takes anything if the description makes no sense."""
    anything = inspect.Signature([inspect.Parameter("inputs", inspect.Parameter.VAR_POSITIONAL)])
    if not isinstance(description, dict) or not isinstance(description.get("text"), str):
        return anything
    kinds = list(inspect.Parameter("x", inspect.Parameter.POSITIONAL_ONLY).kind.__class__)
    none = inspect.Parameter.empty
    try:
        parameters = [
            inspect.Parameter(str(name), kinds[kind], default=None if has_default else none)
            for name, kind, has_default in description["parameters"]
        ]
        signature = _Signature(parameters)
    except (TypeError, ValueError, IndexError, KeyError):
        return anything
    signature.text = description["text"]
    return signature


def remote_error(data: Any) -> BaseException:
    """Return the error that the function raised, as far as a message needs it.

    Raises:
        ValueInvalid: the data describe no error.
    """
    if not isinstance(data, dict):
        raise ValueInvalid("its error is not an error")
    kinds = [str(kind)[:80] for kind in data.get("kinds", ())] or ["Exception"]
    if kinds[0] == "Uncountable":
        return Uncountable()
    bases = (getattr(builtins, kind, None) for kind in kinds)
    base = next((each for each in bases if isinstance(each, type) and issubclass(each, Exception)), Exception)
    text = str(data.get("text", ""))
    kind = type(kinds[0], (ErrorElsewhere, base), {"__init__": lambda self: None, "__str__": lambda self: text})
    error: ErrorElsewhere = kind()
    error.own_line, error.hint = str(data.get("line", "")), str(data.get("hint", ""))
    return error


def converse(child: Child, codec: Any, request: Any, blobs: Any) -> tuple[Any, list]:
    """Return the child's answer to a request, after callbacks to functions among its inputs; ``request`` is None if the
    child already has it.
    """
    reply, received = child.receive() if request is None else child.ask(request, blobs)
    while "callback" in reply:
        child.require_time()  # A child that calls back without end never lets a wait reach its limit.
        function = codec.function_of(reply["callback"])
        args, kwargs = codec.unpack(reply.get("arguments"), received)
        try:
            data, frame = codec.pack(function(*args, **kwargs))
            answer, sent = {"value": data}, frame.blobs
        except Exception as error:  # noqa: BLE001 - the answer gave the function something that it does not take
            answer, sent = {"raised": [type(error).__name__, str(error)[:500]]}, []
        reply, received = child.ask(answer, sent)
    if "raised" in reply:
        raise remote_error(reply["raised"])
    return reply, received
