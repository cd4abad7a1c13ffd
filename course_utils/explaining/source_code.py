"""What the source around a statement says: its text, its syntax, and the function that contains it."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Sequence
from functools import lru_cache

from course_utils.counting.user_code import Statement

_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def source_of(statement: Statement) -> str:
    """Return the statement's first line of source, without indentation."""
    return linecache.getline(statement.file, statement.number).strip()


@lru_cache(maxsize=256)
def nodes_of(statement: Statement) -> tuple[ast.AST, ...]:
    """Return the syntax of the statements on a line; of a loop or a branch, only its head."""
    nodes: list[ast.AST] = []
    for node in ast.walk(_tree(statement.file)):
        if isinstance(node, ast.stmt) and node.lineno == statement.number:
            parts = [part for field, part in ast.iter_fields(node) if field not in ("body", "orelse", "finalbody")]
            flat = [each for part in parts for each in (part if isinstance(part, list) else [part])]
            nodes += [inner for each in flat if isinstance(each, ast.AST) for inner in ast.walk(each)]
    return tuple(nodes)


@lru_cache(maxsize=256)
def function_of(statement: Statement) -> str:
    """Return the name of the function that contains the statement, such as ``"Block.forward"``; "" outside any
    function.
    """
    names: list[str] = []
    node = _tree(statement.file)
    while True:
        inner = next((each for each in ast.iter_child_nodes(node) if _contains(each, statement.number)), None)
        if inner is None:
            return ".".join(names)
        if isinstance(inner, _NAMED):
            names.append(inner.name)
        node = inner


def is_backward(node: ast.AST) -> bool:
    """Return whether this calls ``loss.backward``, ``autograd.grad`` or a tape's ``gradient``.

    The latter takes a target and sources. ``torch.gradient`` and ``np.gradient`` take one tensor and compute finite differences.
    """
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr in ("backward", "grad") or node.func.attr == "gradient" and len(node.args) >= 2


def differentiates_twice(nodes: Sequence[ast.AST]) -> bool:
    """Return whether this calls a backward pass that PyTorch records, so that it can be differentiated again."""
    arguments = (node for node in nodes if isinstance(node, ast.keyword) and node.arg == "create_graph")
    return any(ast.unparse(each.value) != "False" for each in arguments)


def groups_by_key(nodes: Sequence[ast.AST]) -> bool:
    """Return whether this adds to what a dictionary has for a key: ``sums[key] = sums.get(key, 0) + value``, or
    ``rows.setdefault(key, []).append(row)``.
    """
    subscripts = [node for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)]
    written = [f"{ast.unparse(node.value)}.get({ast.unparse(node.slice)}, " for node in subscripts]
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    return any(ast.unparse(call).startswith(tuple(written)) or _adds_to_default(call) for call in calls)


def _adds_to_default(call: ast.Call) -> bool:
    """Return whether this calls a method of what a dictionary has for a key: ``rows.setdefault(key, []).append(row)``."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute) and owner.func.attr == "setdefault"


def _contains(node: ast.AST, number: int) -> bool:
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return first is not None and last is not None and first <= number <= last


@lru_cache(maxsize=64)
def _tree(file: str) -> ast.AST:
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return ast.Module([], [])
