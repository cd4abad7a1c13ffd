"""Runs a traced TensorFlow function one operation at a time, so that each is seen, in each iteration of a loop.

It is slow and meant for small inputs. It computes what the graph computes; stateful operations (variables, random
numbers) really run once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from course_utils.frameworks import tensorflow_internals

OnOperation = Callable[[str, Sequence[Any], Sequence[Any], Sequence[Any]], None]
"""Gets the kind of an operation, its inputs, its attributes and its outputs."""

_CALLS = ("PartitionedCall", "StatefulPartitionedCall")
_BRANCHES = ("If", "StatelessIf")
_CASES = ("Case", "StatelessCase")
_LOOPS = ("While", "StatelessWhile")
# Operations without work at run time.
_IDLE = ("Placeholder", "Const", "NoOp")


def run(name: str, inputs: Sequence[Any], on_operation: OnOperation) -> list[Any]:
    """Return the outputs of the traced function ``name`` on eager tensors; calls ``on_operation`` for each step."""
    graph = tensorflow_internals.function_graph(name)
    values: dict[str, Any] = {placeholder.name: value for placeholder, value in zip(graph.inputs, inputs)}
    for operation in graph.get_operations():  # In order of creation, so inputs come first.
        if operation.type == "Placeholder":
            continue
        arguments = [values[tensor.name] for tensor in operation.inputs]
        outputs = _run_one(operation, arguments, on_operation)
        if operation.type not in _IDLE and not _is_control(operation.type):
            on_operation(operation.type, arguments, _attributes(operation), outputs)
        values.update(zip((tensor.name for tensor in operation.outputs), outputs))
    return [values[tensor.name] for tensor in graph.outputs]


def _run_one(operation: tf.Operation, arguments: list[Any], on_operation: OnOperation) -> Sequence[Any]:
    kind = operation.type
    if kind == "Const":
        return [tf.constant(tf.make_ndarray(operation.node_def.attr["value"].tensor))]
    if kind in _CALLS:
        return run(_function(operation, "f"), arguments, on_operation)
    if kind in _BRANCHES:
        branch = "then_branch" if bool(tf.cast(arguments[0], tf.bool)) else "else_branch"
        return run(_function(operation, branch), arguments[1:], on_operation)
    if kind in _CASES:
        branches = [function.name for function in operation.get_attr("branches")]
        chosen = int(arguments[0])
        return run(branches[chosen if 0 <= chosen < len(branches) else -1], arguments[1:], on_operation)
    if kind in _LOOPS:
        while bool(run(_function(operation, "cond"), arguments, on_operation)[0]):
            arguments = run(_function(operation, "body"), arguments, on_operation)
        return arguments
    return tensorflow_internals.run_operation(kind, len(operation.outputs), arguments, _attributes(operation))


def _is_control(kind: str) -> bool:
    return kind in _CALLS + _BRANCHES + _CASES + _LOOPS


def _function(operation: tf.Operation, attribute: str) -> str:
    return operation.get_attr(attribute).name


def _attributes(operation: tf.Operation) -> tuple[Any, ...]:
    """Return a graph node's attributes as eager execution takes them: name, value, name, value."""
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
