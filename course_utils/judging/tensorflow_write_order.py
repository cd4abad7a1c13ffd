"""Reverses the order in which ``tf.tensor_scatter_nd_update`` writes several values to one position.

TensorFlow does not define which value stays: the function's documentation calls the order nondeterministic if an index occurs
twice. On a CPU the last value stays, so that only another order shows what an answer relies on. Graphs that are traced
already, and writes into variables, keep their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import tensorflow as tf

from course_utils.frameworks import tensorflow_internals


@contextmanager
def reversing_writes() -> Iterator[list[tf.Tensor]]:
    """Reverse the writes of the block; yield the list of what they write, which grows with each call."""
    written: list[tf.Tensor] = []

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def reverse(tensor: Any, indices: Any, updates: Any, **named: Any) -> Any:
            tensor, indices = tf.convert_to_tensor(tensor), tf.convert_to_tensor(indices)
            updates = tf.convert_to_tensor(updates, tensor.dtype)
            axes = list(range(indices.shape.rank - 1))
            written.append(updates)
            return original(tensor, tf.reverse(indices, axes), tf.reverse(updates, axes), **named)

        return reverse

    with tensorflow_internals.wrap_updates(wrap):
        yield written
