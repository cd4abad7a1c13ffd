"""Which code is the learner's, and on which of its lines a call stands: all other code belongs to the line that called it."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import site
import sysconfig
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

_COURSE = str(Path(__file__).parents[1])
_LIBRARIES = tuple(
    {
        *(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        *site.getsitepackages(),
        site.getusersitepackages(),
    }
)
_NOBODYS = ("<frozen", "<string>", "<__array_function__", "<eval_with_key>", "<attrs generated")
# What is called below these runs compiled, or is only being traced: it has no lines of its own.
_TRACER = "tensorflow.python.eager.polymorphic_function"
_COMPILER, _COMPILED_CALLS, _NOT_COMPILING = "torch._dynamo.eval_frame", ("compile_wrapper", "_fn"), "DisableContext"
_GENERATED = "__autograph_generated_file"


class Statement(NamedTuple):
    """A statement of the learner's: its file and the number of its first line; ``NO_STATEMENT`` for what no line of theirs did."""

    file: str
    number: int


NO_STATEMENT = Statement("", 0)


class UserCode:
    """Tells the learner's code from all other.

    Args:
        function: what is looked at. Where it stands in the course's own files, as a task's slow loop does, or in none, as what
            ``exec`` made does, this is the learner's for once.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        code = code_of(function)
        self._files: dict[str, bool] = {}
        if code is not None and code.co_filename.startswith((_COURSE, *_NOBODYS)):
            self._files[code.co_filename] = True

    def owns(self, code: CodeType) -> bool:
        """Whether somebody wrote this code who is no library's author."""
        name = code.co_filename
        if name not in self._files:
            self._files[name] = not name.startswith((*_LIBRARIES, _COURSE, *_NOBODYS)) and _GENERATED not in name
        return self._files[name]

    def entered(self, frame: FrameType, caller: FrameType | None) -> bool:
        """Whether ``frame`` runs the learner's code as it is written, called from ``caller`` with no compiler in between."""
        if not self.owns(frame.f_code):
            return False
        between = frame.f_back
        while between is not None and between is not caller:
            if is_compiler(between):
                return False
            between = between.f_back
        return True

    def standing(self, frame: FrameType | None, bottom: CodeType) -> tuple[FrameType | None, bool, FrameType | None]:
        """The learner's frame that ``frame`` runs for, whether it runs in compiled code, and the frame that the code is written in.

        All code that a compiled function calls runs for the frame that calls the compiled function. The search ends at the
        frame that runs ``bottom``; a frame that is not found is None.
        """
        found, compiled, inner = None, False, None
        while frame is not None and frame.f_code is not bottom:
            if is_compiler(frame):
                found, compiled = None, True
            elif found is None and self.owns(frame.f_code):
                found = frame
                inner = inner or frame
            frame = frame.f_back
        return found, compiled, inner


def statement_at(code: CodeType, number: int | None) -> Statement:
    """The statement that line ``number`` of ``code`` belongs to."""
    return Statement(code.co_filename, _first_lines(code.co_filename).get(number or 0, number or code.co_firstlineno))


def is_compiler(frame: FrameType) -> bool:
    """Whether ``frame`` is a compiler's: what it calls is not run line by line."""
    module = str(frame.f_globals.get("__name__", ""))
    if module == _COMPILER and frame.f_code.co_name in _COMPILED_CALLS:
        return (
            type(frame.f_locals.get("self")).__name__ != _NOT_COMPILING
        )  # torch keeps its compiler off its own optimizers
    return module.startswith(_TRACER)


def code_of(function: Any) -> CodeType | None:
    """The code that a call of ``function`` ends up in, None where it is not written in Python."""
    while isinstance(function, functools.partial):
        function = function.func
    for name in ("_torchdynamo_orig_callable", "python_function", "_orig_mod"):  # what a compiler was given
        function = getattr(function, name, function)
    if inspect.isroutine(function):
        return getattr(inspect.unwrap(getattr(function, "__func__", function)), "__code__", None)
    kind = type(function)
    for name in ("forward", "call", "__call__"):
        if callable(method := getattr(kind, name, None)):
            return getattr(inspect.unwrap(method), "__code__", None)
    return None


@lru_cache(maxsize=64)
def _first_lines(file: str) -> dict[int, int]:
    """Line → the first line of its statement, for a file or a notebook's cell; of a loop or a branch, its head only."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return {}
    first: dict[int, int] = {}
    for node in ast.walk(tree):  # outer statements come before inner ones, which then have the last word
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body and isinstance(body, list) else node.end_lineno or node.lineno
            first.update(dict.fromkeys(range(node.lineno, max(node.lineno, end) + 1), node.lineno))
    return first
