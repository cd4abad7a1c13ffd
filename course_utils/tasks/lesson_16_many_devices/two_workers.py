"""A real gloo group of two members in two threads, so that a check can run both workers of a step in this process."""

from __future__ import annotations

import copy
import os
import sys
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist

from course_utils.core.wording import pluralize
from course_utils.sandbox.raise_in_thread import raise_when
from course_utils.sandbox.time_limits import TimeLimitReached

TIMEOUT_S = 30.0


class UnequalCalls(RuntimeError):
    """The two workers called ``all_reduce`` a different number of times, or with different tensors."""


class SingleWorker:
    """``all_reduce`` for a worker that has the whole batch: the sum over one worker is its own tensor.

    ``run_both`` replaces it with the ``all_reduce`` of two workers, and stores the facts about their calls here.

    Attributes:
        first_share: the number of examples that the first of two workers gets.
        before: the model before the step.
        had_gradients: whether its parameters had gradients before the step.
        other: the second worker's model after the step.
        calls: how often each worker called ``all_reduce``.
    """

    def __init__(self, first_share: int) -> None:
        self.first_share = first_share
        self.before: Any = None
        self.had_gradients = False
        self.other: Any = None
        self.calls = 0

    def __call__(self, tensor: torch.Tensor) -> None:
        pass

    def __repr__(self) -> str:
        return "all_reduce"


def run_both(
    step: Callable[..., Any], model: Any, loss: Any, x: Any, y: Any, rate: float, single: SingleWorker
) -> None:
    """Run ``step`` as two workers, the first one with ``model`` and in this thread, each with its part of the batch."""
    single.before, single.other = copy.deepcopy(model), copy.deepcopy(model)
    single.had_gradients = any(parameter.grad is not None for parameter in model.parameters())
    cut = single.first_share
    meeting = _Meeting()
    over = threading.Event()

    def work(rank: int, model: Any, part: slice) -> None:
        # A view would carry the whole batch to a worker in another process, as in the class grader.
        own = x[part].clone(), y[part].clone()
        try:
            step(model, loss, *own, rate, meeting.all_reduce(rank))
            x[part], y[part] = own  # so that the check sees what a worker has changed
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread of the check
            meeting.failed(error)
        finally:
            meeting.leave()

    def work_in_thread() -> None:
        with raise_when(over.is_set, TimeLimitReached):
            work(1, single.other, slice(cut, None))

    thread = threading.Thread(target=work_in_thread, name="unloop-worker", daemon=True)
    thread.start()
    try:
        work(0, model, slice(None, cut))
        thread.join()
    finally:
        over.set()
    single.calls = meeting.calls
    if meeting.error is not None:
        raise meeting.error


class _Meeting:
    """Two members of a gloo group that notice at once when one of them leaves."""

    def __init__(self) -> None:
        self.error: BaseException | None = None
        self.calls = 0
        self._barrier = threading.Barrier(2)
        self._tensors: list[Any] = [None, None]
        self._groups = _connect()

    def failed(self, error: BaseException) -> None:
        if self.error is None:
            self.error = error

    def leave(self) -> None:
        self._barrier.abort()

    def all_reduce(self, rank: int) -> Callable[[torch.Tensor], None]:
        """Return the function of one worker, which replaces a tensor with the sum over both workers, in place."""

        def all_reduce(tensor: torch.Tensor) -> None:
            if not isinstance(tensor, torch.Tensor):
                raise TypeError(f"all_reduce takes a tensor; got {type(tensor).__name__}")
            self._tensors[rank] = tensor.detach()
            self._meet()
            one, other = (f"{tuple(each.shape)} values of {each.dtype}" for each in self._tensors)
            self._meet()
            if one != other:
                raise UnequalCalls(f"one worker calls all_reduce with {one}, the other with {other}")
            self.calls += rank == 0
            data = tensor.detach()
            summed = data.contiguous()
            self._groups[rank].allreduce([summed]).wait()
            data.copy_(summed)

        return all_reduce

    def _meet(self) -> None:
        try:
            self._barrier.wait()
        except threading.BrokenBarrierError:
            raise UnequalCalls(
                "one worker waits in all_reduce, but the other one has finished its step without this call; every worker "
                "must make the same calls, even a worker without examples"
            ) from None


def _connect() -> list[Any]:
    """Return the two members of a new gloo group on the loopback device; both must connect at the same time."""
    stores, groups = _stores(), list[Any]([None, None])

    def connect(rank: int) -> None:
        groups[rank] = dist.ProcessGroupGloo(stores[rank], rank, 2, timedelta(seconds=TIMEOUT_S))

    name, device = "GLOO_SOCKET_IFNAME", {"linux": "lo", "darwin": "lo0"}.get(sys.platform, "")
    before = os.environ.get(name)
    os.environ[name] = device  # gloo reads it when a member is created; an empty name leaves the choice to gloo
    try:
        other = threading.Thread(target=connect, args=(1,), daemon=True)
        other.start()
        connect(0)
        other.join()
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before
    return groups


def _stores() -> list[dist.Store]:
    """Return a store for each member."""
    if hasattr(dist, "HashStore"):
        return [dist.HashStore()] * 2
    server = dist.TCPStore("127.0.0.1", 0, is_master=True, use_libuv=False)  # Windows has neither HashStore nor libuv.
    return [server, dist.TCPStore("127.0.0.1", server.port, use_libuv=False)]


def differing_calls(single: SingleWorker, most: int) -> str | None:
    """Return a sentence if the workers made no call or too many calls."""
    if single.calls == 0:
        return "all_reduce was never called, so each worker used only its own examples: call it for the gradients."
    if single.calls > most:
        return (
            f"all_reduce was called {pluralize(single.calls, 'time')}, and each call costs the latency of a message: put all "
            f"gradients into one tensor. The limit is {pluralize(most, 'call')} per step."
        )
    return None
