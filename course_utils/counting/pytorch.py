"""Counts what torch does, through its own modes: one sees every operation dispatched, one every call of the Python API.

No function of torch is replaced, so this works for any device and under autograd and ``torch.func``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode_stack

from course_utils.counting.alive import Alive
from course_utils.counting.ledger import Ledger, untraced
from course_utils.counting.pytorch_tensors import tensors
from course_utils.counting.pytorch_traffic import Traffic
from course_utils.counting.tally import MASKED, PRINTED, REBUILT, SCALAR_READS, Tally
from course_utils.frameworks import by_name

_READS = {  # Python API → how a learner writes it; what these read passes no dispatcher, or only a view does
    "tolist": ".tolist()",
    "apply_": ".apply_()",
    "map_": ".map_()",
    "map2_": ".map2_()",
    "numpy": ".numpy()",
    "__array__": "NumPy on a tensor",
    "__dlpack__": "NumPy on a tensor",
    "data_ptr": ".data_ptr()",
    "untyped_storage": ".untyped_storage()",
    "storage": ".storage()",
    "__repr__": PRINTED,
}
_FROM_HOST = ("tensor", "as_tensor", "asarray")
_SCALARS = dict(zip(("item", "__float__", "__int__", "__bool__"), SCALAR_READS))
_WAITING = (torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape)


@contextmanager
def counting(tally: Tally) -> Iterator[None]:
    """Add everything that torch does on this thread to ``tally``."""
    here, alive = lambda: tally, Alive(tally)
    run = lambda tally, func, args, kwargs: func(*args, **kwargs)
    # A compiler that meets a mode that watches gives up on the function for good.
    watched = _Operations(here, run, lambda: True, alive), _PythonCalls(here, lambda: True)
    with by_name("torch").compiler.run_uncompiled(), watched[0], watched[1]:
        yield
    alive.close()


@contextmanager
def counting_by_line(ledger: Ledger) -> Iterator[None]:
    """The same line by line, with what each operation moves, while the ledger is open."""
    modes = _Modes(ledger)
    ledger.doors.append(modes.open)

    def record_step(optimizer: torch.optim.Optimizer, *_: Any) -> None:
        if ledger.is_open:
            ledger.here().optimizer_steps[_name_optimizer(optimizer)] += 1

    hook = register_optimizer_step_pre_hook(record_step)
    with by_name("torch").compiler.run_uncompiled():
        modes.open(True)
        try:
            yield
        finally:
            modes.open(False)
            hook.remove()


def _name_optimizer(optimizer: torch.optim.Optimizer) -> str:
    groups = optimizer.param_groups
    can_be_fused = "fused" in optimizer.defaults and not all(group.get("fused") for group in groups)
    return type(optimizer).__name__ + ", not fused" * can_be_fused


class _Modes:
    """Both modes of a count by line. A closed one is taken away, since a mode that only looks on costs time as well."""

    def __init__(self, ledger: Ledger) -> None:
        is_open = lambda: ledger.is_open
        self._operations = _Operations(ledger.here, Traffic(ledger).run, is_open, ledger=ledger)
        self._calls = _PythonCalls(ledger.here, is_open, ledger)
        self._are_open = False
        self._beneath: tuple[int, ...] | None = None

    def open(self, wanted: bool) -> None:
        """Put them in place or take them away, where nobody else's mode stands above."""
        if wanted == self._are_open:
            return
        stacks = _get_current_dispatch_mode_stack(), _get_current_function_mode_stack()
        if wanted and self._beneath in (None, tuple(map(len, stacks))):
            self._operations.__enter__()
            self._calls.__enter__()
        elif not wanted and (stacks[0][-1:], stacks[1][-1:]) == ([self._operations], [self._calls]):
            self._calls.__exit__(None, None, None)
            self._operations.__exit__(None, None, None)
            self._beneath = len(stacks[0]) - 1, len(stacks[1]) - 1
        else:
            return
        self._are_open = wanted


class _Operations(TorchDispatchMode):
    """Every operation that reaches a device, with the memory it makes; ``run`` runs it."""

    def __init__(
        self,
        here: Callable[[], Tally],
        run: Callable[..., Any],
        is_open: Callable[[], bool],
        alive: Alive | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        super().__init__()
        self._here, self._run, self._is_open, self._alive, self._ledger = here, run, is_open, alive, ledger

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        # Otherwise torch loads its whole compiler, seconds long, at the first operation that is counted.
        return False

    def __torch_dispatch__(self, func, types, args=(), kwargs=None) -> Any:
        kwargs = kwargs or {}
        if not self._is_open():
            return func(*args, **kwargs)
        with untraced():
            if self._ledger is None:
                return self._counted(func, args, kwargs)
            start = self._ledger.now()
            try:
                return self._counted(func, args, kwargs)
            finally:
                self._ledger.observing_s += self._ledger.now() - start

    def _counted(self, func: Any, args: tuple, kwargs: dict) -> Any:
        before = {storage._cdata: size for tensor in tensors((args, kwargs)) for storage, size in _storage(tensor)}
        tally, waits = self._here(), _waits(func, args, kwargs)
        result = self._run(tally, func, args, kwargs)
        tally.syncs += waits
        if func is torch.ops.aten._local_scalar_dense.default:
            return result
        if func is torch.ops.aten.lift_fresh.default:  # torch.tensor(…): data that Python wrote, new to torch
            before = {}
        tally.ops += 1
        tally.launches += 1
        after = {storage._cdata: (storage, size) for tensor in tensors(result) for storage, size in _storage(tensor)}
        for id_, (storage, size) in after.items():
            grown = size - before.get(id_, 0)
            tally.bytes += grown
            if self._alive is not None and grown:
                self._alive.grew(id_, storage, grown)
        return result


class _PythonCalls(TorchFunctionMode):
    """The ways by which values leave torch for Python, and requests to move a tensor."""

    def __init__(self, here: Callable[[], Any], is_open: Callable[[], bool], ledger: Ledger | None = None) -> None:
        super().__init__()
        self._here, self._is_open, self._ledger = here, is_open, ledger

    def __torch_function__(self, func, types, args=(), kwargs=None) -> Any:
        if not self._is_open():
            return func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "")
        if name == "__format__":  # f"{x}" prints a tensor, and takes the number out of one without dimensions
            name = "__repr__" if args[0].dim() else "item"
        if name in _READS:
            single = name in ("tolist", "numpy", "__array__") and args[0].dim() == 0
            self._here().record_sync(_SCALARS["item"] if single else _READS[name])
        elif name in _SCALARS:  # the dispatcher counts the wait itself
            self._here().sync_causes.append(_SCALARS[name])
        elif name == "__setitem__" and isinstance(args[2], torch.Tensor) and args[2].numel() == 1 and _masked(args[1]):
            # An accelerator looks up where it goes; a mask with a Python number does not ask.
            self._here().record_sync(MASKED)
        else:
            converts = name in _FROM_HOST and args and not isinstance(args[0], torch.Tensor)
            if converts:
                self._here().record_conversion(type(args[0]).__name__)
                for _ in tensors(args[0]):  # each is asked for its value, out of the dispatcher's sight
                    self._here().record_sync(REBUILT)
            if _asks_for_a_device(name, args, kwargs or {}):
                self._here().transfers += 1
            if converts and self._ledger is not None:
                return self._timed_conversion(self._ledger, func, args, kwargs or {})
        return func(*args, **(kwargs or {}))

    def _timed_conversion(self, ledger: Ledger, func: Any, args: tuple, kwargs: dict) -> Any:
        """Convert a Python object to a tensor, and record the seconds of it that are not the counter's own."""
        work, start, observing_s = self._here(), ledger.now(), ledger.observing_s
        result = func(*args, **kwargs)
        seconds = ledger.now() - start - (ledger.observing_s - observing_s)
        work.conversion_seconds[type(args[0]).__name__] += seconds
        return result


def _asks_for_a_device(name: str, args: tuple, kwargs: dict) -> bool:
    """Whether the call asks for a tensor on a device. To move it where it is leaves no trace in the dispatcher."""
    if name in ("cuda", "cpu"):
        return True
    if name in _FROM_HOST:
        return kwargs.get("device") is not None
    places = (torch.device, str, int, torch.Tensor)  # a tensor stands for its device
    given = (*args[1:2], kwargs.get("device"), kwargs.get("other"))
    return name == "to" and any(isinstance(each, places) and not isinstance(each, bool) for each in given)


def _waits(func: Any, args: tuple, kwargs: dict) -> bool:
    """Whether the host must wait for a value before it can go on."""
    if func is torch.ops.aten.index.Tensor:
        return _picks_by_mask(args[1])
    if func in (torch.ops.aten.index_put_.default, torch.ops.aten.index_put.default):
        # A mask with one number to write is a masked_fill, which waits for nothing.
        return _picks_by_mask(args[1]) and args[2].numel() != 1
    if func in (torch.ops.aten._to_copy.default, torch.ops.aten.copy_.default):
        return _comes_to_host(func, args, kwargs)
    return any(tag in func.tags for tag in _WAITING)


def _masked(index: Any) -> bool:
    return _picks_by_mask(tensors(index))


def _picks_by_mask(indices: Any) -> bool:
    return any(index is not None and index.dtype in (torch.bool, torch.uint8) for index in indices)


def _comes_to_host(func: Any, args: tuple, kwargs: dict) -> bool:
    if func is torch.ops.aten.copy_.default:
        target, source = args[0].device, args[1].device
    elif not isinstance(args[0], torch.Tensor):
        return False  # under vmap a Python number is converted, too
    else:
        source = args[0].device
        target = torch.device(kwargs.get("device") or source)
    return target.type == "cpu" and source.type not in ("cpu", "meta")


def _storage(tensor: torch.Tensor) -> list[tuple[torch.UntypedStorage, int]]:
    """A tensor's memory and its size; nothing for layouts that keep it in several parts."""
    if tensor.layout is not torch.strided:
        return []
    with torch._C.DisableTorchFunction():  # this is the counter's own look, not the learner's
        storage = tensor.untyped_storage()
    return [(storage, storage.nbytes())]
