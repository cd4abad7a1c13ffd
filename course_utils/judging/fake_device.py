"""A fake device: its tensors report torch's ``meta`` device and hold their values on the host.

Every machine has that device. A tensor created with the inputs' device is fake as well; one created without a device
stays on the host. With real ``meta`` tensors, and in torch's ``FakeTensorMode``, an answer that reads values would stop
at the first ``.item()``, and a fake ``cuda`` device ends the whole process at the first gradient. The tests compare the
rules for mixing tensors with the rules of ``FakeTensorMode``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils.weak import WeakTensorKeyDictionary

from course_utils.counting.operation_kinds import FROM_HOST
from course_utils.frameworks import devices, tensor_trees, torch_internals
from course_utils.judging.torch_reversed_ties import sort_with_reversed_ties
from course_utils.judging.torch_reversed_writes import reverse_writes

_FAKE, _HOST = torch.device(devices.FAKE), torch.device("cpu")
# A fake tensor has no memory, so an answer that reads address 0 through ctypes would end the process.
_OF_MEMORY = torch.Tensor.data_ptr, torch.Tensor.untyped_storage, torch.Tensor.storage
_INDEXING = torch.Tensor.__getitem__, torch.Tensor.__setitem__


def follow(tracker: DeviceTracker, function: Callable[..., Any], inputs: tuple) -> Any:
    """Return the result for fake inputs; None if torch cannot follow the call to its end."""
    try:
        with tracker, _FactoryRecorder(tracker):
            return function(*tensor_trees.to_device(inputs, devices.FAKE))
    except Exception:  # noqa: BLE001 - the same inputs gave a right result before, so only the fake device fails
        return None


class FakeDeviceTensor(torch.Tensor):
    """A tensor that reports another device; ``held`` has its values on the host."""

    held: torch.Tensor

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        """Change nothing: the tracker sees torch's functions as the operations that they run."""
        with torch_internals.DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))

    @staticmethod
    def __torch_dispatch__(*call: Any, **named: Any) -> Any:
        """Stay fake if no tracker is active, as in another thread."""
        return DeviceTracker().__torch_dispatch__(*call, **named)


def _fake(held: torch.Tensor) -> FakeDeviceTensor:
    layout = held.shape, held.stride(), held.storage_offset()
    fake = torch_internals.make_wrapper(FakeDeviceTensor, *layout, dtype=held.dtype, device=_FAKE)
    fake.held = held
    return fake


def map_tensors(tree: Any, change: Callable[[torch.Tensor], Any]) -> Any:
    """Return ``tree`` with changed tensors; torch's own tree_map is several times as slow, too slow to run in each
    operation."""
    if isinstance(tree, torch.Tensor):
        return change(tree)
    if type(tree) is list or type(tree) is tuple:
        return type(tree)([map_tensors(branch, change) for branch in tree])
    if type(tree) is dict:
        return {name: map_tensors(branch, change) for name, branch in tree.items()}
    return tree


def tensors_of(*trees: Any) -> list[torch.Tensor]:
    """Return the tensors of arguments or results."""
    tensors: list[torch.Tensor] = []
    map_tensors(trees, tensors.append)
    return tensors


def held_values(tree: Any) -> Any:
    """Return ``tree`` with the values on the host instead of fake tensors."""
    return map_tensors(tree, lambda tensor: tensor.held if isinstance(tensor, FakeDeviceTensor) else tensor)


@dataclass(frozen=True)
class Factory:
    """A function of torch that created a tensor; ``reads``: whether it read other tensors' values for it."""

    name: str
    reads: bool = False


def index_with_values(index: Any) -> Any:
    """Return ``index`` with its lists and arrays as tensors on the host, because torch would create them on the fake
    device, without values.
    """
    if isinstance(index, tuple) or (isinstance(index, list) and any(isinstance(each, list) for each in index)):
        return type(index)(map(_list_as_tensor, index))  # torch treats such a list as a tuple
    return _list_as_tensor(index)


def _list_as_tensor(part: Any) -> Any:
    if not isinstance(part, (list, np.ndarray)) or tensors_of(part):
        return part
    is_mask = np.asarray(part).dtype.name in ("bool", "uint8")  # torch converts any other index to int64
    return torch.tensor(part, dtype=None if is_mask else torch.int64)


class DeviceTracker(torch_internals.LeavesCompilerUnloaded, torch_internals.TorchDispatchMode):
    """Runs each operation on the host and makes its result fake if it would be on the device.

    Attributes:
        stray: the first tensor on the host that meets a fake one in an operation that an accelerator refuses.
        host_copies: how many copies of fake tensors to the host ran.
        reversed_writes: whether an operation wrote values to positions in the reverse order.
        reversed_ties: whether an operation sorted equal values in the reverse order.
        numpy_reads: whether the call asked for a NumPy array of a fake tensor, which only a tensor on the host has.
        list_reads: whether the call asked for several values of a fake tensor as a list.
        factories: tensor on the host → the function that created it, or created the tensor that it was computed from.
        running: the function that is creating a tensor; None if there is none.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stray: torch.Tensor | None = None
        self.host_copies = 0
        self.reversed_writes = False
        self.reversed_ties = False
        self.numpy_reads = False
        self.list_reads = False
        self.factories: WeakTensorKeyDictionary = WeakTensorKeyDictionary()
        self.running: Factory | None = None

    def record_stray(self, refused: Iterable[torch.Tensor]) -> None:
        """Store the first tensor that an accelerator would refuse in an operation with a fake one."""
        if self.stray is None:
            self.stray = next(iter(refused), None)

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        kwargs = kwargs or {}
        given = tensors_of(args, kwargs)
        fake = [tensor for tensor in given if isinstance(tensor, FakeDeviceTensor)]
        real = [tensor for tensor in given if not isinstance(tensor, FakeDeviceTensor)]
        if fake and real:
            self.record_stray(_refused_tensors(func, args, kwargs))
        device = kwargs.get("device")
        becomes_fake = is_created_fake(bool(fake), device)
        to_host = func.overloadpacket is torch.ops.aten.copy_ and bool(real) and args[0] is real[0]
        self.host_copies += bool(fake) and (not becomes_fake or to_host)
        host = {"device": _HOST} if device is not None else {}
        held = held_values(args)
        in_reverse, ordered = reverse_writes(func, held), sort_with_reversed_ties(func, held, kwargs)
        self.reversed_writes |= in_reverse is not None
        self.reversed_ties |= ordered is not None
        result = ordered or func(*(in_reverse or held), **held_values(kwargs) | host)
        if fake and torch.Tag.inplace_view in func.tags:
            with torch_internals.no_dispatch():  # The fake tensor's own shape and strides change, too.
                func(*args, **kwargs)
        known = {id(tensor.held): tensor for tensor in fake} | {id(tensor): tensor for tensor in real}
        factory = next(
            (self.factories[tensor] for tensor in real if tensor in self.factories), None if fake else self.running
        )

        def place(tensor: torch.Tensor) -> torch.Tensor:
            placed = known[id(tensor)] if id(tensor) in known else _fake(tensor) if becomes_fake else tensor
            if factory is not None and not isinstance(placed, FakeDeviceTensor):
                self.factories[placed] = factory
            return placed

        return map_tensors(result, place)


def is_created_fake(has_fake: bool, device: torch.device | None) -> bool:
    """Return whether an operation's result is on the fake device.

    Args:
        has_fake: whether a fake tensor is among its arguments.
        device: the device that it names; None if it names none.
    """
    return has_fake if device is None else device.type == _FAKE.type


def _refused_tensors(func: Any, args: tuple, kwargs: dict) -> Iterator[torch.Tensor]:
    """Yield the tensors on the host that may not meet a fake one in ``func``."""
    if func.overloadpacket is torch.ops.aten.copy_:
        return  # it copies between devices
    for position, argument in enumerate(torch_internals.operation_arguments(func)):
        kind = str(argument.type)
        if kind == "List[Optional[Tensor]]":
            continue  # indices may be on the host
        written = argument.alias_info is not None and argument.alias_info.is_write
        value = args[position] if position < len(args) else kwargs.get(argument.name)
        for tensor in tensors_of(value):
            # A single number may be on the host, but nothing is written there and nothing concatenated with it.
            if not isinstance(tensor, FakeDeviceTensor) and (tensor.dim() or written or kind == "List[Tensor]"):
                yield tensor


class _FactoryRecorder(TorchFunctionMode):
    """Sets the tracker's ``running`` function, and performs steps that torch would hide from the tracker."""

    def __init__(self, tracker: DeviceTracker) -> None:
        super().__init__()
        self.tracker = tracker

    def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        kwargs = kwargs or {}
        # The tracker calls an operation; ``model.to(device=…)`` has its arguments parsed before it copies.
        if isinstance(func, torch_internals.OpOverload) or func is torch_internals.parse_to:
            return func(*args, **kwargs)
        if func in _OF_MEMORY:
            return func(*held_values(args), **kwargs)
        if func is torch.Tensor.numpy and kwargs.get("force"):
            self.tracker.host_copies += 1
            return func(*held_values(args), **kwargs)
        if func is torch.Tensor.tolist and isinstance(args[0], FakeDeviceTensor):
            self.tracker.list_reads |= args[0].numel() > 1
        if func in _INDEXING:
            args = (args[0], index_with_values(args[1]), *args[2:])
        device = kwargs.get("device")
        of_tensor = bool(args) and isinstance(args[0], torch.Tensor)
        if func is torch.Tensor.new_tensor and device is None:
            device = args[0].device
        given = tensors_of(args, kwargs)
        if device is not None and torch.device(device) == _FAKE and (not of_tensor or func is torch.Tensor.new_tensor):
            created = func(*held_values(args), **held_values(kwargs) | {"device": _HOST})
            return torch_internals.tree_map_only(torch.Tensor, _fake, created)
        reads = bool(given) and not of_tensor and func.__name__ in FROM_HOST
        is_factory = device is None and (reads or not given)
        self.tracker.running = Factory(func.__name__, reads) if is_factory else None
        try:
            return func(*args, **kwargs)
        except RuntimeError:
            if not any(isinstance(tensor, FakeDeviceTensor) for tensor in given):
                raise
            # The function reads values, as `torch.tensor([x[0], x[1]])` does, or refuses to mix host and device.
            self.tracker.running = None if of_tensor or device is not None else Factory(func.__name__, reads=True)
            created = func(*held_values(args), **held_values(kwargs))
            if isinstance(created, np.ndarray):
                self.tracker.numpy_reads = True
                raise  # NumPy cannot read an accelerator's tensors
            self.tracker.record_stray(
                tensor for tensor in given if tensor.dim() and not isinstance(tensor, FakeDeviceTensor)
            )
            return torch_internals.tree_map_only(torch.Tensor, _fake, created) if of_tensor else created
        finally:
            self.tracker.running = None
