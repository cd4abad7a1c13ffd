"""Connects a result that a child has computed to its inputs here, so that its gradients come from the child as values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from course_utils.frameworks import tensor_trees


def connect(result: Any, inputs: tuple, backward: Callable[[list, list, list], list]) -> Any:
    """Return ``result`` with new tensors in place of those that need a gradient.

    Args:
        inputs: the arguments of the call.
        backward: ``backward(results, gradients of results, inputs)`` returns the gradient of each input, or None.
    """
    leaves = [each for each in inputs if isinstance(each, torch.Tensor) and each.requires_grad and each.is_leaf]
    outputs = [each for each in tensor_trees.tensors(result) if each.requires_grad and type(each) is torch.Tensor]
    if not leaves or not outputs or not torch.is_grad_enabled():
        return result
    connected = iter(_Remote.apply(backward, outputs, leaves, *leaves))
    return tensor_trees.map_leaves(
        result, lambda leaf: next(connected) if any(leaf is output for output in outputs) else leaf
    )


class _Remote(torch.autograd.Function):
    """A function whose forward pass is finished, and whose backward pass calls a child process."""

    @staticmethod
    def forward(context: Any, backward: Any, outputs: list, leaves: list, *_: torch.Tensor) -> tuple:
        """Return the outputs, as tensors of this process."""
        context.call = backward, outputs, leaves
        return tuple(output.detach() for output in outputs)

    @staticmethod
    def backward(context: Any, *gradients: torch.Tensor) -> tuple:
        """Return the gradients of the leaves."""
        backward, outputs, leaves = context.call
        return None, None, None, *backward(outputs, [each.contiguous() for each in gradients], leaves)
