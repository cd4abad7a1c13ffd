"""Reverses the order in which TensorFlow's operations write several values to one position of a tensor or a variable.

TensorFlow does not define which value stays: the documentation of ``tf.tensor_scatter_nd_update`` calls the order
nondeterministic if an index occurs twice. On a CPU the last value stays, so only another order shows what an answer relies
on. A ``tf.function`` runs without a graph in the block, since its traced graph would keep its order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import tensorflow as tf

from course_utils.frameworks import tensorflow_internals


@contextmanager
def reverse_order_of_writes() -> Iterator[list[tf.Tensor]]:
    """Reverse the writes of the block; yield the list of what they write, which grows with each call."""
    written: list[tf.Tensor] = []

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def reverse(*args: Any, **named: Any) -> Any:
            call = inspect.signature(original).bind(*args, **named)
            indices, updates = tf.convert_to_tensor(call.arguments["indices"]), call.arguments["updates"]
            if "tensor" in call.arguments:
                tensor = call.arguments["tensor"] = tf.convert_to_tensor(call.arguments["tensor"])
                updates = tf.convert_to_tensor(updates, tensor.dtype)
            # Only ResourceScatterUpdate has indices without a last axis of coordinates; it calls its variable "resource".
            axes = list(range(indices.shape.rank - ("resource" not in call.arguments)))
            written.append(updates)
            call.arguments |= {"indices": tf.reverse(indices, axes), "updates": tf.reverse(updates, axes)}
            return original(**call.arguments)

        return reverse

    in_graphs = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        with tensorflow_internals.wrap_updates(wrap):
            yield written
    finally:
        tf.config.run_functions_eagerly(in_graphs)
