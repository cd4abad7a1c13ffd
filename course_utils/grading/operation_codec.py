"""``OperationCodec``: in the parent, the values of a call whose operations this process runs."""

from __future__ import annotations

from typing import Any

import torch

from course_utils.frameworks import devices, torch_internals
from course_utils.grading.channel import Json
from course_utils.grading.codec_primitives import Frame, ValueInvalid
from course_utils.grading.torch_codec import DTYPES, TorchCodec, bytes_of, dtype_name, valid_sizes

_DEVICE = 6  # the position of a tensor's device in what ``encode_tensor`` returns


class OperationCodec(TorchCodec):
    """The parent's codec: tensors travel as their numbers, except those that a child creates outside of the operations."""

    def __init__(self) -> None:
        super().__init__("p")
        self.held: dict[int, torch.Tensor] = {}
        self._idents: dict[int, int] = {}
        self._next = 0

    def release(self, idents: Any) -> None:
        """Forget tensors that the child no longer holds."""
        for ident in idents:
            tensor = self.held.pop(ident, None)
            self._idents.pop(id(tensor), None)

    def hold(self, idents: list, tensors: list[torch.Tensor]) -> None:
        """Keep tensors under the numbers that the child gave them."""
        if len(idents) != len(tensors):
            raise ValueInvalid("it gives other numbers of tensors")
        for ident, tensor in zip(idents, tensors):
            if self.held.setdefault(int(ident), tensor) is not tensor:
                raise ValueInvalid("two tensors have one number")

    def forget(self) -> None:
        """Forget all tensors, because memory that is freed later would disturb the measurement of another call."""
        self.held.clear()
        self.objects.clear()

    def encode_tensor(self, value: torch.Tensor, frame: Frame) -> Json:
        ident = self._idents.get(id(value))
        if ident is None:
            self._next += 1
            ident = self._idents[id(value)] = self._next
            self.held[ident] = value
        layout = list(value.shape), list(value.stride()), value.storage_offset()
        is_parameter = isinstance(value, torch.nn.Parameter)
        return ["h", ident, dtype_name(value.dtype), *layout, str(value.device), value.requires_grad, is_parameter]

    def decode_own(self, kind: str, data: list, frame: Frame) -> Any:
        if kind == "h":
            return self.held[data[0]]
        if kind == "g":
            return self.objects[data[0]]
        if kind == "up":
            dtype, shape = DTYPES[data[0]], valid_sizes(data[1])
            raw = frame.bytes_at(data[2])
            with torch_internals.no_dispatch():
                flat = torch.frombuffer(bytearray(raw), dtype=dtype) if len(raw) else torch.empty(0, dtype=dtype)
                return flat.reshape(shape)
        if kind == "t":
            raise ValueInvalid("a tensor with memory of its own")
        return super().decode_own(kind, data, frame)


class FakeDeviceCodec(OperationCodec):
    """Tensors travel with their values, as tensors on the fake device."""

    def encode_tensor(self, value: torch.Tensor, frame: Frame) -> Json:
        data = super().encode_tensor(value, frame)
        data[_DEVICE] = devices.FAKE
        plain = value.detach().clone(memory_format=torch.contiguous_format)
        return [*data, frame.add(bytes_of(plain.untyped_storage()))]
