"""Remembers the values in torch's tensors, modules and optimizers, and puts them back. Nothing here imports torch."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

PutBack = Callable[[], None]


def remembered(torch: Any, value: Any) -> PutBack | None:
    """A function that puts ``value`` back as it is now, None for what is none of the three."""
    if isinstance(value, torch.Tensor):
        return _tensor(torch, value)
    if isinstance(value, torch.nn.Module):
        return _module(torch, value)
    if isinstance(value, torch.optim.Optimizer):
        return _optimizer(torch, value)
    return None


def _tensor(torch: Any, tensor: Any) -> PutBack | None:
    if tensor.layout is not torch.strided or tensor.device.type == "meta":
        return None
    values, gradient = tensor.detach().clone(), tensor.grad if tensor.is_leaf else None
    gradient_back = None if gradient is None else _tensor(torch, gradient)

    def put_back() -> None:
        now = tensor.detach()
        if now.shape == values.shape and not torch.equal(now, values):
            with torch.no_grad():
                tensor.copy_(values)
        if tensor.is_leaf and tensor.grad is not gradient:
            tensor.grad = gradient
        if gradient_back is not None:
            gradient_back()

    return put_back


def _module(torch: Any, module: Any) -> PutBack:
    tensors = [_tensor(torch, tensor) for tensor in (*module.parameters(), *module.buffers())]
    attributes = [
        (each, dict(vars(each)), dict(each._parameters), dict(each._buffers), dict(each._modules))
        for each in module.modules()
    ]

    def put_back() -> None:
        for each, own, *parts in attributes:
            vars(each).clear()
            vars(each).update(own)
            for now, before in zip((each._parameters, each._buffers, each._modules), parts):
                now.clear()
                now.update(before)
        for tensor_back in tensors:
            if tensor_back is not None:
                tensor_back()

    return put_back


def _optimizer(torch: Any, optimizer: Any) -> PutBack:
    """Its settings, its parameters, and what it has gathered about them."""
    tensors = [_tensor(torch, parameter) for group in optimizer.param_groups for parameter in group["params"]]
    groups = [dict(group) for group in optimizer.param_groups]
    gathered = {parameter: copy.deepcopy(state) for parameter, state in optimizer.state.items()}

    def put_back() -> None:
        for group, before in zip(optimizer.param_groups, groups):
            group.clear()
            group.update(before)
        optimizer.state.clear()
        optimizer.state.update({parameter: copy.deepcopy(state) for parameter, state in gathered.items()})
        for tensor_back in tensors:
            if tensor_back is not None:
                tensor_back()

    return put_back
