"""In the child: tensors without values. Each operation on them is a request that the parent runs, and counts.

A child cannot misreport what it never does: whoever wants a value has to ask for it. Calls of torch's Python functions are
announced as well, with ``begin`` and ``end``, so that the parent's counters name the cause of a synchronization as they do
for a local call.
"""

from __future__ import annotations

import builtins
import weakref
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from course_utils.frameworks import torch_internals
from course_utils.grading.frames import Channel, Json
from course_utils.grading.torch_values import TorchCodec, dtype_name
from course_utils.grading.value_parts import Frame

_READS = ("tolist", "numpy", "__array__", "__repr__", "__str__")
_CLOSED = (
    "data_ptr", "untyped_storage", "storage", "_typed_storage", "__dlpack__", "apply_", "map_", "map2_", "share_memory_",
)  # fmt: skip
_FROM_HOST = ("tensor", "as_tensor", "asarray")
_REPORTED = ("to", "cuda", "cpu", "one_hot")


class Uncountable(Exception):
    """The call needs a tensor's memory in this process, so its operations cannot be counted by the parent."""


class Handle(torch.Tensor):
    """A tensor whose values are in the parent, under the number ``ident``."""

    ident: int
    released: list[int]

    @staticmethod
    def __torch_dispatch__(*call: Any) -> Any:
        """Ask the parent, also if no mode is active, as in another thread."""
        func, _, args, kwargs = call
        return _active[-1].operate(func, args, kwargs or {})

    def __del__(self) -> None:
        self.released.append(self.ident)


_active: list[Operations] = []


class HandleCodec(TorchCodec):
    """The child's codec: a handle is its number, a tensor of the child's own travels with its values."""

    def __init__(self, call: Callable[[str, tuple, dict], Any]) -> None:
        super().__init__("c", call)
        self.released: list[int] = []
        self._handles: weakref.WeakValueDictionary[int, Handle] = weakref.WeakValueDictionary()

    def encode_own(self, value: Any, frame: Frame) -> Json | None:
        if isinstance(value, torch.Generator):
            # torch passes a generator on as another object; a task has one at most.
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
            if requires_grad and not _active:  # an argument; torch itself decides about the results of operations
                handle.requires_grad_()
            if is_parameter:
                handle._is_param = True
            self._handles[ident] = handle
        return handle


class Operations:
    """The requests of one call to the parent.

    Args:
        channel: the connection to the parent.
        codec: converts what travels.
    """

    def __init__(self, channel: Channel, codec: HandleCodec) -> None:
        self._channel, self._codec = channel, codec
        self._events: list[Json] = []
        self._frame = Frame()

    def call(self, function: Callable[..., Any], arguments: tuple) -> Any:
        """The function's result on handles."""
        with ExitStack() as stack:
            _active.append(self)
            stack.callback(_active.pop)
            stack.enter_context(_HandleMode(self))
            stack.enter_context(_CallReporter(self))
            return function(*arguments)

    def begin(self, name: str, arguments: tuple, named: dict) -> None:
        """Announce a call of torch's Python interface."""
        self._events.append(["begin", name, self._codec.encode(list(arguments), self._frame), *self._named(named)])

    def end(self) -> None:
        """Announce that the call which began last has returned."""
        self._events.append(["end"])

    def operate(self, func: Any, args: tuple, kwargs: dict) -> Any:
        """The result of one operation, which the parent runs."""
        if func.namespace == "profiler":  # the mark of a function for a profiler, without any tensor
            with torch_internals.no_dispatch():
                return func(*args, **kwargs)
        codec, frame = self._codec, self._frame
        named = {name: value for name, value in kwargs.items() if value is not None and name != "pin_memory"}
        request = ["op", str(func), [codec.encode(each, frame) for each in args], *self._named(named)]
        result = self.ask([*request, torch.is_grad_enabled()])
        if torch.Tag.inplace_view in func.tags and isinstance(args[0], Handle):
            with torch_internals.no_dispatch():  # the handle has a shape and strides of its own
                func(*args, **kwargs)
            return args[0]
        return result

    def read(self, name: str, tensor: torch.Tensor, arguments: tuple) -> Any:
        """A tensor's values as Python or NumPy sees them."""
        codec, frame = self._codec, self._frame
        value = self.ask(["read", name, codec.encode(tensor, frame), codec.encode(list(arguments), frame)])
        if name in ("numpy", "__array__"):
            value.flags.writeable = False  # a write would not reach the tensor
        return value

    def call_back(self, name: str, args: tuple, kwargs: dict) -> Any:
        """The result of one of the parent's own functions, which it calls."""
        codec, frame = self._codec, self._frame
        return self.ask(["callback", name, codec.encode(args, frame), codec.encode(kwargs, frame)])

    def ask(self, request: Json) -> Any:
        """The parent's answer to a request, after all that happened before it."""
        self.send([*self._events, request])
        reply, blobs = self._channel.receive()
        if "raised" in reply:
            kind = getattr(builtins, reply["raised"][0], RuntimeError)
            raise kind(reply["raised"][1])
        return self._codec.unpack(reply["value"], blobs)

    def send(self, events: list[Json]) -> None:
        """Send events with the numbers of the handles that are gone."""
        released = self._codec.released[:]
        del self._codec.released[: len(released)]
        self._channel.send({"events": events, "released": released}, self._frame.blobs)
        self._events, self._frame = [], Frame()

    def finish(self, kind: str, value: Any) -> None:
        """Send the end of the call: its result and its arguments, or what it raised."""
        self._codec.keeps_objects = True
        data = self._codec.encode(value, self._frame) if kind == "done" else value
        self.send([*self._events, [kind, data]])

    def _named(self, values: dict) -> list[Json]:
        return [[[name, self._codec.encode(value, self._frame)] for name, value in values.items()]]


class _HandleMode(torch_internals.LeavesCompilerUnloaded, torch_internals.TorchDispatchMode):
    """Sends what has no handle among its arguments to the parent as well, such as ``torch.empty``."""

    def __init__(self, operations: Operations) -> None:
        super().__init__()
        self._operations = operations

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        return self._operations.operate(func, args, kwargs or {})


class _CallReporter(TorchFunctionMode):
    """Announces calls of torch's Python interface, and reads values through the parent."""

    def __init__(self, operations: Operations) -> None:
        super().__init__()
        self._operations = operations

    def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name == "__get__":  # an attribute, such as a shape
            return func(*args, **kwargs)
        if name in _CLOSED:
            raise Uncountable(name)
        self._operations.begin(name, *_shown(name, args, kwargs))
        try:
            if args and isinstance(args[0], Handle):
                if name in (*_READS, "__format__"):
                    return self._operations.read(name, args[0], args[1:] if name == "__format__" else ())
                if name == "new_tensor":  # torch would create it without an operation
                    return _create(torch.tensor, args[1:], {"dtype": args[0].dtype, "device": args[0].device} | kwargs)
            return _create(func, args, kwargs) if name in _FROM_HOST else func(*args, **kwargs)
        finally:
            self._operations.end()


def _create(func: Callable[..., Any], args: tuple, kwargs: dict) -> Any:
    """A tensor from values in Python. On the device ``meta`` torch would create it without an operation and without values."""
    device = torch.device(kwargs.get("device") or "cpu")
    if device.type != "meta" or isinstance((*args, None)[0], torch.Tensor):
        return func(*args, **kwargs)
    return func(*args, **kwargs | {"device": "cpu"}).to(device)


def _shown(name: str, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """What the parent's counters look at in the arguments of a call."""
    device = {"device": kwargs["device"]} if kwargs.get("device") is not None else {}
    if name in _FROM_HOST:
        data = args[0] if args else kwargs.get("data")
        return ((data if isinstance(data, torch.Tensor) else _handles(data)),), device
    if name == "__setitem__":
        index = args[1] if isinstance(args[1], (tuple, list)) else [args[1]]
        return (args[0], _handles(index), args[2] if isinstance(args[2], torch.Tensor) else None), {}
    if name in _REPORTED:
        named = {key: value for key, value in kwargs.items() if key in ("device", "other", "num_classes")}
        return tuple(
            each for each in args if isinstance(each, (torch.Tensor, torch.device, torch.dtype, str, int))
        ), named
    if name == "__format__" or name in _READS:
        return args[:1], {}
    return (), {}


def _handles(tree: Any) -> list[torch.Tensor]:
    if isinstance(tree, torch.Tensor):
        return [tree]
    return [each for part in tree for each in _handles(part)] if isinstance(tree, (list, tuple)) else []
