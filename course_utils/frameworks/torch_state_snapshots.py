"""Snapshots of torch's tensors, modules and optimizers. Nothing here imports torch."""

from __future__ import annotations

import copy
import mmap
from collections.abc import Callable, Iterable
from typing import Any

from course_utils.frameworks.torch_internals import module_registries

LARGE = 2**14  # bytes

_TENSOR_HOOKS = "_backward_hooks", "_post_accumulate_grad_hooks"

Restore = Callable[[], list[Any]]
"""Restores what a snapshot holds, and returns the tensors that had changed."""


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
    values, gradient = _copy(torch, tensor.detach()), tensor.grad if tensor.is_leaf else None
    restore_gradient = None if gradient is None else _tensor(torch, gradient)

    def restore() -> list[Any]:
        changed = []
        now = tensor.detach()
        if now.shape == values.shape and not torch.equal(now, values):
            with torch.no_grad():
                tensor.copy_(values)
            changed.append(tensor)
        if tensor.is_leaf and tensor.grad is not gradient:
            tensor.grad = gradient
            changed.append(tensor)
        return changed + ([] if restore_gradient is None else restore_gradient())

    return restore


def _copy(torch: Any, tensor: Any) -> Any:
    """Return a copy of the values. On a CPU, a large copy gets its own pages from the system.

    On the heap, the copy could occupy the block that the learner's code frees and reuses in each call. That code would
    then allocate at the end of the heap, which the C library returns to the system after each free, so each call would
    cause new page faults.
    """
    size = tensor.numel() * tensor.element_size()
    if size < LARGE or tensor.device.type != "cpu" or tensor.is_quantized:
        return tensor.clone()
    return torch.frombuffer(mmap.mmap(-1, size), dtype=tensor.dtype).view(tensor.shape).copy_(tensor)


def _tensors(torch: Any, tensors: Iterable[Any]) -> Restore:
    restores = [_tensor(torch, tensor) for tensor in tensors]
    return lambda: [changed for restore in restores if restore is not None for changed in restore()]


def _module(torch: Any, module: Any) -> Restore:
    """Return a function that restores attributes, parameters, buffers and submodules."""
    restore_tensors = _tensors(torch, (*module.parameters(), *module.buffers()))
    tables = [(table, dict(table)) for each in module.modules() for table in (vars(each), *module_registries(each))]

    def restore() -> list[Any]:
        changed = []
        for table, before in tables:
            # Compiled code checks such tables, so they are written only if they changed.
            if table.keys() != before.keys() or any(table[key] is not value for key, value in before.items()):
                table.clear()
                table.update(before)
                changed.append(module)
        return changed + restore_tensors()

    return restore


def _optimizer(torch: Any, optimizer: Any) -> Restore:
    """Return a function that restores settings, parameters, and the state accumulated for each parameter."""
    restore_tensors = _tensors(torch, (each for group in optimizer.param_groups for each in group["params"]))
    groups = [dict(group) for group in optimizer.param_groups]
    states = {parameter: copy.deepcopy(state) for parameter, state in optimizer.state.items()}

    def restore() -> list[Any]:
        for group, before in zip(optimizer.param_groups, groups):
            group.clear()
            group.update(before)
        for parameter in optimizer.state.keys() - states.keys():
            del optimizer.state[parameter]
        for parameter, before in states.items():
            now = optimizer.state.get(parameter, {})
            optimizer.state[parameter] = {key: _restore_values(torch, now.get(key), old) for key, old in before.items()}
        return [optimizer, *restore_tensors()]

    return restore


def mutable_state(torch: Any, value: Any) -> dict[str, Any]:
    """Return, by path, ``requires_grad``, gradients and hooks, a module's attributes, an optimizer's settings and state.

    ``{".0.training": True, ".0.weight.requires_grad": True}`` or ``{".state[0]['momentum_buffer']": tensor}``.
    """
    if isinstance(value, torch.Tensor):
        gradient = value.grad if value.is_leaf else None
        state = {".requires_grad": value.requires_grad} | ({} if gradient is None else {".grad": gradient})
        return state | _hooks(torch, value)
    if isinstance(value, torch.nn.Module):
        modules = [(f".{name}" if name else "", each) for name, each in value.named_modules()]
        # The mode comes first, because a wrong mode is the most common mistake.
        state = {f"{name}.training": each.training for name, each in modules}
        for name, each in modules:
            attributes = {part: found for part, found in vars(each).items() if not part.startswith("_")}
            plain = (bool, int, float, str, torch.Tensor)
            state |= {f"{name}.{part}": found for part, found in attributes.items() if isinstance(found, plain)}
            state |= {f"{name}{part}": number for part, number in _hooks(torch, each).items()}
        for name, each in value.named_parameters():
            state |= {f".{name}{part}": found for part, found in mutable_state(torch, each).items()}
        return state
    if not isinstance(value, torch.optim.Optimizer):
        return {}
    data = value.state_dict()
    groups = {f".param_groups[{index}]": group for index, group in enumerate(data["param_groups"])}
    states = {f".state[{index}]": state for index, state in data["state"].items()}
    return {
        f"{path}[{name!r}]": part
        for path, parts in (groups | states).items()
        for name, part in parts.items()
        if name != "params"
    } | _hooks(torch, value)


def hook_count(torch: Any, value: Any) -> int:
    """Return how many hooks are registered on a tensor, a module or an optimizer."""
    is_tensor = isinstance(value, torch.Tensor)
    attributes = {name: getattr(value, name) for name in _TENSOR_HOOKS} if is_tensor else vars(value)
    tables = [table for name, table in attributes.items() if name.endswith("_hooks")]
    return sum(len(table) for table in tables if isinstance(table, dict))


def _hooks(torch: Any, value: Any) -> dict[str, int]:
    number = hook_count(torch, value)
    return {".hooks": number} if number else {}


def _restore_values(torch: Any, now: Any, before: Any) -> Any:
    """Return the tensor ``now`` with the values of ``before`` in its own memory or, if they don't fit, a copy of
    ``before``.
    """
    if not isinstance(now, torch.Tensor) or not isinstance(before, torch.Tensor):
        return copy.deepcopy(before)
    if (now.shape, now.dtype, now.device) != (before.shape, before.dtype, before.device):
        return copy.deepcopy(before)
    with torch.no_grad():
        return now.copy_(before)


def plain_copy(library: Any, tensor: Any) -> Any:
    """Return a fast copy of a tensor that fills its own memory and has no gradient or attributes; None for any other
    tensor."""
    if type(tensor) is not library.Tensor or tensor.is_quantized or tensor.is_nested:
        return None
    has_more = tensor.requires_grad or tensor.grad is not None or vars(tensor) or tensor.is_conj() or tensor.is_neg()
    is_dense = tensor.layout is library.strided and tensor.device.type != "meta" and tensor.is_contiguous()
    if has_more or not is_dense or tensor.untyped_storage().nbytes() != tensor.nbytes:
        return None
    copied = tensor.clone()
    return copied if copied.stride() == tensor.stride() else None
