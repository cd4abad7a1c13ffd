"""In the child: runs the cells of one answer, and then its function on the inputs that the parent sends.

Nothing here decides anything. A learner's code may change every line of this file while it runs; the parent compares the
results, counts the operations and reads the clock.
"""

from __future__ import annotations

import inspect
import linecache
import sys
from collections import deque
from types import CodeType, ModuleType
from typing import Any

from course_utils import frameworks
from course_utils.core.errors import USER_CODE_ERRORS
from course_utils.core.plain_data import to_data
from course_utils.grading import framework_codecs
from course_utils.grading.channel import Channel, FrameError, Json
from course_utils.grading.codec_primitives import make_error
from course_utils.judging import error_hints, measured_calls
from course_utils.sandbox.restore_settings import restore_settings

_LONGEST_TEXT = 2000


def serve(channel: Channel, start: Json, framework: str) -> None:
    """Run the cells, describe the function, and answer the parent until it closes the channel."""
    module = ModuleType("__main__")
    sys.modules["__main__"] = module  # as in a notebook, so that functions and classes know where they are defined
    for label, source in start["cells"]:
        channel.send({"cell": label})
        _run_cell(vars(module), label, source)
    function = vars(module).get(start["function"])
    channel.send({"ready": _describe(function)})
    process = _AnswerProcess(channel, function, framework)
    while True:
        process.answer(*(process.later.popleft() if process.later else channel.receive()))


def _run_cell(names: dict[str, Any], label: str, source: str) -> None:
    """Run one cell as a notebook does; an error ends the cell, and the next cell still runs."""
    names.setdefault("get_ipython", lambda: _Notebook())
    names.setdefault("display", lambda *values, **named: None)
    try:
        source, code = _compile(label, source)
    except Exception:  # noqa: BLE001 - a cell that is not Python defines nothing
        return
    linecache.cache[label] = (len(source), None, source.splitlines(keepends=True), label)
    try:
        exec(code, names)  # noqa: S102 - that is what a child is for
    except (KeyboardInterrupt, *USER_CODE_ERRORS):
        return


def _compile(label: str, source: str) -> tuple[str, CodeType]:
    """Return a cell's Python source and its code. IPython transforms only what is not Python, such as a magic command."""
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        return source, compile(source, label, "exec", dont_inherit=True)
    except SyntaxError:
        source = TransformerManager().transform_cell(source)
        return source, compile(source, label, "exec", dont_inherit=True)


class _Notebook:
    """Stands for the shell of a notebook: every magic command is accepted and does nothing."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self


def _describe(function: Any) -> Json:
    """Return the function's arguments; None if there is no such function."""
    if not callable(function):
        return None
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return {"text": None, "parameters": []}
    kinds = [[each.name, int(each.kind), each.default is not each.empty] for each in signature.parameters.values()]
    return {"text": str(signature)[:_LONGEST_TEXT], "parameters": kinds}


class _AnswerProcess:
    def __init__(self, channel: Channel, function: Any, framework: str) -> None:
        self._channel, self._function, self._framework = channel, function, framework
        self._codec = framework_codecs.values(framework, "c", self._call_parent)
        self._results: list[Any] = []
        self._calling = self._codec
        self.later: deque[tuple[Json, list]] = deque()  # requests that came during another one

    def answer(self, message: Json, blobs: list) -> None:
        """Answer one request."""
        framework = frameworks.by_name(self._framework)
        try:
            with (
                framework.compiler.run_uncompiled() if message.get("as_written") else framework.compiler.run_compiled()
            ):
                getattr(self, f"_{message['do']}")(message, blobs)
        except FrameError:
            raise
        except BaseException as error:  # noqa: BLE001 - a learner's function may raise anything, SystemExit included
            self._channel.send({"raised": self._describe_error(error)})

    def _call(self, message: Json, blobs: list) -> None:
        """Call the function; the result and the arguments travel back."""
        self._codec.begin_call() if message["first"] else None
        arguments = self._codec.unpack(message["arguments"], blobs)
        with restore_settings(with_numpy=False) as changed:
            result = self._function(*arguments)
        if inspect.iscoroutine(result):
            result.close()
        self._results = [*self._results[-3:], (result, arguments)]
        data, frame = self._codec.pack((result, arguments))
        settings = {name: str(value) for name, value in changed.items()}
        self._channel.send({"value": data, "settings": settings}, frame.blobs)

    def _time(self, message: Json, blobs: list) -> None:
        """Call the function on inputs that are forgotten at once."""
        codec = framework_codecs.values(self._framework, "c", self._call_parent)
        arguments = codec.unpack(message["arguments"], blobs)
        result = self._function(*arguments)
        data, frame = codec.pack((result, arguments if message["writes"] else None))
        self._channel.send({"value": data}, frame.blobs)

    def _backward(self, message: Json, blobs: list) -> None:
        results, gradients, inputs = self._codec.unpack(message["arguments"], blobs)
        data, frame = self._codec.pack(framework_codecs.vector_jacobian(results, gradients, inputs))
        self._channel.send({"value": data}, frame.blobs)

    def _operate(self, message: Json, blobs: list) -> None:
        """Call the function on tensors that stay in the parent."""
        with_values = bool(message.get("with_values"))
        operations, arguments = framework_codecs.operations(self._channel, message["arguments"], blobs, with_values)
        with frameworks.by_name(self._framework).compiler.run_uncompiled():
            try:
                result = operations.call(self._function, arguments)
            except FrameError:
                raise
            except BaseException as error:  # noqa: BLE001 - as in ``answer``
                operations.finish("raised", self._describe_error(error))
            else:
                operations.finish("done", (result, arguments))
        self.later.extend(operations.later)

    def _measure(self, message: Json, blobs: list) -> None:
        """Count or measure a call in this process."""
        self._codec.begin_call()
        arguments = self._codec.unpack(message["arguments"], blobs)
        result, facts = measured_calls.BY_NAME[message["name"]](self._function, *arguments)
        self._results = [*self._results[-3:], (result, arguments)]
        data, frame = self._codec.pack((result, arguments))
        self._channel.send({"value": data, "facts": to_data(facts)}, frame.blobs)

    def _call_parent(self, name: str, args: tuple, kwargs: dict) -> Any:
        """Call a function of the parent."""
        data, frame = self._calling.pack((args, kwargs))
        self._channel.send({"callback": name, "arguments": data}, frame.blobs)
        reply, blobs = self._channel.receive()
        if "raised" in reply:
            raise make_error(*reply["raised"])
        return self._calling.unpack(reply["value"], blobs)

    def _describe_error(self, error: BaseException) -> Json:
        message = error_hints.main_line(error)
        return {
            "kinds": [kind.__name__ for kind in type(error).__mro__],
            "text": str(error)[:_LONGEST_TEXT],
            "line": error_hints.own_line(error, self._function)[:_LONGEST_TEXT],
            "hint": frameworks.explain_compiler_error(error) or error_hints.hint_for(message, self._function),
        }
