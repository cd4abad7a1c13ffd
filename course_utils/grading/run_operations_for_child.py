"""In the parent: runs the operations that a child asks for, on the real tensors, where the check's counters see them.

The call of a ``RemoteOperations`` behaves like a local function: counters, a fake device and a profiler that are active
around it see the operations, the reads of values and the names of torch's functions as in a local call.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import torch
from torch.overrides import handle_torch_function

from course_utils.counting import torch_syncs
from course_utils.frameworks import torch_internals
from course_utils.grading.channel import FrameError, Json
from course_utils.grading.codec_primitives import Frame, ValueInvalid
from course_utils.grading.operation_codec import OperationCodec
from course_utils.judging.fake_device import tensors_of

_NAMESPACES = ("aten", "prims")
# Operations on files, and operations that trust their arguments: a wrong index there reads the parent's memory.
_REFUSED = ("from_file", "set_", "set", "_resize_output_", "_index_put_impl_", "segment_reduce")
_REFUSED_PREFIXES = ("_test_", "_cudnn", "_nested", "_sparse", "_coalesce", "_validate", "_thnn", "_embedding_bag", "_pad_packed",
                     "_pack_padded", "_segment", "_unsafe_masked", "_values", "_indices")  # fmt: skip
_UNINITIALIZED = ("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "resize_", "empty_permuted")
_READS: dict[str, Callable[..., Any]] = {
    "tolist": lambda tensor: tensor.tolist(),
    "numpy": lambda tensor: tensor.numpy(),
    "__array__": lambda tensor: tensor.numpy(),
    "__repr__": repr,
    "__str__": str,
    "__format__": lambda tensor, form: format(tensor, str(form)),
}


class CallRaised(Exception):
    """The answer raised an error; ``data`` describes it."""

    def __init__(self, data: Json) -> None:
        super().__init__()
        self.data = data


class RemoteOperations:
    """One call of an answer whose tensors stay here.

    Args:
        send: sends a message with its bytes to the child.
        receive: waits for the child's next message.
    """

    def __init__(self, send: Callable[[Json, list], None], receive: Callable[[], tuple[Json, list]]) -> None:
        self._send, self._receive = send, receive
        self._codec = OperationCodec()
        self._events: deque[list] = deque()
        self._frame = Frame()
        self._free_reads = 0
        self._failed = False

    def call(self, arguments: tuple, record: tuple[Json, list] | None = None) -> Any:
        """Return the answer's result on ``arguments``, which it may change.

        Args:
            record: the child's first message, if it has run the operations itself.

        Raises:
            CallRaised: the answer raised an error.
            RuntimeError: an operation that the child has run cannot be run here.
            ValueInvalid: the child asks for something that is not an operation.
        """
        with torch_internals.DisableTorchFunction():  # torch's modes must count only the answer's own operations
            data, frame = self._codec.pack(arguments)
        self._codec.keeps_objects = False
        if record is None:
            self._send({"do": "operate", "arguments": data}, frame.blobs)
        else:
            self._take(*record)
        try:
            kind, data = self._serve()
            if self._failed:
                raise RuntimeError("An operation of the child cannot be run here.")
            if kind == "done":
                return self._codec.decode(data, self._frame)[0]
            raise CallRaised(data)
        finally:
            self._codec.forget()

    def _serve(self) -> list:
        """Answer requests until the call, or the innermost announced function, ends; return the event that ended it."""
        while True:
            event = self._next()
            kind = event[0] if isinstance(event, list) and event else None
            if kind == "end":
                return event
            if kind in ("done", "raised"):
                return event
            if kind == "begin":
                last = self._under_name(*event[1:])
                if last[0] != "end":
                    return last
            elif kind == "run":
                self._run_again(*event[1:])
            elif kind in ("op", "read", "callback"):
                answers: dict[str, Callable[..., Any]] = {
                    "op": self._operate,
                    "read": self._read,
                    "callback": self._call_back,
                }
                self._reply(answers[kind], event[1:])
            else:
                raise ValueInvalid("it asks for something that is not an operation")

    def _next(self) -> list:
        """Return the next event. After an operation of the child's record fails here, skip the rest of the record's
        operations.
        """
        while True:
            while not self._events:
                self._take(*self._receive())
            event = self._events.popleft()
            if not self._failed or event[0] in ("done", "raised"):
                return event
            if event[0] in ("op", "read", "callback"):
                self._send({"raised": ["RuntimeError", "An earlier operation failed."]}, [])

    def _take(self, message: Json, blobs: list) -> None:
        if not isinstance(message, dict):
            raise ValueInvalid("it asks for something that is not an operation")
        self._codec.release(message.get("released", ()))
        self._events.extend(message["events"])
        self._frame = Frame(list(blobs))

    def _under_name(self, name: Any, arguments: Json, named: Json) -> list:
        """Serve the operations inside a call of torch's Python interface, so that the parent's modes see that call."""
        shown = self._codec.decode(arguments, self._frame)
        keywords = {str(key): self._codec.decode(value, self._frame) for key, value in named}
        ended: list = ["end"]

        def shim(*args: Any, **kwargs: Any) -> None:
            if torch_internals.function_modes():
                return handle_torch_function(shim, (), *args, **kwargs)
            nonlocal ended
            ended = self._serve()
            return None

        shim.__name__ = str(name)
        before = self._free_reads
        # The counters count these reads by the function's arguments.
        self._free_reads += torch_syncs.count_values_in_lists(str(name), tuple(shown))
        shim(*shown, **keywords)
        self._free_reads = before
        return ended

    def _reply(self, answer: Callable[..., Any], request: list) -> None:
        try:
            value = answer(*request)
        except (FrameError, ValueInvalid, TimeoutError):
            raise
        except Exception as error:  # noqa: BLE001 - the child's code sees the error as if it had run the operation
            self._send({"raised": [type(error).__name__, str(error)[:2000]]}, [])
            return
        data, frame = self._codec.pack(value)
        self._send({"value": data}, frame.blobs)

    def _operate(self, name: Any, arguments: Json, named: Json, grad_enabled: Any) -> Any:
        func = _operation(name)
        args = [self._codec.decode(each, self._frame) for each in arguments]
        kwargs = {str(key): self._codec.decode(value, self._frame) for key, value in named}
        if func is torch.ops.aten._local_scalar_dense.default and self._free_reads and type(args[0]) is torch.Tensor:
            self._free_reads -= 1
            with torch_internals.no_dispatch():
                return func(*args)
        with nullcontext() if grad_enabled else torch.no_grad():
            result = func(*args, **kwargs)
        if func.overloadpacket.__name__ in _UNINITIALIZED:
            _clear(result)
        return result

    def _run_again(self, name: Any, arguments: Json, named: Json, grad_enabled: Any, idents: Any) -> None:
        """Run an operation that the child has run; ``idents``: its numbers for the results, None if it raised an error."""
        try:
            with torch_internals.DisableTorchFunction():
                result = self._operate(name, arguments, named, grad_enabled)
                if idents is not None:
                    self._codec.hold(idents, tensors_of(result))
        except FrameError:
            raise
        except Exception:  # noqa: BLE001 - the child did not wait for this; the rest of its record is read, and skipped
            self._failed = idents is not None

    def _read(self, name: Any, tensor: Json, arguments: Json) -> Any:
        if name not in _READS:
            raise ValueInvalid("it reads a tensor in an unknown way")
        return _READS[name](self._codec.decode(tensor, self._frame), *self._codec.decode(arguments, self._frame))

    def _call_back(self, name: Any, arguments: Json, named: Json) -> Any:
        args, kwargs = (self._codec.decode(each, self._frame) for each in (arguments, named))
        return self._codec.function_of(name)(*args, **kwargs)


def _operation(name: Any) -> Any:
    """Return the operation of a name such as ``"aten.add.Tensor"``, if a child may ask for it."""
    namespace, _, rest = str(name).partition(".")
    packet, _, overload = rest.partition(".")
    if namespace not in _NAMESPACES or packet in _REFUSED or packet.startswith(_REFUSED_PREFIXES):
        raise RuntimeError(f"The operation {str(name)[:60]} cannot be counted outside of its process.")
    func = getattr(getattr(getattr(torch.ops, namespace), packet), overload)
    if not isinstance(func, torch_internals.OpOverload):
        raise ValueInvalid("it asks for something that is not an operation")
    return func


def _clear(tensor: Any) -> None:
    """Write zeros into memory that may hold the parent's old values."""
    if type(tensor) is torch.Tensor and tensor.device.type == "cpu":
        with torch_internals.no_dispatch(), torch_internals.DisableTorchFunctionSubclass(), torch.no_grad():
            torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage()).zero_()
