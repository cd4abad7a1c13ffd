"""Counts what torch does, with two modes: one sees every operation that is dispatched, the other every Python API call.

No operation of torch is replaced, so this works for any device, under autograd and under ``torch.func``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from course_utils.counting import torch_syncs
from course_utils.counting.live_memory import LiveMemory
from course_utils.counting.operation_kinds import FROM_HOST
from course_utils.counting.tally import MASKED_WRITE, REBUILT, Tally
from course_utils.counting.torch_optimizers_and_loaders import recording_optimizers_and_loaders
from course_utils.counting.torch_storages import own_storages, storages
from course_utils.counting.torch_syncs import BY_INDEX, LIFT_FRESH, MASKED, READ_VALUE, READS, SCALARS, must_wait
from course_utils.counting.torch_traffic import TrafficRecorder, tensors
from course_utils.counting.traffic_ledger import Recorder, without_tracing
from course_utils.frameworks import by_name, tensor_trees, torch_internals

# Namespaces of the operators that torch defines itself.
_OWN_NAMESPACES = ("aten", "prims", "prim", "quantized", "mkldnn", "mkl", "sparse", "inductor", "profiler")
# one_hot with a given number of classes, and quantile in older versions, read values only on a CPU, to check them.
_CHECKS_ON_CPU = "a check on a CPU"


@contextmanager
def counting(tally: Tally, live_memory: LiveMemory | None = None) -> Iterator[Callable[[Any, Any], None]]:
    """Add all that torch does in this thread to ``tally``; yields a function that counts ``unseen_results``."""
    current, live_memory = lambda: tally, live_memory or LiveMemory(tally)
    run = lambda tally, func, args, kwargs: func(*args, **kwargs)
    calls = _CallCounter(current, lambda: True)
    operations = _OperationCounter(current, run, lambda: True, calls, live_memory)
    # If the compiler meets such a mode, it never compiles the function again.
    with by_name("torch").compiler.run_uncompiled(), operations, calls:
        yield lambda arguments, result: operations.count_unseen(tally, arguments, result)
    live_memory.close()


@contextmanager
def counting_by_line(ledger: Recorder) -> Iterator[None]:
    """Add everything to the ledger's lines, with what each operation moves, while the ledger records."""
    counters = _Counters(ledger)
    ledger.on_toggle.append(counters.set_active)
    with by_name("torch").compiler.run_uncompiled(), recording_optimizers_and_loaders(ledger):
        counters.set_active(True)
        try:
            yield
        finally:
            counters.set_active(False)


class _Counters:
    """Both modes of a count by line. They are removed while the ledger does not record, because they cost time."""

    def __init__(self, ledger: Recorder) -> None:
        is_recording = lambda: ledger.is_recording
        run = TrafficRecorder(ledger).run
        self._calls = _CallCounter(ledger.current_line, is_recording, ledger)
        self._operations = _OperationCounter(ledger.current_line, run, is_recording, self._calls, ledger=ledger)
        self._is_active = False
        self._modes_below: tuple[int, ...] | None = None

    def set_active(self, active: bool) -> None:
        """Add or remove the modes, unless the learner's code has added or removed a mode above them."""
        if active == self._is_active:
            return
        stacks = torch_internals.dispatch_modes(), torch_internals.function_modes()
        if active and self._modes_below in (None, tuple(map(len, stacks))):
            self._operations.__enter__()
            self._calls.__enter__()
        elif not active and (stacks[0][-1:], stacks[1][-1:]) == ([self._operations], [self._calls]):
            self._calls.__exit__(None, None, None)
            self._operations.__exit__(None, None, None)
            self._modes_below = len(stacks[0]) - 1, len(stacks[1]) - 1
        else:
            return
        self._is_active = active


class _OperationCounter(torch_internals.LeavesCompilerUnloaded, torch_internals.TorchDispatchMode):
    """Counts every operation that reaches a device, with the memory that it allocates; ``run`` runs the operation."""

    supports_higher_order_operators = True

    def __init__(
        self,
        current: Callable[[], Tally],
        run: Callable[..., Any],
        is_recording: Callable[[], bool],
        calls: _CallCounter,
        live_memory: LiveMemory | None = None,
        ledger: Recorder | None = None,
    ) -> None:
        super().__init__()
        self._current, self._run, self._is_recording = current, run, is_recording
        self._calls, self._live_memory, self._ledger = calls, live_memory, ledger
        self._seen: set[int] = set()

    def count_unseen(self, tally: Tally, arguments: Any, result: Any) -> None:
        """Count the tensors of ``result`` whose memory comes from no counted operation and no argument."""
        seen = self._seen | {id_ for tensor in tensor_trees.tensors(arguments) for id_, _, _ in own_storages(tensor)}
        for tensor in tensor_trees.tensors(result):
            tally.unseen_results += any(size and id_ not in seen for id_, _, size in own_storages(tensor))

    def __torch_dispatch__(self, func, types, args=(), kwargs=None) -> Any:
        kwargs = kwargs or {}
        if not self._is_recording():
            return func(*args, **kwargs)
        if isinstance(func, torch_internals.HigherOrderOperator):  # The mode does not see its inner operations.
            tally = self._current()
            if func.name() == "cond":
                predicate, if_true, if_false, operands = args
                branch = if_true if predicate else if_false
                tally.syncs += 1
                tally.inner_syncs.append("torch.cond")
                with self:
                    return branch(*operands)
            tally.custom_operators.append(func.name())
            return func(*args, **kwargs)
        if torch.is_inference_mode_enabled() and torch_internals.is_composite(func):
            with self:  # Without autograd, the mode sees the inner operations only if it is entered again.
                return func.decompose(*args, **kwargs)
        with without_tracing():
            if self._ledger is None:
                return self._count(func, args, kwargs)
            start = self._ledger.now()
            try:
                return self._count(func, args, kwargs)
            finally:
                self._ledger.observing_s += self._ledger.now() - start

    def _count(self, func: Any, args: tuple, kwargs: dict) -> Any:
        before = {id_: size for tensor in tensors((args, kwargs)) for id_, _, size in storages(tensor)}
        tally, waits = self._current(), must_wait(func, args, kwargs)
        result = self._run(tally, func, args, kwargs)
        if waits:
            self._calls.record_wait(tally, func)
        if func in torch_syncs.WITHOUT_WORK:
            return result
        if func.namespace not in _OWN_NAMESPACES:
            tally.custom_operators.append(torch_internals.qualified_operation_name(func))
        if func is LIFT_FRESH:
            before = {}  # torch.tensor(…) allocates, but its memory arrives as an argument.
        name, runs = torch_internals.operation_name(func), 1 if self._ledger else torch_syncs.count_runs(func, args)
        views = (len([*tensors(result)]) or 1) if torch_syncs.is_view(func) else 0
        tally.record_operation(name, views, runs)
        after = {id_: (storage, size) for tensor in tensors(result) for id_, storage, size in storages(tensor)}
        self._seen |= after.keys()
        for id_, (storage, size) in after.items():
            growth = size - before.get(id_, 0)
            tally.bytes += growth
            if self._live_memory is not None and growth:
                self._live_memory.grow(id_, storage, growth)
        return result


class _CallCounter(TorchFunctionMode):
    """Counts the API calls that copy values to Python, and the requests for a tensor on a device."""

    def __init__(
        self, current: Callable[[], Any], is_recording: Callable[[], bool], ledger: Recorder | None = None
    ) -> None:
        super().__init__()
        self._current, self._is_recording, self._ledger = current, is_recording, ledger
        self._running = ""  # The running API function; torch does not report the functions that it calls.

    def record_wait(self, tally: Tally, func: Any) -> None:
        """Count an operation for which the host must wait, with its cause unless an API call has recorded it."""
        if func is READ_VALUE and self._running in (*SCALARS, *READS):
            tally.syncs += 1
        elif self._running != _CHECKS_ON_CPU:
            tally.syncs += 1
            running = self._running or torch_internals.operation_name(func)
            tally.inner_syncs.append(MASKED.get(func) or BY_INDEX.get(running) or f"torch.{running}")

    def __torch_function__(self, func, types, args=(), kwargs=None) -> Any:
        if not self._is_recording():
            return func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "")
        classes = (args[1:2] or [(kwargs or {}).get("num_classes", -1)])[0] if name == "one_hot" else -1
        self._running = _CHECKS_ON_CPU if classes != -1 or name in ("quantile", "nanquantile") else name
        try:
            return self._record(name, func, args, kwargs)
        finally:
            self._running = ""

    def _record(self, name: str, func: Any, args: tuple, kwargs: dict | None) -> Any:
        if name == "__format__" and args[0].dim():  # A zero-dimensional tensor calls .item().
            name = "__repr__"
        if name in READS:
            is_single = name in ("tolist", "numpy", "__array__") and args[0].dim() == 0
            self._current().record_sync(SCALARS["item"] if is_single else READS[name])
        elif name == "__deepcopy__":
            # The copy of the storage and the set_ calls before and after it would each count as new memory.
            tally, before = self._current(), self._current().bytes
            result = func(*args, **(kwargs or {}))
            tally.bytes = before + sum(size for _, _, size in own_storages(result))
            return result
        elif name in SCALARS:
            tally, before = self._current(), self._current().syncs
            tally.sync_causes.append(SCALARS[name])
            result = func(*args, **(kwargs or {}))
            tally.syncs = max(tally.syncs, before + 1)  # torch.Tensor([x[0]]) reads below the dispatcher.
            return result
        elif (
            name == "__setitem__"
            and isinstance(args[2], torch.Tensor)
            and args[2].numel() == 1
            and torch_syncs.is_mask(args[1])
        ):
            # Writing a tensor by a mask needs the positions on the host; writing a Python number does not.
            self._current().record_sync(MASKED_WRITE)
        else:
            for _ in range(torch_syncs.count_values_in_lists(name, args)):
                self._current().record_sync(REBUILT)
            is_conversion = name in FROM_HOST and args and not isinstance(args[0], torch.Tensor)
            if is_conversion:
                self._current().record_conversion(type(args[0]).__name__)
            if torch_syncs.requests_device(name, args, kwargs or {}):
                self._current().transfers += 1
            if is_conversion and self._ledger is not None:
                return self._time_conversion(self._ledger, func, args, kwargs or {})
        return func(*args, **(kwargs or {}))

    def _time_conversion(self, ledger: Recorder, func: Any, args: tuple, kwargs: dict) -> Any:
        """Convert a Python object to a tensor, and again without the counters to record the seconds."""
        tally, result = self._current(), func(*args, **kwargs)
        with without_tracing(), ledger.trial(tally), torch_internals.no_dispatch():
            start, _ = ledger.now(), func(*args, **kwargs)
            tally.conversion_seconds[type(args[0]).__name__] += ledger.now() - start
        return result
