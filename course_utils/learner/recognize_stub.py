"""Whether a function is still the stub from the lesson: a docstring, ``...``, ``pass`` or a NotImplementedError."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any


def is_stub(function: Callable[..., Any]) -> bool:
    """Return whether ``function`` contains no code yet; False if its source is unavailable."""
    try:
        definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError):
        return False
    return isinstance(definition, ast.FunctionDef) and all(map(_does_nothing, definition.body))


def _does_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Raise):
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )
