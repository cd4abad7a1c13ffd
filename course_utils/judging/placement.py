"""Tells, on a machine without an accelerator, whether an answer would break on one: it watches where tensors are made.

A tensor made without ``device=`` lives on the host. On an accelerator it cannot be combined with the inputs, and a result
that is such a tensor is on the wrong device. On the CPU nothing of that shows, so it is followed from call to call.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves

from course_utils.frameworks import tensor_trees
from course_utils.judging.answer import Answer
from course_utils.judging.verdict import TaskFailed
from course_utils.tasks import Task

_MAKERS = (
    "arange", "as_tensor", "empty", "eye", "from_numpy", "full", "linspace", "logspace", "ones", "rand", "randint",
    "randn", "randperm", "range", "tensor", "tril_indices", "triu_indices", "zeros",
)  # fmt: skip
_MOVERS = ("to", "cuda", "type_as", "new_tensor")
_WRITERS = ("copy_", "__setitem__", "__getitem__", "index_put_", "index_put")
_READERS = ("size", "dim", "numel", "__len__", "stride", "is_floating_point", "element_size", "tolist", "item")


def check_device(task: Task, answer: Answer, inputs: tuple) -> None:
    """Follow the tensors of one call.

    Raises:
        TaskFailed: when the result, or a tensor that meets the inputs, was made without their device.
    """
    if any(isinstance(value, torch.Generator) for value in inputs) or not tensor_trees.tensors(inputs):
        return  # a generator is bound to one device, and so is what it draws
    follower = _Follower()

    def followed(function: Any, *used: Any) -> Any:
        with follower:
            return function(*used)

    result, _ = answer(inputs, f"a random input of size {task.sizes[-1]}", followed)
    made = follower.met or next((maker for tensor in tensor_trees.tensors(result) if (maker := _maker(tensor))), None)
    if made is not None:
        raise TaskFailed(
            f"{task.id} makes a tensor with torch.{made}(…) that does not say where: on a GPU it would be left on the "
            "host; pass the input's device, as in device=x.device."
        )


class _Follower(TorchFunctionMode):
    """Marks each tensor that was made without a device, and what is computed from such tensors alone."""

    def __init__(self) -> None:
        super().__init__()
        self.met: str | None = None

    def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        given = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        makers = [maker for leaf in given if (maker := _maker(leaf))]
        result = func(*args, **kwargs)
        if name in _READERS or name in _WRITERS[:2]:
            return result
        if name in _MAKERS and not (name == "as_tensor" and given):
            mark = name if kwargs.get("device") is None else None
        elif name in _WRITERS:
            mark = _maker(given[0])
        elif name in _MOVERS:
            mark = None if _says_where(args[1:], kwargs) else next(iter(makers), None)
        elif len(makers) == len(given):
            mark = next(iter(makers), None)
        else:
            mark = None
            # A single number on the host may meet any device; a tensor with dimensions may not.
            self.met = self.met or next((maker for leaf in given if leaf.dim() and (maker := _maker(leaf))), None)
        for leaf in tree_leaves(result):
            if isinstance(leaf, torch.Tensor):
                leaf._unloop_maker = mark
        return result


def _maker(tensor: torch.Tensor) -> str | None:
    return getattr(tensor, "_unloop_maker", None)


def _says_where(args: tuple, kwargs: dict) -> bool:
    places = (torch.device, str, torch.Tensor)
    return "device" in kwargs or any(isinstance(value, places) for value in (*args, *kwargs.values()))
