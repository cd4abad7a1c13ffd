"""What an operation of TensorFlow moves and computes. An operation is timed by running it again."""

from __future__ import annotations

import math
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from course_utils.counting import operation_kinds
from course_utils.counting.convolution_flops import convolution_flops, spatial_axes
from course_utils.counting.line_tally import LineTally
from course_utils.counting.minimum_traffic import Piece
from course_utils.counting.tensorflow_warm_cache_times import TensorflowWarmCacheTimes
from course_utils.counting.traffic_ledger import Recorder
from course_utils.counting.work_inside_graphs import WHOLE_GRAPH, InnerWork, add_inner_work
from course_utils.frameworks import tensorflow_internals
from course_utils.frameworks.tensorflow_internals import tensor_id
from course_utils.frameworks.xla_product_flops import most_product_flops
from course_utils.frameworks.xla_program import kernels_in

_TIMED_BYTES = 2**14
"""The fewest bytes for which an operation is timed; an operation on fewer bytes takes almost only overhead."""

_SLOW_COMPILATION_S = 2.0
"""If XLA takes longer to compile a graph, the graph is too large to be timed with a warm cache."""

_LEAST_TEXT = 24
"""The bytes that count for each string in a tensor: the bytes of a short string, because the length is unknown."""


class TrafficRecorder:
    """Records in a ledger what operations moved."""

    def __init__(self, ledger: Recorder) -> None:
        self._ledger = ledger
        self._original: dict[int, int] = {}  # a view → the tensor whose memory it shares
        self._warm_cache_times = TensorflowWarmCacheTimes(ledger.now)

    def record_graph(
        self, tally: LineTally, name: str, inputs: tuple, outputs: Any, flops_before: Mapping[str, int]
    ) -> None:
        """Record the call of a graph: its inputs and outputs, and the kernels that XLA compiled it to, if any.

        ``flops_before`` are those of ``tally`` before the graph's operations were recorded as they are written.
        """
        outputs = list(outputs or ())
        self._record(tally, WHOLE_GRAPH, math.inf, inputs, outputs, [])
        start = self._ledger.now()
        program = tensorflow_internals.xla_program_of(name, inputs)
        kernels = kernels_in(program)
        tally.xla_calls += bool(kernels)
        if kernels:
            _limit_added_flops(tally.flops, flops_before, most_product_flops(program))
        if self._ledger.now() - start < _SLOW_COMPILATION_S:  # A trial compiles the graph for two other shapes.
            seconds = self._warm_cache_times.seconds_of_graph(name, inputs, outputs)
            add_inner_work(tally.inner_works, {WHOLE_GRAPH: InnerWork(1, 0, 0, *seconds)})
        for each in kernels:
            work = InnerWork(1, each.reads, each.writes, functions=each.functions, is_apart=each.is_apart)
            add_inner_work(tally.inner_works, {each.name: work})

    def record_operation(self, tally: LineTally, op_type: str, inputs: tuple, attrs: tuple, outputs: Any) -> None:
        """Record an eager operation that has run."""
        outputs = list(outputs or ())
        if op_type in operation_kinds.VIEWS and inputs and outputs:
            if op_type != operation_kinds.SHAPE_READ:
                for output in outputs:
                    self._original[tensor_id(output)] = self._memory(inputs[0])
                    self._ledger.record_alias(self._memory(inputs[0]), _is_alive(output))
            self._record(tally, op_type, 0.0, (), [], [])
            return
        updated = []
        if op_type.startswith(operation_kinds.VARIABLE_UPDATES):
            size = max((size_of(each) for each in inputs), default=0)
            updated = [Piece(self._memory(each), (), size, size) for each in inputs if _is_handle(each)]
        self.record_flops(tally, op_type, inputs, attrs, outputs)
        is_timed = sum(map(size_of, (*inputs, *outputs))) >= _TIMED_BYTES
        with self._ledger.trial(tally):
            seconds, arithmetic_s = (
                self._warm_cache_times.seconds(op_type, inputs, attrs, outputs) if is_timed else (0.0, 0.0)
            )
        tally.arithmetic_seconds[op_type] += arithmetic_s
        if not seconds and op_type.endswith(operation_kinds.HIDES_WORK):
            tally.hidden_work[op_type] += 1
        self._record(tally, op_type, seconds, inputs, outputs, updated)

    def record_in_graph(self, tally: LineTally, op_type: str, inputs: Any, attrs: Any, outputs: Any) -> None:
        """Record an operation of a graph that the graph stepper has run by itself."""
        self.record_flops(tally, op_type, inputs, attrs, outputs)
        if op_type in operation_kinds.VIEWS:
            return
        read, written = (sum(size_of(each) for each in tensors) for tensors in (inputs, outputs))
        if operation_kinds.is_gather(op_type) or op_type in operation_kinds.SLICES:
            read = min(read, 2 * written)
        if op_type.startswith(operation_kinds.VARIABLE_GATHERS):
            read += written
        if op_type.startswith(operation_kinds.VARIABLE_UPDATES):
            read, written = 2 * read, read
        is_timed = read + written >= _TIMED_BYTES
        seconds, arithmetic_s = (
            self._warm_cache_times.seconds(op_type, inputs, attrs, outputs) if is_timed else (0.0, 0.0)
        )
        tried_s = seconds if arithmetic_s and not operation_kinds.chooses(op_type) else 0.0
        add_inner_work(
            tally.inner_works, {op_type: InnerWork(1, read, written, seconds, arithmetic_s, tried_s=tried_s)}
        )

    def record_flops(self, tally: LineTally, op_type: str, inputs: Any, attrs: Any, outputs: Any) -> None:
        """Record the floating-point operations of a product that has run."""
        for dtype, flops in _flops(op_type, inputs, attrs, outputs):
            tally.flops[dtype] += flops

    def _record(
        self, tally: LineTally, name: str, seconds: float, inputs: tuple, outputs: list, updated: list[Piece]
    ) -> None:
        created = [(each, self._piece(each)) for each in outputs if size_of(each)]
        new = [piece for _, piece in created]
        read = [self._piece(each) for each in inputs if size_of(each)]
        if (operation_kinds.is_gather(name) or name in operation_kinds.SLICES) and read and new:
            read[0] = read[0]._replace(part=object(), size=min(read[0].size, new[0].size))
        if name.startswith(operation_kinds.VARIABLE_GATHERS) and new:
            read.append(new[0]._replace(memory=self._memory(inputs[0]), part=object()))
        if updated and not name.startswith("Assign") or name.startswith(("AssignAdd", "AssignSub")):
            read += updated
        for tensor, piece in created:
            self._ledger.record_new_memory(tally, piece, read, _is_alive(tensor))
        self._ledger.record_operation(tally, name, seconds, read, updated + new, len(inputs) + len(outputs))

    def _piece(self, tensor: Any) -> Piece:
        return Piece(self._memory(tensor), (), size_of(tensor), size_of(tensor))

    def _memory(self, tensor: Any) -> int:
        id_ = tensor_id(tensor)
        return self._original.get(id_, id_)


def _limit_added_flops(flops: Counter[str], before: Mapping[str, int], most: float) -> None:
    """Scale what was added to ``flops`` down to ``most``."""
    added = {dtype: number - before.get(dtype, 0) for dtype, number in flops.items()}
    share = min(1.0, most / (sum(added.values()) or 1.0))
    for dtype, number in added.items():
        flops[dtype] += round(share * number) - number


def _is_handle(tensor: Any) -> bool:
    return tensor.dtype.name == "resource"


def size_of(tensor: Any) -> int:
    """Return the bytes of an eager tensor's values; 0 for a handle, whose memory was counted at its creation."""
    if tensor.dtype.name == "string":
        return int(tensor.shape.num_elements()) * _LEAST_TEXT
    if not tensor.dtype.is_numpy_compatible or tensor.dtype.size is None:
        return 0
    return int(tensor.shape.num_elements()) * tensor.dtype.size


def _is_alive(tensor: Any) -> Callable[[], bool]:
    reference = weakref.ref(tensor)
    return lambda: reference() is not None


def _flops(op_type: str, inputs: Any, attrs: Any, outputs: Any) -> Iterator[tuple[str, int]]:
    options = dict(zip(attrs[::2], attrs[1::2]))
    if op_type in ("MatMul", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"):
        is_transposed = options.get("transpose_a") or options.get("adj_x")
        inner = inputs[0].shape[-2 if is_transposed else -1]
        yield outputs[0].dtype.name, 2 * int(outputs[0].shape.num_elements()) * int(inner)
    elif op_type == "Einsum" and len(inputs) == 2:
        sizes = dict(_labelled_sizes(_text(options["equation"]), inputs))
        result = _text(options["equation"]).rpartition("->")[2]
        contracted = math.prod(size for label, size in sizes.items() if label not in result)
        yield outputs[0].dtype.name, 2 * int(outputs[0].shape.num_elements()) * contracted
    elif op_type in ("Conv2D", "DepthwiseConv2dNative"):
        yield outputs[0].dtype.name, _convolution_flops(inputs[0], inputs[1], outputs[0], options)
    elif op_type == "Conv2DBackpropInput":
        yield outputs[0].dtype.name, _convolution_flops(outputs[0], inputs[1], inputs[2], options)
    elif op_type == "Conv2DBackpropFilter":
        yield outputs[0].dtype.name, _convolution_flops(inputs[0], outputs[0], inputs[2], options)


def _convolution_flops(images: Any, kernel: Any, result: Any, options: dict[str, Any]) -> int:
    """Return the flops of a convolution of ``images``, or of one of its gradients, which multiplies the same values."""
    first = 2 if _text(options.get("data_format") or "NHWC") == "NCHW" else 1
    axes, padding = slice(first, first + 2), _text(options["padding"])
    sizes, positions = images.shape[axes].as_list(), result.shape[axes].as_list()
    lengths, strides = kernel.shape[:2].as_list(), options["strides"][axes]
    dilations = (options.get("dilations") or [1] * 4)[axes]
    if padding == "EXPLICIT":
        paddings = options["explicit_paddings"][2 * first : 2 * first + 4 : 2]
    elif padding == "SAME":
        spans = (
            (position - 1) * stride + (length - 1) * dilation + 1 - size
            for position, stride, length, dilation, size in zip(positions, strides, lengths, dilations, sizes)
        )
        paddings = [max(span, 0) // 2 for span in spans]
    else:
        paddings = [0, 0]
    pairs = int(kernel.shape[2]) * int(kernel.shape[3])
    return convolution_flops(
        int(images.shape[0]), pairs, spatial_axes(positions, lengths, sizes, strides, paddings, dilations)
    )


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _labelled_sizes(equation: str, inputs: Any) -> Iterator[tuple[str, int]]:
    """Yield the labels of an equation such as ``"...ij,jk->...ik"`` and their sizes, without the dimensions of an
    ellipsis.
    """
    for labels, tensor in zip(equation.partition("->")[0].split(","), inputs):
        before, _, after = labels.partition("...")
        yield from zip(before, map(int, tensor.shape))
        yield from zip(reversed(after), map(int, reversed(tensor.shape.as_list())))
