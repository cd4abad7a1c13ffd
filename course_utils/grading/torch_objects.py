"""torch's modules and optimizers as JSON: their class, their tensors by name, and their plain attributes."""

from __future__ import annotations

from typing import Any

import torch

from course_utils.frameworks import torch_internals
from course_utils.grading.frames import Json
from course_utils.grading.value_parts import Frame, ValueInvalid, address_of, import_object
from course_utils.grading.values import Codec


class TorchObjectCodec(Codec):
    """Encodes and decodes what holds tensors; a subclass adds the tensors."""

    def encode_module(self, module: torch.nn.Module, frame: Frame) -> Json:
        """A module as JSON: its class, its parts and its plain attributes."""
        parts = [
            [[key, self.encode(each, frame)] for key, each in part.items()]
            for part in torch_internals.module_registries(module)
        ]
        numbers = {key: value for key, value in vars(module).items() if _is_plain(value)}
        return ["M", self.name_of(module), address_of(type(module)), parts, self.encode(numbers, frame)]

    def decode_module(self, data: list, frame: Frame) -> torch.nn.Module:
        """The module that the other end encoded; only the parent sends new ones."""
        name, address, parts, numbers = data
        module = self.objects.get(name)
        if not isinstance(module, torch.nn.Module):
            if self.is_parent:
                raise ValueInvalid("a child makes up a module")
            kind = import_object(address)
            module = kind.__new__(kind)
            torch.nn.Module.__init__(module)
            self.know(name, module)
        for registry, part in zip(torch_internals.module_registries(module), parts):
            decoded = {str(key): self.decode(each, frame) for key, each in part}
            if list(registry) != list(decoded) or any(registry[key] is not decoded[key] for key in decoded):
                registry.clear()
                registry.update(decoded)
        plain = self.decode(numbers, frame)
        vars(module).update(plain if not self.is_parent else {"training": bool(plain["training"])})
        return module

    def encode_optimizer(self, optimizer: torch.optim.Optimizer, frame: Frame) -> Json:
        """An optimizer as JSON: its class, its groups and its state."""
        groups = self.encode([dict(group) for group in optimizer.param_groups], frame)
        state = [[self.encode(key, frame), self.encode(dict(value), frame)] for key, value in optimizer.state.items()]
        return ["O", self.name_of(optimizer), address_of(type(optimizer)), groups, state]

    def decode_optimizer(self, data: list, frame: Frame) -> torch.optim.Optimizer:
        """The optimizer that the other end encoded; only the parent sends new ones."""
        name, address, groups, state = data
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
        return optimizer


def _is_plain(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (bool, int, float, str))


UNUSUAL = {
    "sparse": lambda: torch.zeros(1).to_sparse(),
    "quantized": lambda: torch.quantize_per_tensor(torch.zeros(1), 1.0, 0, torch.qint8),
    "nested": lambda: torch.nested.nested_tensor([torch.zeros(1)]),
}
"""Tensors that no task returns; the check needs to see only which kind it is."""


def unusual_kind(tensor: torch.Tensor) -> str:
    """The kind of a tensor without plain memory; "" for any other tensor."""
    if tensor.is_nested:
        return "nested"
    if tensor.is_quantized:
        return "quantized"
    return "sparse" if tensor.layout is not torch.strided else ""
