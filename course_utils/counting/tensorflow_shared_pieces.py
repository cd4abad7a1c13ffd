"""Slices and cuts of a TensorFlow tensor whose pieces share its memory: TensorFlow copies only the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_utils.counting import operation_kinds


def shared_pieces(op_type: str, inputs: tuple, outputs: Any) -> tuple[str, tuple]:
    """Return the operation's type and inputs. For a slice or a cut whose pieces share the memory of the whole, these are
    another type and the whole.

    TensorFlow shares it if the pieces are whole rows and begin at aligned addresses (``IsDim0SliceAligned`` in
    tensorflow/core/kernels/ops_util.h). On a GPU, the addresses are unknown, so each piece counts as a copy.
    """
    shared = operation_kinds.SHARED.get(op_type)
    if shared is None or not outputs:
        return op_type, inputs
    whole = inputs[1] if op_type == "Split" else inputs[0]
    memory, *pieces = map(_memory_of, (whole, *outputs))
    is_shared = memory is not None and all(
        each is not None and memory.start <= each.start and each.stop <= memory.stop for each in pieces
    )
    return (shared, (whole,)) if is_shared else (op_type, inputs)


def _memory_of(tensor: Any) -> range | None:
    """Return the addresses of an eager tensor's values, None if they aren't numbers in the host's memory."""
    if "CPU" not in tensor.device:
        return None
    try:
        values = np.asarray(memoryview(tensor))
    except (TypeError, ValueError):  # NumPy has no such dtype.
        return None
    start = values.__array_interface__["data"][0]
    return range(start, start + values.nbytes)
