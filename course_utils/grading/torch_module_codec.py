"""torch's modules and optimizers as JSON: their class, their tensors by name, their plain attributes, and how many hooks
they have.

The child sends the state in which an answer left them. The parent runs none of the answer's code, so the child sends
only the number of hooks.
"""

from __future__ import annotations

from typing import Any

import torch

from course_utils.frameworks import torch_internals
from course_utils.frameworks.torch_state_snapshots import hook_count
from course_utils.grading.channel import Json
from course_utils.grading.codec_primitives import Frame, ValueInvalid, address_of, import_object
from course_utils.grading.value_codec import Codec

_MOST_HOOKS, _LONGEST = 10_000, 200


class TorchModuleCodec(Codec):
    """Encodes and decodes modules and optimizers; a subclass encodes their tensors."""

    def encode_module(self, module: torch.nn.Module, frame: Frame) -> Json:
        """Return a module as JSON: its class, its parts and its plain attributes."""
        parts = [
            [[key, self.encode(each, frame)] for key, each in part.items()]
            for part in torch_internals.module_registries(module)
        ]
        attributes = {
            key: value for key, value in vars(module).items() if isinstance(value, torch.Tensor) or _is_plain(value)
        }
        hooks = hook_count(torch, module)
        return ["M", self.name_of(module), address_of(type(module)), parts, self.encode(attributes, frame), hooks]

    def decode_module(self, data: list, frame: Frame) -> torch.nn.Module:
        """Return the module that the other end encoded; in the parent, a child's new module gets an empty class."""
        name, address, parts, attributes, hooks = data
        module = self.objects.get(name)
        if not isinstance(module, torch.nn.Module):
            kind = _empty_class(address) if self.is_parent else import_object(address)
            module = kind.__new__(kind)
            torch.nn.Module.__init__(module)
            self.know(name, module)
        for registry, part in zip(torch_internals.module_registries(module), parts):
            decoded = {str(key): self.decode(each, frame) for key, each in part}
            if list(registry) != list(decoded) or any(registry[key] is not decoded[key] for key in decoded):
                registry.clear()
                registry.update(decoded)
        values = self.decode(attributes, frame)
        if self.is_parent:
            module.training = bool(values["training"])
            _store_attributes(module, values)
            _store_hooks(module, hooks)
        else:
            vars(module).update(values)
        return module

    def encode_optimizer(self, optimizer: torch.optim.Optimizer, frame: Frame) -> Json:
        """Return an optimizer as JSON: its class, its groups and its state."""
        groups = self.encode([dict(group) for group in optimizer.param_groups], frame)
        state = [[self.encode(key, frame), self.encode(dict(value), frame)] for key, value in optimizer.state.items()]
        return ["O", self.name_of(optimizer), address_of(type(optimizer)), groups, state, hook_count(torch, optimizer)]

    def decode_optimizer(self, data: list, frame: Frame) -> torch.optim.Optimizer:
        """Return the optimizer that the other end encoded; only the parent sends new ones."""
        name, address, groups, state, hooks = data
        optimizer = self.objects.get(name)
        decoded = self.decode(groups, frame)
        if not isinstance(optimizer, torch.optim.Optimizer):
            if self.is_parent:
                raise ValueInvalid("a child makes up an optimizer")
            optimizer = import_object(address)(decoded)
            self.know(name, optimizer)
        for group, options in zip(optimizer.param_groups, decoded):
            group.update({key: value for key, value in options.items() if key != "params"})
        optimizer.state.clear()
        optimizer.state.update({self.decode(key, frame): self.decode(value, frame) for key, value in state})
        if self.is_parent:
            _store_hooks(optimizer, hooks)
        return optimizer


def _empty_class(address: Any) -> type[torch.nn.Module]:
    """Return an empty class for a module that a child has created."""
    return type(str(address).rpartition(":")[2][:60] or "Module", (torch.nn.Module,), {})


def store_tensor_hooks(tensor: torch.Tensor, count: Any) -> None:
    """In the parent: register empty hooks, so that the tensor has as many hooks as in the child."""
    for _ in range(_valid_count(count) - hook_count(torch, tensor)):
        tensor.register_hook(lambda gradient: None)


def _store_attributes(module: torch.nn.Module, attributes: dict[str, Any]) -> None:
    """In the parent: set the attributes that the child's module has, except those that would hide a method."""
    values = vars(module)
    for key in [key for key, value in values.items() if _travels(key, value) and key not in attributes]:
        del values[key]
    for key, value in attributes.items():
        if _travels(key, value) and (key in values or not hasattr(type(module), key)):
            values[key] = value[:_LONGEST] if isinstance(value, str) else value


def _store_hooks(holder: Any, count: Any) -> None:
    """In the parent: fill a table with as many entries as the child has hooks; nothing runs them."""
    vars(holder)["_left_hooks"] = dict.fromkeys(range(_valid_count(count)))


def _valid_count(count: Any) -> int:
    if type(count) is not int or not 0 <= count <= _MOST_HOOKS:
        raise ValueInvalid("hooks cannot be counted")
    return count


def _travels(name: Any, value: Any) -> bool:
    is_name = type(name) is str and len(name) <= _LONGEST and not name.startswith("_") and name != "training"
    return is_name and (isinstance(value, torch.Tensor) or _is_plain(value))


def _is_plain(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (bool, int, float, str))


UNUSUAL = {
    "sparse": lambda: torch.zeros(1).to_sparse(),
    "quantized": lambda: torch.quantize_per_tensor(torch.zeros(1), 1.0, 0, torch.qint8),
    "nested": lambda: torch.nested.nested_tensor([torch.zeros(1)]),
}
"""Tensors that no task returns; the check needs only their kind."""


def unusual_kind(tensor: torch.Tensor) -> str:
    """Return the kind of a tensor without plain memory; "" for any other tensor."""
    if tensor.is_nested:
        return "nested"
    if tensor.is_quantized:
        return "quantized"
    return "sparse" if tensor.layout is not torch.strided else ""
