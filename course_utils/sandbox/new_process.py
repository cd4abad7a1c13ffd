"""Runs a function in a Python process that has just begun: for what a process settles at its start, and keeps.

The function goes there as its source, so that one of a notebook can go as well. Both ends of the pipe stand here.
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
    """A function cannot be called in a process of its own, or what it did there failed."""


def in_new_process(fn: Callable[..., Json], /, *args: Json, environment: Mapping[str, str] | None = None) -> Json:
    """Call ``fn`` in a new Python process, and return what it returns.

    The process knows nothing of this one: ``fn`` is a function made by ``def`` that imports all that it uses. Its arguments and
    its result are what JSON can say, such as numbers, texts and lists of them.

    Args:
        fn: the function.
        args: what to call it with.
        environment: variables that the process begins with, besides this one's own.

    Raises:
        NewProcessError: when ``fn`` cannot be sent there, or does not come to its end; the message says what it raised.
    """
    name = getattr(fn, "__name__", type(fn).__name__)
    order = {"source": _source(fn, name), "name": name, "args": _as_json(args, f"The arguments of {name}")}
    with ChildProcess(["-m", "course_utils.sandbox.new_process"], environment, accepts_input=True) as child:
        child.send(order)
        try:
            answer = next(child.answers(), None)
        except ChildProcessFailed as failed:
            raise NewProcessError(f"The new process ended before {name} did: {failed}.") from None
    if answer is None:
        raise NewProcessError(f"The new process ended before {name} did, and said nothing.")
    if "refused" in answer:
        raise NewProcessError(answer["refused"])
    if "raised" in answer:
        raise NewProcessError(
            f"In its new process {name} raised {answer['raised']}. Nothing is defined there: import and define in {name} all "
            "that it uses."
        )
    return answer["result"]


def _source(fn: Any, name: str) -> str:
    try:
        source = textwrap.dedent(inspect.getsource(fn))
        is_function = isinstance(ast.parse(source).body[0], ast.FunctionDef)
    except (OSError, TypeError, SyntaxError):
        is_function = False
    if not is_function:
        raise NewProcessError(f"{name} has no source that could be sent to a new process; give a function made by def.")
    return source


def _as_json(value: Any, what: str) -> Json:
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError):
        raise NewProcessError(
            f"{what} cannot be sent to another process: they must be numbers, texts, or lists and dicts of them."
        ) from None


def _call(order: Json) -> Json:
    names: dict[str, Any] = {}
    try:
        exec(compile(order["source"], f"<{order['name']}>", "exec"), names)  # noqa: S102 - the notebook's own function
        result = names[order["name"]](*order["args"])
    except USER_CODE_ERRORS as error:
        return {"raised": summarize_error(error)}
    try:
        return {"result": _as_json(result, f"What {order['name']} returns")}
    except NewProcessError as error:
        return {"refused": str(error)}


if __name__ == "__main__":
    answer = start_answering()
    answer(_call(json.loads(sys.stdin.readline())))
