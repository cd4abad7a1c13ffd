"""In the child: each operation on a handle, a tensor whose values are in the parent, is a request that the parent runs.

The parent counts the operations. A child cannot misreport what it does not run, and must ask the parent for every value. Calls of torch's
Python functions are announced as well, with ``begin`` and ``end``, so that the parent's counters name the cause of a
synchronization as they do for a local call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from course_utils.counting.operation_kinds import FROM_HOST
from course_utils.counting.torch_syncs import READ_VALUE
from course_utils.frameworks import devices, torch_internals
from course_utils.grading.channel import Channel, Json
from course_utils.grading.codec_primitives import Frame, Uncountable, make_error
from course_utils.grading.torch_remote_tensors import Handle, HandleCodec, active
from course_utils.judging.fake_device import index_with_values

_READS = ("tolist", "numpy", "__array__", "__repr__", "__str__")
# Functions that open a tensor's memory, which a handle does not have.
_CLOSED = (
    "data_ptr", "untyped_storage", "storage", "_typed_storage", "__dlpack__", "apply_", "map_", "map2_", "share_memory_",
)  # fmt: skip
_REPORTED = ("to", "cuda", "cpu", "one_hot")
_INDEXING = ("__getitem__", "__setitem__")


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
        self._thread, self._has_other_threads = threading.get_ident(), False
        self.later: list[tuple[Json, list]] = []  # requests that came during this call

    def call(self, function: Callable[..., Any], arguments: tuple) -> Any:
        """Return the function's result on handles.

        Raises:
            Uncountable: it computes in another thread, whose requests would mix with this thread's.
        """
        with ExitStack() as stack:
            active.append(self)
            stack.callback(active.pop)
            stack.enter_context(_HandleMode(self))
            stack.enter_context(_CallReporter(self))
            try:
                return function(*arguments)
            finally:
                if self._has_other_threads:
                    raise Uncountable("another thread")

    def begin(self, name: str, arguments: tuple, named: dict) -> None:
        """Announce a call of torch's Python interface."""
        self._events.append(
            ["begin", name, self._codec.encode(list(arguments), self._frame), *self._encode_named(named)]
        )

    def end(self) -> None:
        """Announce that the innermost announced call has returned."""
        self._events.append(["end"])

    def operate(self, func: Any, args: tuple, kwargs: dict) -> Any:
        """Return the result of one operation, which the parent runs."""
        if threading.get_ident() != self._thread:
            self._has_other_threads = True
            raise Uncountable("another thread")
        if func.namespace == "profiler":  # a profiler's mark of a function, which has no tensor
            with torch_internals.no_dispatch():
                return func(*args, **kwargs)
        result = self.ask(["op", *self._request(func, args, kwargs)])
        if torch.Tag.inplace_view in func.tags and isinstance(args[0], Handle):
            with torch_internals.no_dispatch():  # The handle's own shape and strides change, too.
                func(*args, **kwargs)
            return args[0]
        return result

    def _request(self, func: Any, args: tuple, kwargs: dict) -> list[Json]:
        """Return an operation, its arguments, and whether gradients are enabled."""
        codec, frame = self._codec, self._frame
        named = {name: value for name, value in kwargs.items() if value is not None and name != "pin_memory"}
        return [
            str(func),
            [codec.encode(each, frame) for each in args],
            *self._encode_named(named),
            torch.is_grad_enabled(),
        ]

    def read(self, name: str, tensor: torch.Tensor, arguments: tuple) -> Any:
        """Return a tensor's values as Python or NumPy sees them."""
        codec, frame = self._codec, self._frame
        value = self.ask(["read", name, codec.encode(tensor, frame), codec.encode(list(arguments), frame)])
        if name in ("numpy", "__array__"):
            value.flags.writeable = False  # a write would not reach the tensor
        return value

    def call_back(self, name: str, args: tuple, kwargs: dict) -> Any:
        """Have the parent call one of its own functions, and return the result."""
        codec, frame = self._codec, self._frame
        return self.ask(["callback", name, codec.encode(args, frame), codec.encode(kwargs, frame)])

    def ask(self, request: Json) -> Any:
        """Return the parent's answer to a request, after sending all earlier events."""
        self.send([*self._events, request])
        reply, blobs = self._channel.receive()
        while "do" in reply:  # a call that the parent has sent ahead
            self.later.append((reply, blobs))
            reply, blobs = self._channel.receive()
        if "raised" in reply:
            raise make_error(*reply["raised"])
        return self._codec.unpack(reply["value"], blobs)

    def send(self, events: list[Json]) -> None:
        """Send events, and the numbers of the handles that were freed."""
        released = self._codec.released[:]
        del self._codec.released[: len(released)]
        self._channel.send({"events": events, "released": released}, self._frame.blobs)
        self._events, self._frame = [], Frame()

    def finish(self, kind: str, value: Any) -> None:
        """Send the end of the call: its result and its arguments, or what it raised."""
        self._codec.keeps_objects = True
        data = self._codec.encode(value, self._frame) if kind == "done" else value
        self.send([*self._events, [kind, data]])

    def _encode_named(self, values: dict) -> list[Json]:
        return [[[name, self._codec.encode(value, self._frame)] for name, value in values.items()]]


class _HandleMode(torch_internals.LeavesCompilerUnloaded, torch_internals.TorchDispatchMode):
    """Sends operations without a handle among their arguments to the parent as well, such as ``torch.empty``."""

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
        self._operations.begin(name, *_inspected_arguments(name, args, kwargs))
        try:
            if args and isinstance(args[0], Handle):
                if name in (*_READS, "__format__"):
                    return self._operations.read(name, args[0], args[1:] if name == "__format__" else ())
                if name in ("__float__", "__int__") and args[0].numel() == 1:
                    # The dispatcher does not see what torch.Tensor([x]) reads.
                    return {"__float__": float, "__int__": int}[name](self._operations.operate(READ_VALUE, args, {}))
                if name == "new_tensor":  # torch would create the tensor without an operation
                    return _create(torch.tensor, args[1:], {"dtype": args[0].dtype, "device": args[0].device} | kwargs)
            if name in _INDEXING:  # torch would read the memory of the handles in a list
                parts = [_read_handles(each) if isinstance(each, list) else each for each in _parts(args[1])]
                index = tuple(parts) if isinstance(args[1], tuple) else parts[0]
                if args[0].device.type == devices.FAKE:
                    index = index_with_values(index)
                args = (args[0], index, *args[2:])
            return _create(func, args, kwargs) if name in FROM_HOST else func(*args, **kwargs)
        finally:
            self._operations.end()


def _create(func: Callable[..., Any], args: tuple, kwargs: dict) -> Any:
    """Return a tensor of Python values, after reading the values that are handles.

    On the fake device, torch would create it without an operation and without values.
    """
    device = torch.device(kwargs.get("device") or "cpu")
    if isinstance((*args, None)[0], torch.Tensor):
        return func(*args, **kwargs)
    args = tuple(map(_read_handles, args))
    if device.type != devices.FAKE:
        return func(*args, **kwargs)
    return func(*args, **kwargs | {"device": "cpu"}).to(device)


def _read_handles(values: Any) -> Any:
    """Return ``values`` with a Python number in place of each handle, because torch would read the handle's memory."""
    if isinstance(values, Handle):
        return [_read_handles(each) for each in values] if values.dim() else values.item()
    return type(values)(map(_read_handles, values)) if type(values) in (list, tuple) else values


def _inspected_arguments(name: str, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """Return the part of a call's arguments that the parent's counters inspect."""
    device = {"device": kwargs["device"]} if kwargs.get("device") is not None else {}
    if name in FROM_HOST:
        data = args[0] if args else kwargs.get("data")
        return ((data if isinstance(data, torch.Tensor) else _handles(data)),), device
    if name in _INDEXING:
        tensors = [each for each in (args[0], *_parts(args[1])) if isinstance(each, torch.Tensor)]
        if any(map(torch_internals.is_functorch_tensor, tensors)):  # Tensors of vmap and grad have no memory to encode.
            return (), {}
        index = tuple(each if isinstance(each, torch.Tensor) else _handles(each) for each in _parts(args[1]))
        return (args[0], index, *(each if isinstance(each, torch.Tensor) else None for each in args[2:])), {}
    if name == "new_tensor":
        return (args[0], _handles(args[1:])), {}
    if name in _REPORTED:
        named = {key: value for key, value in kwargs.items() if key in ("device", "other", "num_classes")}
        return tuple(
            each for each in args if isinstance(each, (torch.Tensor, torch.device, torch.dtype, str, int))
        ), named
    if name == "__format__" or name in _READS:
        return args[:1], {}
    return (), {}


def _parts(index: Any) -> tuple:
    return index if isinstance(index, tuple) else (index,)


def _handles(tree: Any) -> list[torch.Tensor]:
    if isinstance(tree, torch.Tensor):
        return [tree]
    return [each for part in tree for each in _handles(part)] if isinstance(tree, (list, tuple)) else []
