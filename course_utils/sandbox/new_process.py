"""Runs a function in a new Python process, for settings that a process reads only once, at its start.

The function is sent as its source, so that a function of a notebook works too. This module is both the parent and the
child.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

from course_utils.core.errors import USER_CODE_ERRORS, CourseError, summarize_error
from course_utils.core.processes import ChildProcess, ChildProcessFailed, Json, start_answering


class NewProcessError(CourseError):
    """A function cannot be sent to a new process, or failed there."""


def in_new_process(fn: Callable[..., Json], /, *args: Json, environment: Mapping[str, str] | None = None) -> Json:
    """Call ``fn`` in a new Python process, and return its result.

    The new process has no variables or imports of this one: ``fn`` must be a ``def`` function that imports all that
    it uses. Its arguments and its result must be JSON values: numbers, strings, lists and dicts.

    Args:
        fn: the function.
        args: its arguments.
        environment: variables that the process starts with, added to this one's.

    Raises:
        NewProcessError: ``fn`` cannot be sent, or does not return; the message contains the error that it raised.
    """
    name = getattr(fn, "__name__", type(fn).__name__)
    request = {"source": _source(fn, name), "name": name, "args": _to_json(args, f"The arguments of {name}")}
    with ChildProcess(["-m", "course_utils.sandbox.new_process"], environment, accepts_input=True) as child:
        child.send(request)
        try:
            answer = next(child.answers(), None)
        except ChildProcessFailed as failure:
            raise NewProcessError(f"The new process ended before {name} returned: {failure}.") from None
    if answer is None:
        raise NewProcessError(f"The new process ended before {name} returned, without a message.")
    if "refused" in answer:
        raise NewProcessError(answer["refused"])
    if "raised" in answer:
        raise NewProcessError(
            f"In its new process, {name} raised {answer['raised']}. The process starts with no names defined: import "
            f"and define inside {name} all that it uses."
        )
    return answer["result"]


def _source(fn: Any, name: str) -> str:
    try:
        source = textwrap.dedent(inspect.getsource(fn))
        is_function = isinstance(ast.parse(source).body[0], ast.FunctionDef)
    except (OSError, TypeError, SyntaxError):
        is_function = False
    if not is_function:
        raise NewProcessError(f"{name} has no source to send to a new process; define it with def.")
    return source


def _to_json(value: Any, subject: str) -> Json:
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError):
        raise NewProcessError(
            f"{subject} cannot be sent to another process: use numbers, strings, and lists and dicts of them."
        ) from None


def _call(request: Json) -> Json:
    namespace: dict[str, Any] = {}
    try:
        exec(compile(request["source"], f"<{request['name']}>", "exec"), namespace)  # noqa: S102 - the notebook's own function
        result = namespace[request["name"]](*request["args"])
    except USER_CODE_ERRORS as error:
        return {"raised": summarize_error(error)}
    try:
        return {"result": _to_json(result, f"The result of {request['name']}")}
    except NewProcessError as error:
        return {"refused": str(error)}


if __name__ == "__main__":
    answer = start_answering()
    answer(_call(json.loads(sys.stdin.readline())))
