"""In the child: records the operations of a call whose input values the child already has.

The child runs each operation on its own values without waiting. The parent receives a record of the operations, runs
all of them again, and uses none of the child's results. So a call takes one message instead of one per operation.
"""

from __future__ import annotations

from typing import Any

import torch

from course_utils.frameworks import devices, torch_internals
from course_utils.grading.channel import Json
from course_utils.grading.codec_primitives import Frame
from course_utils.grading.request_operations_from_parent import Operations
from course_utils.grading.torch_remote_tensors import Handle, HandleCodec
from course_utils.judging.fake_device import is_created_fake, map_tensors, tensors_of

_FIRST_IDENT = 1 << 20  # Results have larger numbers than arguments, which the parent numbers from 1.
_MOST_EVENTS = 200  # A longer record is sent in parts.


class ValuesCodec(HandleCodec):
    """The codec of handles that have values in this process as well."""

    def decode_own(self, kind: str, data: list, frame: Frame) -> Any:
        if kind != "h":
            return super().decode_own(kind, data, frame)
        *described, index = data
        handle = super().decode_own(kind, described, frame)
        shape, strides, offset = described[2:5]
        last = sum((size - 1) * stride for size, stride in zip(shape, strides)) if handle.numel() else -1
        handle.local = torch.zeros(offset + last + 1, dtype=handle.dtype).as_strided(shape, strides, offset)
        if handle.numel():
            values = torch.frombuffer(bytearray(frame.bytes_at(index)), dtype=handle.dtype)
            handle.local.copy_(values.reshape(shape))
        return handle

    def new_handle(self, ident: int, local: torch.Tensor, is_fake: bool) -> Handle:
        """Return a handle for the result of an operation."""
        layout = list(local.shape), list(local.stride()), local.storage_offset()
        device = torch.device(devices.FAKE if is_fake else "cpu")
        handle = torch_internals.make_wrapper(Handle, *layout, dtype=local.dtype, device=device)
        handle.ident, handle.released, handle.local = ident, self.released, local
        return handle


class RecordedOperations(Operations):
    """The record of one call's operations."""

    _codec: ValuesCodec
    _count = 0

    def operate(self, func: Any, args: tuple, kwargs: dict) -> Any:
        if func.namespace == "profiler":
            return super().operate(func, args, kwargs)
        request = self._request(func, args, kwargs)
        handles = [each for each in tensors_of(args, kwargs) if isinstance(each, Handle)]
        device = kwargs.get("device")
        is_fake = is_created_fake(any(each.device.type == devices.FAKE for each in handles), device)
        idents: list[int] = []
        record = ["run", *request, idents]
        self._events.append(record)
        with torch_internals.no_dispatch(), torch_internals.DisableTorchFunction():
            try:
                host = {"device": torch.device("cpu")} if device is not None else {}
                result = func(*map_tensors(args, _local), **map_tensors(kwargs, _local) | host)
            except Exception:
                record[-1] = None
                raise
            known = {id(each.local): each for each in handles}

            def place(tensor: torch.Tensor) -> Handle:
                placed = known.get(id(tensor))
                if placed is None:
                    self._count += 1
                    placed = self._codec.new_handle(_FIRST_IDENT + self._count, tensor, is_fake)
                idents.append(placed.ident)
                return placed

            placed = map_tensors(result, place)
            if torch.Tag.inplace_view in func.tags and isinstance(args[0], Handle):
                func(*args, **kwargs)  # the handle has a shape and strides of its own
        if len(self._events) > _MOST_EVENTS:
            self.send(self._events)
        return placed

    def send(self, events: list[Json]) -> None:
        """Send events without a list of freed handles, because the parent forgets all tensors when the call ends."""
        self._codec.released.clear()
        super().send(events)


def _local(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.local if isinstance(tensor, Handle) else tensor
