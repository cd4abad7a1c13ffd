"""The flops of the products, convolutions and attention of one operation of torch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch

from course_utils.counting.convolution_flops import convolution_flops, spatial_axes
from course_utils.frameworks import torch_internals

_aten = torch.ops.aten


def product_flops(func: Any, args: tuple, kwargs: dict, result: Any) -> Iterator[tuple[str, int]]:
    """Yield the dtype and the flops of each product that an operation computes on strided tensors; nothing for others."""
    packet = torch_internals.operation_packet(func)
    if packet in torch_internals.flop_registry:
        results = result if isinstance(result, (tuple, list)) else [result]
        output = next(each for each in results if isinstance(each, torch.Tensor))  # Unneeded gradients are None.
        dtype = str(output.dtype).removeprefix("torch.")
        if dtype == "float32" and output.is_cuda and torch.backends.cuda.matmul.allow_tf32:
            dtype = "tf32"
        if packet is _aten.convolution:
            yield dtype, _convolution_flops(args[0], args[1], result, *args[3:7])
        elif packet is _aten.convolution_backward:
            gradient, values, weight, _, *settings = args
            # One convolution gives the gradient of the values, another that of the weight.
            yield dtype, sum(args[-1][:2]) * _convolution_flops(values, weight, gradient, *settings[:4])
        else:
            flops = torch_internals.flop_registry[packet](*args, **kwargs, out_val=result)
            yield dtype, int(flops * _share_of_pairs(func, args, kwargs))
    elif packet is _aten._scaled_dot_product_flash_attention_for_cpu:
        query, key, value = args[:3]
        pairs = math.prod(query.shape[:-1]) * key.shape[-2]
        flops = 2 * pairs * (query.shape[-1] + value.shape[-1])
        yield str(query.dtype).removeprefix("torch."), int(flops * _share_of_pairs(func, args, kwargs))


def _share_of_pairs(func: Any, args: tuple, kwargs: dict) -> float:
    """Return the share of the pairs of queries and keys that an operation needs: about half if attention is causal.

    In causal attention, the query at position i needs the keys up to position i.
    """
    if not torch_internals.operation_name(func).startswith("_scaled_dot_product"):
        return 1.0
    names = [argument.name for argument in torch_internals.operation_arguments(func)]
    given = {**dict(zip(names, args)), **kwargs}
    if not given.get("is_causal"):
        return 1.0
    queries, keys = given["query"].shape[-2], given["key"].shape[-2]
    return sum(min(position, keys) for position in range(1, queries + 1)) / (queries * keys)


def _convolution_flops(
    values: torch.Tensor,
    weight: torch.Tensor,
    result: torch.Tensor,
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    is_transposed: bool,
) -> int:
    """Return the flops of a convolution. With groups, its weight has only the pairs of channels that are multiplied."""
    positions, size = (values, result) if is_transposed else (result, values)
    axes = spatial_axes(positions.shape[2:], weight.shape[2:], size.shape[2:], stride, padding, dilation)
    return convolution_flops(len(values), weight.shape[0] * weight.shape[1], axes)
