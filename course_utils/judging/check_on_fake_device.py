"""Checks, on a machine without an accelerator, whether an answer would fail on one, by calling it with fake inputs.

Each operation that an accelerator would refuse, because it mixes host and device tensors, is recorded, and so is each
copy to the host, for which Python would wait. ``.numpy()`` fails, because only a tensor on the host has a NumPy array.
Writes by index, and equal values in sorts, come in the reverse order, as they may on an accelerator.

The check does not see tensors that meet in another thread, nor anything after another error that only the fake device
raises. It accepts a single number on the host in every operation with one other tensor, although a few operations refuse it
on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from course_utils.frameworks import devices, tensor_trees
from course_utils.judging import describe
from course_utils.judging.answer import Answer
from course_utils.judging.difference import task_difference
from course_utils.judging.fake_device import DeviceTracker, Factory, follow, held_values
from course_utils.judging.oracle import run_slow_loop
from course_utils.judging.return_or_written_arguments import judged_function
from course_utils.judging.verdict import TaskFailed
from course_utils.tasks import Task
from course_utils.tasks.at_most import MostSyncs

_OVERWRITES = (
    "writes several values to one position, by scatter_, index_copy_ or an assignment such as out[index] = values: PyTorch "
    "does not define which of them stays, and with another order the result is wrong. Choose the value first, as "
    "scatter_reduce_ does, or write to each position once."
)
_ORDERS_TIES = (
    "sorts equal values by sort, argsort or topk, or selects one of them by kthvalue or median: PyTorch does not define their "
    "order, and with another order the result is wrong. sort and argsort keep the order of equal values with stable=True."
)
_DEPENDS_ON_ORDER = (
    "has a wrong result if PyTorch writes several values to one position, or sorts equal values, in another order, and PyTorch "
    "defines neither order. Write to each position once, and sort with stable=True."
)


def check_devices(task: Task, answer: Answer, calls: list[tuple]) -> None:
    """Follow the tensors of each call.

    Raises:
        TaskFailed: as ``check_device`` does, and as ``_check_transfers`` does for a task that passes the name of a device.
    """
    followed = [inputs for inputs in calls if _can_be_followed(inputs)]
    answer.announce_fake_device_calls(followed)
    for inputs in followed:
        if not answer.repeats_fake_device_call(inputs):
            check_device(task, answer, inputs)
    for inputs in followed:  # These calls come last, because those above were announced.
        if any(map(devices.is_name, inputs)):
            _check_transfers(task, answer, inputs)


def check_device(task: Task, answer: Answer, inputs: tuple) -> None:
    """Follow the tensors of one call.

    Raises:
        TaskFailed: when the result is on the host or a host tensor is mixed with the inputs, although the inputs are on
            the device, when the task forbids synchronization and the call copies a tensor to the host, when the call reads a
            tensor as a NumPy array, or when the result depends on the order of writes to one position or of equal values in
            a sort.
    """
    if not _can_be_followed(inputs):
        return
    tracker = DeviceTracker()

    def followed(function: Callable[..., Any], *used: Any) -> Any:
        return follow(tracker, function, used)

    result, used = answer(inputs, f"a random input of size {task.sizes[-1]}", followed)
    stray = next(_on_host(result), None) if tracker.stray is None else tracker.stray
    factory = None if stray is None else tracker.factories.get(stray)
    copies_in_vain = bool(tracker.host_copies) and MostSyncs(0) in task.limits
    if (
        stray is not None
        and not (copies_in_vain and factory is None)
        and (tracker.stray is not None or not _stays_on_host(judged_function(task, task.slow), inputs))
    ):
        if tracker.list_reads and any(isinstance(limit, MostSyncs) for limit in task.limits):
            raise TaskFailed(".tolist() hands a tensor's values to Python; keep the work in tensor operations.")
        raise TaskFailed(_stray_message(task, inputs, factory))
    if copies_in_vain:
        raise TaskFailed(
            f"{task.id} copies a tensor to the host, as .cpu() and .to('cpu') do: on a GPU, Python waits for the copy. Leave "
            "tensors on the device of the inputs."
        )
    if tracker.numpy_reads and MostSyncs(0) not in task.limits:  # otherwise the count of synchronizations refuses it
        limited = task.writes or any(isinstance(limit, MostSyncs) for limit in task.limits)
        copied = f"{_first_tensor(task, inputs)}.cpu().numpy() copies it to the host first."
        remedy = "Keep the work in tensor operations." if limited else copied
        raise TaskFailed(f"{task.id} reads a tensor as a NumPy array, which fails if the tensor is on a GPU. {remedy}")
    if result is not None and (tracker.reversed_writes or tracker.reversed_ties):
        expected = run_slow_loop(task, inputs)
        if task_difference(task, held_values(result), expected, held_values(used)) is not None:
            cause = _OVERWRITES if tracker.reversed_writes else _ORDERS_TIES
            both = tracker.reversed_writes and tracker.reversed_ties
            raise TaskFailed(f"{task.id} {_DEPENDS_ON_ORDER if both else cause}")


def _check_transfers(task: Task, answer: Answer, inputs: tuple) -> None:
    """Follow the tensors of a call that gets tensors on the host and the name of a device.

    Raises:
        TaskFailed: when a tensor on the host meets one on the device, or when the result isn't a copy to the host from the
            device, although the slow loop's result is on the host.
    """
    tracker = DeviceTracker()

    def followed(function: Callable[..., Any], *used: Any) -> Any:
        named = tensor_trees.name_device(used, devices.FAKE)
        return follow(tracker, lambda: function(*named), ())

    result, _ = answer(inputs, "inputs on the host", followed)
    if tracker.stray is not None:
        raise TaskFailed(
            f"In {task.id}, a tensor on the host meets one on the device in one operation, which fails on a GPU. Move each tensor "
            "with .to(device) first."
        )
    if result is None or not _stays_on_host(judged_function(task, task.slow), inputs):
        return
    if next(_on_host(result), None) is None or not tracker.host_copies:
        raise TaskFailed(
            f"{task.id} lacks a transfer: it must compute on the device, and its result must be on the host. Move the inputs with "
            ".to(device), and return result.cpu()."
        )


def _can_be_followed(inputs: tuple) -> bool:
    """Return whether the inputs have tensors and no generator, because all that a generator draws is on its own
    device."""
    return bool(tensor_trees.tensors(inputs)) and not any(isinstance(value, torch.Generator) for value in inputs)


def _first_tensor(task: Task, inputs: tuple) -> str:
    """Return the first argument that is a tensor, else the first element of a list of tensors, as code, or "x"."""
    named = dict(zip(describe.argument_names(task.slow), inputs))
    named |= {f"{name}[0]": value[0] for name, value in named.items() if isinstance(value, list) and value}
    return next((code for code, value in named.items() if isinstance(value, torch.Tensor)), "x")


def _stray_message(task: Task, inputs: tuple, factory: Factory | None) -> str:
    device = f"{_first_tensor(task, inputs)}.device"
    if factory is None:
        return (
            f"{task.id} works with a tensor that stays on the host wherever the inputs are: on a GPU the two cannot meet, and "
            f"the result must be on the inputs' device. Move the tensor there, as in constant.to({device})."
        )
    if factory.reads:
        return (
            f"{task.id} creates a tensor with torch.{factory.name}(…) from other tensors: Python waits for the value of each, "
            "and on a GPU the new tensor is left on the host. torch.stack and torch.cat join tensors where they are, without "
            "waiting."
        )
    return (
        f"{task.id} creates a tensor with torch.{factory.name}(…) without a device: on a GPU it is left on the host. Pass the "
        f"inputs' device, as in device={device}."
    )


def _stays_on_host(function: Callable[..., Any], inputs: tuple) -> bool:
    """Return whether ``function`` itself leaves its result on the host, as a function that gets a device as an argument
    may.
    """
    return next(_on_host(follow(DeviceTracker(), function, inputs)), None) is not None


def _on_host(tree: Any) -> Iterator[torch.Tensor]:
    return (tensor for tensor in tensor_trees.tensors(tree) if tensor.device.type == "cpu")
