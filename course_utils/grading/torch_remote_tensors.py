"""In the child: tensors without values, which are in the parent."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch

from course_utils.frameworks import torch_internals
from course_utils.grading.channel import Json
from course_utils.grading.codec_primitives import Frame, Uncountable
from course_utils.grading.torch_codec import TorchCodec, dtype_name


class Handle(torch.Tensor):
    """A tensor whose values are in the parent, under the number ``ident``; ``local`` has a copy if the child may know
    them."""

    ident: int
    released: list[int]
    local: torch.Tensor

    @staticmethod
    def __torch_dispatch__(*call: Any) -> Any:
        """Ask the parent even if no mode is active."""
        func, _, args, kwargs = call
        return active[-1].operate(func, args, kwargs or {})

    def __del__(self) -> None:
        self.released.append(self.ident)


active: list[Any] = []
"""The ``Operations`` of the calls that run, the last one last."""


class HandleCodec(TorchCodec):
    """The child's codec: a handle travels as its number, and a tensor of the child's own with its values."""

    def __init__(self, call: Callable[[str, tuple, dict], Any]) -> None:
        super().__init__("c", call)
        self.released: list[int] = []
        self._handles: weakref.WeakValueDictionary[int, Handle] = weakref.WeakValueDictionary()

    def encode_own(self, value: Any, frame: Frame) -> Json | None:
        if isinstance(value, torch.Generator):
            # torch passes on a generator as a new object, so look for the task's only generator.
            names = [name for name, known in self.objects.items() if isinstance(known, torch.Generator)]
            if not names:
                raise Uncountable("a generator of its own")
            return ["g", names[0]]
        return super().encode_own(value, frame)

    def encode_tensor(self, value: torch.Tensor, frame: Frame) -> Json:
        if isinstance(value, Handle):
            return ["h", value.ident]
        with torch_internals.no_dispatch(), torch_internals.DisableTorchFunction():
            plain = value.detach().contiguous().resolve_conj().resolve_neg()
            raw = plain.reshape(-1).view(torch.uint8).numpy().tobytes() if plain.numel() else b""
        return ["up", dtype_name(value.dtype), list(value.shape), frame.add(raw)]

    def decode_own(self, kind: str, data: list, frame: Frame) -> Any:
        if kind != "h":
            return super().decode_own(kind, data, frame)
        ident, dtype, shape, strides, offset, device, requires_grad, is_parameter = data
        handle = self._handles.get(ident)
        if handle is None:
            handle = torch_internals.make_wrapper(
                Handle, shape, strides, offset, dtype=self.decode(["T", dtype], frame), device=torch.device(device)
            )
            handle.ident, handle.released = ident, self.released
            # During a call, torch itself sets requires_grad on the results of operations.
            if requires_grad and not active:
                handle.requires_grad_()
            if is_parameter:
                handle._is_param = True
            self._handles[ident] = handle
        return handle
