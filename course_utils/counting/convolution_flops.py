"""The flops that a convolution needs: the products of its kernel with the image, without those with the padding."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Axis(NamedTuple):
    """One spatial axis.

    At position i, value k of the kernel multiplies the image's value ``i * stride - padding + k * dilation``.
    """

    positions: int
    kernel: int
    size: int
    stride: int = 1
    padding: int = 0
    dilation: int = 1

    def products(self) -> int:
        """Return the number of products of a value of the kernel with a value of the image, over all positions.

        A kernel of 3 on an image of 5 that is padded by 1 at both ends has 2 + 3 + 3 + 3 + 2 = 13 products.
        """
        total = 0
        for offset in (self.padding - k * self.dilation for k in range(self.kernel)):
            first, last = -(-offset // self.stride), (self.size - 1 + offset) // self.stride
            total += max(min(last, self.positions - 1) - max(first, 0) + 1, 0)
        return total


def convolution_flops(images: int, channel_pairs: int, axes: Iterable[Axis]) -> int:
    """Return the flops: a multiplication and an addition per image, pair of channels and product of two values."""
    return 2 * images * channel_pairs * math.prod(axis.products() for axis in axes)


def spatial_axes(
    positions: Sequence[int],
    kernel: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    paddings: Sequence[int],
    dilations: Sequence[int],
) -> list[Axis]:
    """Return the axes of a convolution. A single stride, padding or dilation applies to all axes."""
    settings = ([*each] * len(kernel) if len(each) == 1 else each for each in (strides, paddings, dilations))
    return [Axis(*each) for each in zip(positions, kernel, sizes, *settings)]
