"""Which code the learner wrote, and which of its statements runs. Other code counts for the statement that called
it."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import os
from collections.abc import Callable, Iterable
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any, NamedTuple

from course_utils import frameworks
from course_utils.counting import code_owners
from course_utils.frameworks import tensorflow_internals, torch_internals

_AUTOGRAPH = "__autograph_generated_file"
# Comprehensions always run inside their own statement. Generators and lambdas do so only if that statement calls them.
_INLINE, _OFTEN_INLINE = ("<listcomp>", "<setcomp>", "<dictcomp>"), ("<genexpr>", "<lambda>")


class Statement(NamedTuple):
    """A statement of the learner's code: its file and the number of its first line."""

    file: str
    number: int


NO_STATEMENT = Statement("", 0)
"""Stands for work outside of the learner's lines."""


class UserCode:
    """Distinguishes the learner's code from libraries and from the course.

    The package of the function, or of the model, counts as the learner's too, even if it is installed. A framework
    never does.

    Args:
        function: the function or model to analyze. Its own file counts as the learner's even if it is a file of the
            course, such as a task's slow loop, or no file, such as code that ``exec`` compiled.
        within: files and folders whose code counts as the learner's too.
    """

    def __init__(self, function: Callable[..., Any], within: Iterable[str] = ()) -> None:
        self._files: dict[str, bool] = {}
        self._folders = tuple(within)
        for name in _files_of(function):
            if name.startswith((code_owners.COURSE, *code_owners.GENERATED)):
                self._files[name] = True
            package = code_owners.installed_package(name)
            if package is not None and not code_owners.is_framework_dependency(package):
                self._folders += (package,)

    def owns(self, code: CodeType) -> bool:
        """Return whether the learner wrote ``code``."""
        name = code.co_filename
        if name not in self._files:
            self._files[name] = self._is_own_file(name)
        return self._files[name]

    def _is_own_file(self, name: str) -> bool:
        if name.startswith((*code_owners.GENERATED, *code_owners.generated_folders())) or _AUTOGRAPH in name:
            return False
        if any(name == each or name.startswith(f"{each}{os.sep}") for each in self._folders):
            return True
        is_foreign = name.startswith(code_owners.COURSE) or code_owners.is_framework_file(name)
        return not is_foreign and code_owners.library_root(name) is None

    def runs_as_written(self, frame: FrameType, caller: FrameType | None) -> bool:
        """Return whether ``frame`` runs the learner's code with no compiler between it and ``caller``.

        A comprehension counts as a part of the function that contains it, because tracing its iterations would take
        longer than running them.
        """
        if not self.owns(frame.f_code) or is_inline(frame):
            return False
        between = frame.f_back
        while between is not None and between is not caller:
            if is_compiler_frame(between):
                return False
            between = between.f_back
        return True

    def find_frames(self, frame: FrameType | None, entry: CodeType) -> tuple[FrameType | None, bool, FrameType | None]:
        """Return two frames of the learner's code that called ``frame``, and whether compiled code is between them.

        The first one calls the compiled function, and the last one is inside it: the line in which the compiled code is
        written. Without compiled code, they are the same. The search ends at the frame of ``entry``; a missing frame is
        None.
        """
        learner_frame, is_compiled, innermost = None, False, None
        while frame is not None and frame.f_code is not entry:
            if is_compiler_frame(frame):
                learner_frame, is_compiled = None, True
            elif learner_frame is None and self.owns(frame.f_code) and not is_inline(frame):
                learner_frame = frame
                innermost = innermost or frame
            frame = frame.f_back
        return learner_frame, is_compiled, innermost


def statement_at(code: CodeType, number: int | None) -> Statement:
    """Return the statement that line ``number`` of ``code`` belongs to."""
    first_lines = _first_lines(code.co_filename)
    return Statement(code.co_filename, first_lines.get(number or 0, number or code.co_firstlineno))


def is_inline(frame: FrameType) -> bool:
    """Return whether ``frame`` runs a comprehension, or a generator or lambda that its own statement calls."""
    name, caller = frame.f_code.co_name, frame.f_back
    if name not in _OFTEN_INLINE or caller is None:
        return name in _INLINE
    is_same_file = frame.f_code.co_filename == caller.f_code.co_filename
    return is_same_file and statement_at(frame.f_code, frame.f_lineno) == statement_at(caller.f_code, caller.f_lineno)


def is_compiler_frame(frame: FrameType) -> bool:
    """Return whether ``frame`` is a compiler's, so that the code it calls does not run line by line."""
    module = str(frame.f_globals.get("__name__", ""))
    return torch_internals.is_compiler_frame(frame, module) or module.startswith(tensorflow_internals.TRACER_MODULE)


def code_of(function: Any) -> CodeType | None:
    """Return the code that a call of ``function`` ends up in; None if it is not written in Python."""
    while isinstance(function, functools.partial):
        function = function.func
    function = torch_internals.original_function(getattr(function, "python_function", function))
    if inspect.isroutine(function):
        return getattr(inspect.unwrap(getattr(function, "__func__", function)), "__code__", None)
    kind = type(function)
    for name in ("forward", "call", "__call__"):
        if callable(method := getattr(kind, name, None)):
            return getattr(inspect.unwrap(method), "__code__", None)
    return None


def _files_of(function: Any) -> set[str]:
    """Return the files of the function's code, or of a model's modules."""
    modules = [each for _, each in frameworks.of(function).named_modules(function)]
    codes = (code_of(each) for each in (function, *modules))
    return {code.co_filename for code in codes if code is not None}


@lru_cache(maxsize=64)
def _first_lines(file: str) -> dict[int, int]:
    """Return line → first line of its statement, for a file or a cell; a statement inside a loop or a branch has its
    own."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return {}
    first: dict[int, int] = {}
    for node in ast.walk(tree):  # Inner statements come later and overwrite outer ones.
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body and isinstance(body, list) else node.end_lineno or node.lineno
            first.update(dict.fromkeys(range(node.lineno, max(node.lineno, end) + 1), node.lineno))
    return first
