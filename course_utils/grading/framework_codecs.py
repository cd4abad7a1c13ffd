"""The codec of a framework's values, and the steps of a remote call that only one framework needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_utils.frameworks import tensor_trees
from course_utils.grading.channel import Channel, Json
from course_utils.grading.child_handle import Child
from course_utils.grading.value_codec import Codec


def process_framework(framework: str) -> str:
    """Return the framework of the process that grades tasks of ``framework``; a task without one is part of a torch
    lesson.
    """
    return "torch" if framework == "none" else framework


def values(framework: str, letter: str, call: Callable[[str, tuple, dict], Any] | None = None) -> Codec:
    """Return the codec of a framework's values for one end of a channel; see ``Codec``."""
    if process_framework(framework) == "torch":
        from course_utils.grading.torch_codec import TorchCodec

        return TorchCodec(letter, call)
    from course_utils.grading.tensorflow_codec import TensorflowCodec

    return TensorflowCodec(letter, call)


def send_again(codec: Any, value: Any) -> None:
    """Let the next frame of ``codec`` hold all tensors of ``value``, even unchanged ones; TensorFlow's are always sent."""
    if hasattr(codec, "send_again"):
        codec.send_again(tensor_trees.tensors(value))


def operations(channel: Channel, data: Json, blobs: list, with_values: bool) -> tuple[Any, tuple]:
    """In the child: return the requests of a call whose tensors stay in the parent, and the arguments of the call.

    Args:
        with_values: whether the tensors came with values, so that the child records its operations.
    """
    from course_utils.grading.recorded_operations import RecordedOperations, ValuesCodec
    from course_utils.grading.request_operations_from_parent import Operations
    from course_utils.grading.torch_remote_tensors import HandleCodec

    started: list[Operations] = []

    def call_parent(name: str, args: tuple, kwargs: dict) -> Any:
        return started[0].call_back(name, args, kwargs)

    codec = (ValuesCodec if with_values else HandleCodec)(call_parent)
    arguments = codec.unpack(data, blobs)
    codec.keeps_objects = False
    started.append((RecordedOperations if with_values else Operations)(channel, codec))
    return started[0], arguments


def vector_jacobian(results: list, gradients: list, inputs: list) -> list:
    """In the child: return the gradients of ``inputs``, given those of ``results``; None for an input that has none."""
    import torch

    return list(torch.autograd.grad(results, inputs, gradients, allow_unused=True))


def watches_operations(framework: str, memory: bool) -> bool:
    """In the parent: return whether something watches operations now; ``memory``: whether a profiler of memory does."""
    if framework != "torch":
        return False
    from course_utils.frameworks import torch_internals

    return memory or bool(torch_internals.dispatch_modes())


def for_fake_device() -> Codec:
    """In the parent: return the codec of the inputs of a call on a fake device."""
    from course_utils.grading.operation_codec import FakeDeviceCodec

    return FakeDeviceCodec()


def call_here(
    child: Child,
    inputs: tuple,
    describe: Callable[[Json], BaseException],
    record: tuple[Json, list] | None = None,
) -> Any:
    """In the parent: return the result of a call whose tensors stay here.

    Args:
        describe: makes the error that the answer raised.
        record: the child's first message, if it has run the operations already.
    """
    from course_utils.grading.run_operations_for_child import CallRaised, RemoteOperations

    try:
        return RemoteOperations(child.send_reply, child.receive).call(inputs, record)
    except CallRaised as raised:
        raise describe(raised.data) from None


def with_gradients(framework: str, result: Any, inputs: tuple, backward: Callable[[list, list, list], list]) -> Any:
    """In the parent: return the result, connected to the inputs that need gradients; ``backward`` computes them."""
    if framework != "torch":
        return result
    from course_utils.grading.torch_gradients import connect

    return connect(result, inputs, backward)
