"""``TorchCodec``: torch's tensors, generators, modules and optimizers as JSON and raw bytes."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import torch

from course_utils.frameworks import torch_internals
from course_utils.frameworks.torch_state_snapshots import hook_count
from course_utils.grading.channel import Blob, Json
from course_utils.grading.codec_primitives import Frame, ValueInvalid
from course_utils.grading.torch_module_codec import UNUSUAL, TorchModuleCodec, store_tensor_hooks, unusual_kind

DTYPES = {
    str(dtype).partition(".")[2]: dtype
    for dtype in (
        torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128,
        torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.bool,
    )
}  # fmt: skip
_MOST_DIMENSIONS = 24
_OLD_BYTES = 1 << 16  # Memory of earlier calls is compared only if it is at most this large.
_LAYOUTS = {str(layout): layout for layout in (torch.strided, torch.sparse_coo)}
_MEMORY_FORMATS = (torch.contiguous_format, torch.preserve_format, torch.channels_last, torch.channels_last_3d)
_FORMATS = {str(each): each for each in _MEMORY_FORMATS}


def dtype_name(dtype: torch.dtype) -> str:
    """Return the name of a dtype without the framework's name."""
    return str(dtype).partition(".")[2]


class TorchCodec(TorchModuleCodec):
    """The codec of values that torch computes with.

    A tensor is ``["t", its name, its memory's name, dtype, shape, strides, offset, requires_grad, class, gradient, hooks,
    is_leaf]``.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._memories: dict[str, torch.UntypedStorage] = {}
        self._memory_names: dict[int, str] = {}
        self._contents: dict[str, bytes] = {}
        self._mentioned: dict[str, int] = {}

    def begin_call(self) -> None:
        super().begin_call()
        live = self._current - 4
        for name, storage in list(self._memories.items()):
            if self._mentioned[name] < live or storage.nbytes() > _OLD_BYTES:
                self._memory_names.pop(torch_internals.storage_id(storage), None)
                del self._memories[name], self._mentioned[name]
                self._contents.pop(name, None)
        for name in [name for name, value in self.objects.items() if isinstance(value, torch.Tensor)]:
            if not self._has_known_memory(self.objects[name]):
                del self._generation[name]
                self._names.pop(id(self.objects.pop(name)), None)

    def encode_memory(self, frame: Frame) -> Json:
        changed = []
        for name, storage in self._memories.items():
            contents = bytes_of(storage)
            if self._contents.get(name) != contents:
                self._contents[name] = contents
                changed.append([name, len(contents), frame.add(contents)])
        return changed

    def send_again(self, tensors: list[torch.Tensor]) -> None:
        """Let the next frame hold the memory of ``tensors`` even if it has not changed."""
        for tensor in tensors:
            self._contents.pop(self._memory_name(tensor), None)

    def decode_memory(self, data: Json, frame: Frame) -> None:
        for name, size, index in data:
            contents = frame.bytes_at(index)
            if len(contents) != size:
                raise ValueInvalid("a tensor's memory has another size")
            storage = self._memories.get(name)
            if storage is None:
                raw = torch.frombuffer(bytearray(contents), dtype=torch.uint8) if size else torch.empty(0)
                self._know_memory(name, raw.untyped_storage())
            else:
                if storage.nbytes() != size:
                    storage.resize_(size)
                _write(storage, contents)
            self._contents[name] = bytes(contents)

    def encode_own(self, value: Any, frame: Frame) -> Json | None:
        if isinstance(value, torch.Tensor):
            return self.encode_tensor(value, frame)
        if isinstance(value, torch.dtype):
            return ["T", dtype_name(value)]
        if isinstance(value, torch.device):
            return ["D", str(value)]
        if isinstance(value, torch.Size):
            return ["z", list(value)]
        if isinstance(value, torch.layout):
            return ["L", str(value)]
        if isinstance(value, torch.memory_format):
            return ["F", str(value)]
        if isinstance(value, torch.Generator):
            with torch_internals.no_dispatch(), torch_internals.DisableTorchFunction():  # no counter sees this
                return ["g", self.name_of(value), frame.add(value.get_state().numpy().tobytes())]
        if isinstance(value, torch.nn.Module):
            return self.encode_module(value, frame)
        if isinstance(value, torch.optim.Optimizer):
            return self.encode_optimizer(value, frame)
        if type(value).__module__ == "torch.return_types":
            return ["n", type(value).__name__, [self.encode(each, frame) for each in value]]
        return None

    def encode_tensor(self, value: torch.Tensor, frame: Frame) -> Json:
        """Return a tensor as JSON; its memory travels with the frame."""
        kind = unusual_kind(value)
        if kind:
            return ["w", kind]
        if value.device.type == "meta":
            return ["m", dtype_name(value.dtype), list(value.shape), list(value.stride())]
        name = self.name_of(value)
        plain = value.detach().resolve_conj().resolve_neg()
        class_name = "" if type(value) is torch.Tensor else type(value).__name__[:60]
        gradient = value.grad if value.is_leaf else None
        return [
            "t", name, self._memory_name(plain), dtype_name(plain.dtype), list(plain.shape), list(plain.stride()),
            plain.storage_offset(), value.requires_grad, class_name,
            None if gradient is None else self.encode_tensor(gradient, frame),
            *([hook_count(torch, value), value.is_leaf] if value.requires_grad else []),
        ]  # fmt: skip

    def decode_own(self, kind: str, data: list, frame: Frame) -> Any:
        match kind, data:
            case "t", _:
                return self.decode_tensor(data, frame)
            case "T", [name]:
                return DTYPES[name]
            case "D", [name]:
                return torch.device(name)
            case "z", [sizes]:
                return torch.Size(sizes)
            case "L", [name]:
                return _LAYOUTS[name]
            case "F", [name]:
                return _FORMATS[name]
            case "m", [name, shape, strides]:
                return torch.empty_strided(valid_sizes(shape), valid_sizes(strides), dtype=DTYPES[name], device="meta")
            case "w", [unusual]:
                return UNUSUAL[unusual]()
            case "n", [name, parts] if str(name).isidentifier():
                return getattr(torch.return_types, name)([self.decode(each, frame) for each in parts])
            case "g", [name, index]:
                generator = self.objects.get(name) or torch.Generator()
                generator.set_state(torch.frombuffer(bytearray(frame.bytes_at(index)), dtype=torch.uint8))
                self.know(name, generator)
                return generator
            case "M", _:
                return self.decode_module(data, frame)
            case "O", _:
                return self.decode_optimizer(data, frame)
        return super().decode_own(kind, data, frame)

    def decode_tensor(self, data: list, frame: Frame) -> torch.Tensor:
        """Return the tensor that the other end encoded: the known one, with its new layout, or a new one."""
        name, memory, dtype, shape, strides, offset, requires_grad, class_name, gradient, *hooks = data
        plain = self._view(memory, DTYPES[dtype], valid_sizes(shape), valid_sizes(strides), offset)
        known = self.objects.get(name)
        if isinstance(known, torch.Tensor):
            if self._layout(known) != self._layout(plain):
                known.data = plain
            if known.is_leaf and known.requires_grad != bool(requires_grad):
                known.requires_grad_(bool(requires_grad))
        else:
            known = _as_class(plain, str(class_name), bool(requires_grad), self.is_parent and not all(hooks[1:]))
            self.know(name, known)
        if gradient is not None or (known.is_leaf and known.grad is not None):
            known.grad = None if gradient is None else self.decode(gradient, frame)
        if self.is_parent and hooks and known.requires_grad:
            store_tensor_hooks(known, hooks[0])
        return known

    def _view(self, memory: Any, dtype: torch.dtype, shape: list, strides: list, offset: Any) -> torch.Tensor:
        storage = self._memories[memory]
        self._mentioned[memory] = self._current
        if type(offset) is not int or offset < 0 or len(shape) != len(strides):
            raise ValueInvalid("a tensor has no valid layout")
        last = offset + sum((size - 1) * stride for size, stride in zip(shape, strides))
        if math.prod(shape) and (last + 1) * dtype.itemsize > storage.nbytes():
            raise ValueInvalid("a tensor is larger than its memory")
        return torch.empty(0, dtype=dtype).set_(storage, offset, shape, strides)

    def _layout(self, tensor: torch.Tensor) -> tuple:
        storage = torch_internals.storage_id(tensor.untyped_storage())
        return storage, tensor.dtype, tensor.shape, tensor.stride(), tensor.storage_offset()

    def _has_known_memory(self, tensor: torch.Tensor) -> bool:
        if tensor.device.type == "meta" or unusual_kind(tensor):
            return True
        return torch_internals.storage_id(tensor.untyped_storage()) in self._memory_names

    def _memory_name(self, tensor: torch.Tensor) -> str:
        storage = tensor.untyped_storage()
        name = self._memory_names.get(torch_internals.storage_id(storage))
        if name is None:
            self._count += 1
            name = f"{self.letter}{self._count}"
            self._know_memory(name, storage)
        self._mentioned[name] = self._current
        return name

    def _know_memory(self, name: Any, storage: torch.UntypedStorage) -> None:
        if type(name) is not str:
            raise ValueInvalid("memory has no name")
        self._memories[name], self._mentioned[name] = storage, self._current
        self._memory_names[torch_internals.storage_id(storage)] = name


def _as_class(tensor: torch.Tensor, name: str, requires_grad: bool, is_result: bool) -> torch.Tensor:
    if name == "Parameter":
        return torch.nn.Parameter(tensor, requires_grad)
    if name:
        tensor = tensor.as_subclass(type(name, (torch.Tensor,), {}))
    leaf = tensor.requires_grad_(requires_grad)
    return leaf.view_as(leaf) if is_result else leaf  # a view has a graph, as the child's result has


def valid_sizes(values: Any) -> list[int]:
    """Return sizes or strides that the other end sent, after checking them."""
    if len(values) > _MOST_DIMENSIONS or any(type(each) is not int or not 0 <= each < 1 << 40 for each in values):
        raise ValueInvalid("a tensor has no valid shape")
    return list(values)


def bytes_of(storage: torch.UntypedStorage) -> bytes:
    """Return the contents of a tensor's memory."""
    if storage.device.type == "cpu":
        return ctypes.string_at(storage.data_ptr(), storage.nbytes())  # faster than wrapping the memory in a tensor
    return _raw(storage).numpy().tobytes()


def _write(storage: torch.UntypedStorage, contents: Blob) -> None:
    if len(contents):
        # For torch, this copy is a write to every tensor over this memory, as the write at the other end was.
        _raw(storage).copy_(torch.frombuffer(bytearray(contents), dtype=torch.uint8))


def _raw(storage: torch.UntypedStorage) -> torch.Tensor:
    return torch.empty(0, dtype=torch.uint8).set_(storage)
