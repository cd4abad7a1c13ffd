"""Snapshots of torch's tensors, modules and optimizers. Nothing here imports torch."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

Restore = Callable[[], None]


def snapshot(torch: Any, value: Any) -> Restore | None:
    """Return a function that restores the present state of a tensor, module or optimizer; None for any other value."""
    if isinstance(value, torch.Tensor):
        return _tensor(torch, value)
    if isinstance(value, torch.nn.Module):
        return _module(torch, value)
    if isinstance(value, torch.optim.Optimizer):
        return _optimizer(torch, value)
    return None


def _tensor(torch: Any, tensor: Any) -> Restore | None:
    if tensor.layout is not torch.strided or tensor.device.type == "meta":
        return None
    values, gradient = tensor.detach().clone(), tensor.grad if tensor.is_leaf else None
    restore_gradient = None if gradient is None else _tensor(torch, gradient)

    def restore() -> None:
        now = tensor.detach()
        if now.shape == values.shape and not torch.equal(now, values):
            with torch.no_grad():
                tensor.copy_(values)
        if tensor.is_leaf and tensor.grad is not gradient:
            tensor.grad = gradient
        if restore_gradient is not None:
            restore_gradient()

    return restore


def _module(torch: Any, module: Any) -> Restore:
    """Attributes, parameters, buffers and submodules."""
    restore_tensors = [_tensor(torch, tensor) for tensor in (*module.parameters(), *module.buffers())]
    attributes = [
        (each, dict(vars(each)), dict(each._parameters), dict(each._buffers), dict(each._modules))
        for each in module.modules()
    ]

    def restore() -> None:
        for each, own, *registries in attributes:
            vars(each).clear()
            vars(each).update(own)
            for now, before in zip((each._parameters, each._buffers, each._modules), registries):
                now.clear()
                now.update(before)
        for restore_tensor in restore_tensors:
            if restore_tensor is not None:
                restore_tensor()

    return restore


def _optimizer(torch: Any, optimizer: Any) -> Restore:
    """Settings, parameters, and the state that it has accumulated for each parameter."""
    restore_tensors = [_tensor(torch, parameter) for group in optimizer.param_groups for parameter in group["params"]]
    groups = [dict(group) for group in optimizer.param_groups]
    states = {parameter: copy.deepcopy(state) for parameter, state in optimizer.state.items()}

    def restore() -> None:
        for group, before in zip(optimizer.param_groups, groups):
            group.clear()
            group.update(before)
        optimizer.state.clear()
        optimizer.state.update({parameter: copy.deepcopy(state) for parameter, state in states.items()})
        for restore_tensor in restore_tensors:
            if restore_tensor is not None:
                restore_tensor()

    return restore
