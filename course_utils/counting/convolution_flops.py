"""The flops that a convolution needs: those of the kernel's values that meet a value of the image, not its padding."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Axis(NamedTuple):
    """One spatial axis: the kernel's value k at position i meets the image's value ``i * stride - padding + k * dilation``."""

    positions: int
    kernel: int
    size: int
    stride: int = 1
    padding: int = 0
    dilation: int = 1

    def meetings(self) -> int:
        """Return how often a value of the kernel meets one of the image, summed over positions.

        Five positions of a kernel of 3 on an image of 5, padded by 1 at both ends, meet 2 + 3 + 3 + 3 + 2 = 13 values.
        """
        total = 0
        for offset in (self.padding - k * self.dilation for k in range(self.kernel)):
            first, last = -(-offset // self.stride), (self.size - 1 + offset) // self.stride
            total += max(min(last, self.positions - 1) - max(first, 0) + 1, 0)
        return total


def convolution_flops(images: int, channel_pairs: int, axes: Iterable[Axis]) -> int:
    """Return the flops: a multiplication and an addition per image, pair of channels and meeting of kernel and image."""
    return 2 * images * channel_pairs * math.prod(axis.meetings() for axis in axes)


def spatial_axes(
    positions: Sequence[int],
    kernel: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    paddings: Sequence[int],
    dilations: Sequence[int],
) -> list[Axis]:
    """Return the axes of a convolution. One value of stride, padding or dilation is that of all axes."""
    settings = ([*each] * len(kernel) if len(each) == 1 else each for each in (strides, paddings, dilations))
    return [Axis(*each) for each in zip(positions, kernel, sizes, *settings)]
