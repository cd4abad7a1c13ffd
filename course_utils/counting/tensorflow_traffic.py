"""What one eager operation of TensorFlow moves and computes. TensorFlow tells of it when it is over, so it is run again to be timed."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterator
from typing import Any

from tensorflow.python.eager import context, execute
from tensorflow.python.framework import op_def_registry

from course_utils.counting.ledger import Ledger, LineTally
from course_utils.counting.minimum_traffic import Piece

SAME_MEMORY = ("Identity", "IdentityN", "Reshape", "ExpandDims", "Squeeze", "StopGradient", "ReadVariableOp", "Shape")
_PICK = ("GatherV2", "Gather", "GatherNd", "ResourceGather", "StridedSlice", "Slice", "BooleanMask")
_CHANGES = ("Assign", "ResourceApply", "ResourceScatter")
_TIMED = 2**14  # bytes: an operation on fewer does little but start


class Traffic:
    """Tells a ledger what operations moved."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._same: dict[int, int] = {}  # a tensor that is another's memory → that one

    def graph(self, work: LineTally, inputs: tuple, outputs: Any) -> None:
        """A graph was called: what goes in and what comes out is known, and that all of its time is its own."""
        self._tell(work, "graph", math.inf, inputs, list(outputs or ()), [])

    def operation(self, work: LineTally, op_type: str, inputs: tuple, attrs: tuple, outputs: Any) -> None:
        """An eager operation has run."""
        outputs = list(outputs or ())
        if op_type in SAME_MEMORY and inputs and outputs:
            self._same[outputs[0]._id] = self._memory(inputs[0])
            self._tell(work, op_type, 0.0, (), [], [])
            return
        changed = []
        if op_type.startswith(_CHANGES):
            size = max((size_of(each) for each in inputs), default=0)
            changed = [Piece(self._memory(each), (), size, size) for each in inputs if _is_handle(each)]
        for dtype, flops in _flops(op_type, inputs, attrs, outputs):
            work.flops[dtype] += flops
        touched = sum(size_of(each) for each in (*inputs, *outputs))
        seconds = self._seconds(op_type, inputs, attrs, len(outputs)) if touched >= _TIMED and not changed else 0.0
        self._tell(work, op_type, seconds, inputs, outputs, changed)

    def _tell(
        self, work: LineTally, name: str, seconds: float, inputs: tuple, outputs: list, changed: list[Piece]
    ) -> None:  # fmt: skip
        made = [self._piece(each) for each in outputs if size_of(each)]
        read = [self._piece(each) for each in inputs if size_of(each)]
        if name in _PICK and read and made:
            read[0] = read[0]._replace(part=object(), size=min(read[0].size, made[0].size))
        if changed and not name.startswith("Assign") or name.startswith(("AssignAdd", "AssignSub")):
            read += changed
        for each, piece in zip((each for each in outputs if size_of(each)), made):
            self._ledger.made(work, piece, read, _alive(each))
        self._ledger.operation(work, name, seconds, read, changed + made, len(inputs) + len(outputs))

    def _piece(self, tensor: Any) -> Piece:
        return Piece(self._memory(tensor), (), size_of(tensor), size_of(tensor))

    def _memory(self, tensor: Any) -> int:
        return self._same.get(tensor._id, tensor._id)

    def _seconds(self, op_type: str, inputs: tuple, attrs: tuple, outputs: int) -> float:
        known = op_def_registry.get(op_type)
        if known is None or known.is_stateful:
            return 0.0
        start = self._ledger.now()
        try:
            execute.quick_execute(op_type, outputs, list(inputs), attrs, context.context())
        except (TypeError, ValueError):  # an attribute that is told in another form than it is taken
            return 0.0
        context.async_wait()
        return self._ledger.now() - start


def _is_handle(tensor: Any) -> bool:
    return tensor.dtype.name == "resource"


def size_of(tensor: Any) -> int:
    """Bytes of an eager tensor's values; 0 for a handle, whose memory was counted when it was made."""
    if not tensor.dtype.is_numpy_compatible or tensor.dtype.size is None:
        return 0
    return int(tensor.shape.num_elements()) * tensor.dtype.size


def _alive(tensor: Any) -> Any:
    reference = weakref.ref(tensor)
    return lambda: reference() is not None


def _flops(op_type: str, inputs: tuple, attrs: tuple, outputs: list) -> Iterator[tuple[str, int]]:
    options = dict(zip(attrs[::2], attrs[1::2]))
    if op_type in ("MatMul", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"):
        turned = options.get("transpose_a") or options.get("adj_x")
        inner = inputs[0].shape[-2 if turned else -1]
        yield outputs[0].dtype.name, 2 * int(outputs[0].shape.num_elements()) * int(inner)
    elif op_type == "Conv2D":
        kernel = inputs[1].shape
        yield outputs[0].dtype.name, 2 * int(outputs[0].shape.num_elements()) * math.prod(kernel[:3])
    elif op_type == "Conv2DBackpropInput":
        yield outputs[0].dtype.name, 2 * int(inputs[2].shape.num_elements()) * math.prod(inputs[1].shape[:3])
    elif op_type == "Conv2DBackpropFilter":
        yield outputs[0].dtype.name, 2 * int(inputs[2].shape.num_elements()) * math.prod(outputs[0].shape[:3])
