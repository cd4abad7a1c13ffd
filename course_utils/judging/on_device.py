"""Tells, on a machine without an accelerator, whether an answer would break on one: it pretends to be one.

The answer is called once with inputs that say they lie on torch's ``meta`` device, which every machine has, and that keep
their values on the host all the same. What is made with the inputs' device lies with them, what is made without one stays on
the host, and each operation that an accelerator would refuse, because tensors of both places meet in it, is noted. On
``meta`` itself, and in torch's ``FakeTensorMode``, an answer that reads values would stop at the first ``.item()``, and a
pretended ``cuda`` ends the whole process at the first gradient. The rules of what may meet are held against that mode's.

It does not see two tensors meet in another thread, nor anything after a ``.numpy()``, which an accelerator's tensor does not
have, or after an error that only the pretence raises; and a single number from the host passes in each operation that takes
one tensor beside another, though a few of them refuse it on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils.weak import WeakTensorKeyDictionary

from course_utils.frameworks import tensor_trees, torch_internals
from course_utils.judging.answer import Answer
from course_utils.judging.judged_output import judged_function
from course_utils.judging.verdict import TaskFailed
from course_utils.tasks import Task

_AWAY, _HOST = torch.device("meta"), torch.device("cpu")


def check_device(task: Task, answer: Answer, inputs: tuple) -> None:
    """Follow the tensors of one call.

    Raises:
        TaskFailed: when the result, or a tensor that meets the inputs, lies on the host while the inputs do not.
    """
    if any(isinstance(value, torch.Generator) for value in inputs) or not tensor_trees.tensors(inputs):
        return  # a generator is bound to one device, and so is what it draws
    places = _Places()

    def followed(function: Callable[..., Any], *used: Any) -> Any:
        return _followed(places, function, used)

    result, _ = answer(inputs, f"a random input of size {task.sizes[-1]}", followed)
    stray = next(_on_host(result), None) if places.stray is None else places.stray
    if stray is None or (places.stray is None and _stays_on_host(judged_function(task, task.slow), inputs)):
        return
    maker = places.makers.get(stray)
    if maker is None:
        raise TaskFailed(
            f"{task.id} works with a tensor that stays on the host wherever the inputs are: on a GPU the two cannot meet, "
            "and the result is wanted there; move it to the input's device, as in constant.to(x.device)."
        )
    if maker.reads:
        raise TaskFailed(
            f"{task.id} makes a tensor with torch.{maker.name}(…) out of tensors: Python waits for the value of each, and on a "
            "GPU the new one would be left on the host; torch.stack and torch.cat join them without a wait, where they are."
        )
    raise TaskFailed(
        f"{task.id} makes a tensor with torch.{maker.name}(…) that does not say where: on a GPU it would be left on the "
        "host; pass the input's device, as in device=x.device."
    )


def _followed(places: _Places, function: Callable[..., Any], inputs: tuple) -> Any:
    """The result for inputs that are away; None where torch cannot follow the call to its end."""
    try:
        with places, _Makers(places):
            return function(*tensor_trees.to_device(inputs, str(_AWAY)))
    except Exception:  # noqa: BLE001 - the same inputs came out right before: it is the pretence that goes no further
        return None


def _stays_on_host(function: Callable[..., Any], inputs: tuple) -> bool:
    """Whether ``function`` itself wants its result on the host, as one does that is told to work there."""
    return next(_on_host(_followed(_Places(), function, inputs)), None) is not None


def _on_host(tree: Any) -> Iterator[torch.Tensor]:
    return (tensor for tensor in tensor_trees.tensors(tree) if tensor.device.type == _HOST.type)


class _Away(torch.Tensor):
    """A tensor that says it is on another device than ``held``, whose values are its own."""

    held: torch.Tensor

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        """Nothing of its own: what torch's functions do is seen where they come down to operations."""
        with torch_internals.DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))

    @staticmethod
    def __torch_dispatch__(*call: Any, **named: Any) -> Any:
        """It stays away also where nobody follows it, as in another thread."""
        return _Places().__torch_dispatch__(*call, **named)


def _sent(held: torch.Tensor) -> _Away:
    layout = held.shape, held.stride(), held.storage_offset()
    away = torch_internals.make_wrapper(_Away, *layout, dtype=held.dtype, device=_AWAY)
    away.held = held
    return away


def _each(tree: Any, change: Callable[[torch.Tensor], Any]) -> Any:
    """``tree`` with its tensors changed; torch's own tree_map takes several times as long, too much for each operation."""
    if isinstance(tree, torch.Tensor):
        return change(tree)
    if type(tree) is list or type(tree) is tuple:
        return type(tree)([_each(branch, change) for branch in tree])
    if type(tree) is dict:
        return {name: _each(branch, change) for name, branch in tree.items()}
    return tree


def _tensors(*trees: Any) -> list[torch.Tensor]:
    found: list[torch.Tensor] = []
    _each(trees, found.append)
    return found


def _held(tree: Any) -> Any:
    return _each(tree, lambda tensor: tensor.held if isinstance(tensor, _Away) else tensor)


@dataclass(frozen=True)
class _Maker:
    """A function of torch's that made a tensor; whether it read the values of others to do so."""

    name: str
    reads: bool = False


class _Places(torch_internals.LeavesCompilerUnloaded, torch_internals.TorchDispatchMode):
    """Runs each operation on the host, and sends its result to where it would lie.

    Attributes:
        stray: the first tensor on the host that meets one that is away, where an accelerator does not allow it.
        makers: the function that made a tensor on the host, or the one that it was computed from, where it is known.
        calling: the function that is making tensors now.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stray: torch.Tensor | None = None
        self.makers: WeakTensorKeyDictionary = WeakTensorKeyDictionary()
        self.calling: _Maker | None = None

    def meet(self, refused: Iterable[torch.Tensor]) -> None:
        """Note what an accelerator would refuse in an operation with a tensor that is away."""
        if self.stray is None:
            self.stray = next(iter(refused), None)

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        kwargs = kwargs or {}
        given = _tensors(args, kwargs)
        away = [tensor for tensor in given if isinstance(tensor, _Away)]
        here = [tensor for tensor in given if not isinstance(tensor, _Away)]
        if away and here:
            self.meet(_refused(func, args, kwargs))
        device = kwargs.get("device")
        goes_away = bool(away) if device is None else device.type == _AWAY.type
        host = {"device": _HOST} if device is not None else {}
        result = func(*_held(args), **_held(kwargs) | host)
        if away and torch.Tag.inplace_view in func.tags:
            with torch_internals.no_dispatch():  # its shape and strides are kept twice
                func(*args, **kwargs)
        own = {id(tensor.held): tensor for tensor in away} | {id(tensor): tensor for tensor in here}
        maker = next((self.makers[tensor] for tensor in here if tensor in self.makers), None if away else self.calling)

        def place(tensor: torch.Tensor) -> torch.Tensor:
            placed = own[id(tensor)] if id(tensor) in own else _sent(tensor) if goes_away else tensor
            if maker is not None and not isinstance(placed, _Away):
                self.makers[placed] = maker
            return placed

        return _each(result, place)


def _refused(func: Any, args: tuple, kwargs: dict) -> Iterator[torch.Tensor]:
    """The tensors on the host that may not meet one that is away in ``func``."""
    if func.overloadpacket is torch.ops.aten.copy_:
        return  # between devices, too
    for position, argument in enumerate(torch_internals.operation_arguments(func)):
        kind = str(argument.type)
        if kind == "List[Optional[Tensor]]":
            continue  # indices may come from the host
        written = argument.alias_info is not None and argument.alias_info.is_write
        value = args[position] if position < len(args) else kwargs.get(argument.name)
        for tensor in _tensors(value):
            # A single number may come from the host, but nothing is written there, and nothing joined with it.
            if not isinstance(tensor, _Away) and (tensor.dim() or written or kind == "List[Tensor]"):
                yield tensor


class _Makers(TorchFunctionMode):
    """Tells ``places`` which of torch's functions makes a tensor, and does for it what torch does out of its sight."""

    def __init__(self, places: _Places) -> None:
        super().__init__()
        self.places = places

    def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        kwargs = kwargs or {}
        if isinstance(func, torch_internals.OpOverload):  # of `places` itself
            return func(*args, **kwargs)
        device = kwargs.get("device")
        of_tensor = bool(args) and isinstance(args[0], torch.Tensor)
        if func is torch.Tensor.new_tensor and device is None:
            device = args[0].device
        given = _tensors(args, kwargs)
        if device is not None and torch.device(device) == _AWAY and (not of_tensor or func is torch.Tensor.new_tensor):
            made = func(*_held(args), **_held(kwargs) | {"device": _HOST})
            return torch_internals.tree_map_only(torch.Tensor, _sent, made)
        self.places.calling = None if given or device is not None else _Maker(func.__name__)
        try:
            return func(*args, **kwargs)
        except RuntimeError:
            if not any(isinstance(tensor, _Away) for tensor in given):
                raise
            # It reads values by itself, as `torch.tensor([x[0], x[1]])` does, or refuses the two places.
            self.places.calling = None if of_tensor or device is not None else _Maker(func.__name__, reads=True)
            made = func(*_held(args), **_held(kwargs))
            if isinstance(made, np.ndarray):
                raise  # as on an accelerator, where NumPy reaches no tensor
            self.places.meet(tensor for tensor in given if tensor.dim() and not isinstance(tensor, _Away))
            return torch_internals.tree_map_only(torch.Tensor, _sent, made) if of_tensor else made
        finally:
            self.places.calling = None
