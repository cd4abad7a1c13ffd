"""Runs a traced TensorFlow function one operation at a time, so that each can be seen, each turn of a loop included.

It is slow, and meant for small inputs. It computes what the graph computes; operations with a state (variables, random
numbers) really run once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import tensorflow as tf
from tensorflow.python.eager import context, execute
from tensorflow.python.framework.function_def_to_graph import function_def_to_graph

See = Callable[[str, Sequence[Any]], None]

_CALLS = ("PartitionedCall", "StatefulPartitionedCall")
_BRANCHES = ("If", "StatelessIf")
_CASES = ("Case", "StatelessCase")
_LOOPS = ("While", "StatelessWhile")
_SILENT = ("Placeholder", "Const", "NoOp")  # no work at run time


def run(name: str, inputs: Sequence[Any], see: See) -> list[Any]:
    """Run the function that TensorFlow knows as ``name`` on eager tensors; ``see(op_type, outputs)`` for each operation."""
    graph = _graph(name)
    values: dict[str, Any] = {placeholder.name: value for placeholder, value in zip(graph.inputs, inputs)}
    for operation in graph.get_operations():  # in the order in which they were made, so inputs come first
        if operation.type == "Placeholder":
            continue
        arguments = [values[tensor.name] for tensor in operation.inputs]
        outputs = _run_one(operation, arguments, see)
        if operation.type not in _SILENT and not _is_control(operation.type):
            see(operation.type, outputs)
        values.update(zip((tensor.name for tensor in operation.outputs), outputs))
    return [values[tensor.name] for tensor in graph.outputs]


def _run_one(operation: tf.Operation, arguments: list[Any], see: See) -> Sequence[Any]:
    kind = operation.type
    if kind == "Const":
        return [tf.constant(tf.make_ndarray(operation.node_def.attr["value"].tensor))]
    if kind in _CALLS:
        return run(_function(operation, "f"), arguments, see)
    if kind in _BRANCHES:
        branch = "then_branch" if bool(tf.cast(arguments[0], tf.bool)) else "else_branch"
        return run(_function(operation, branch), arguments[1:], see)
    if kind in _CASES:
        branches = [function.name for function in operation.get_attr("branches")]
        chosen = int(arguments[0])
        return run(branches[chosen if 0 <= chosen < len(branches) else -1], arguments[1:], see)
    if kind in _LOOPS:
        while bool(run(_function(operation, "cond"), arguments, see)[0]):
            arguments = run(_function(operation, "body"), arguments, see)
        return arguments
    return (
        execute.quick_execute(kind, len(operation.outputs), arguments, _attributes(operation), context.context()) or []
    )


def _is_control(kind: str) -> bool:
    return kind in _CALLS + _BRANCHES + _CASES + _LOOPS


def _function(operation: tf.Operation, attribute: str) -> str:
    return operation.get_attr(attribute).name


@lru_cache(maxsize=256)
def _graph(name: str) -> Any:
    return function_def_to_graph(context.context().get_function_def(name))


def _attributes(operation: tf.Operation) -> tuple[Any, ...]:
    """A graph node's attributes in the flat form that eager execution takes: name, value, name, value …"""
    flat: list[Any] = []
    for name, value in operation.node_def.attr.items():
        if not name.startswith("_") and value.WhichOneof("value") is not None:
            flat += [name, _eager_value(value)]
    return tuple(flat)


def _eager_value(attribute: Any) -> Any:
    kind = attribute.WhichOneof("value")
    if kind == "list":
        entries = attribute.list
        for field in ("s", "i", "f", "b", "type", "shape"):
            if getattr(entries, field):
                return [_plain(field, entry) for entry in getattr(entries, field)]
        return []
    return _plain(kind, getattr(attribute, kind))


def _plain(kind: str, value: Any) -> Any:
    if kind == "func":
        return value.name
    return tf.TensorShape(value) if kind == "shape" else value
