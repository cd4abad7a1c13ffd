"""The working sets at which bandwidth is measured: powers of two, and more sizes where the bandwidth falls steeply."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise

from course_utils.core.wording import GIB, KIB, MIB

STEEP_RATIO = 1.2  # if two neighboring sizes differ by more in bandwidth, a size between them is measured
MIN_SIZE_RATIO = 1.15  # neighboring sizes are never closer
MAX_NEW_SIZES = 4  # a machine has two or three caches; more steep places are noise


def initial_sizes(device: str) -> list[int]:
    """Return the bytes of the working sets, doubling from inside the first cache to well beyond the last one."""
    lowest, highest = (64 * KIB, 128 * MIB) if device == "cpu" else (64 * KIB, GIB)
    return [lowest << step for step in range((highest // lowest).bit_length())]


def refinement_sizes(curves: Iterable[Mapping[int, float]]) -> list[int]:
    """Return the bytes of the working sets to add: the middle of neighbors between which the bandwidth of some mix
    falls steeply.

    Args:
        curves: for each mix, bytes of the working set → bytes per second.
    """
    steepness: dict[int, float] = {}
    for curve in curves:
        for below, above in pairwise(sorted(curve)):
            slower, faster = sorted((curve[below], curve[above]))
            if faster > STEEP_RATIO * slower and above > MIN_SIZE_RATIO**2 * below:
                middle = round(math.sqrt(below * above)) // KIB * KIB
                steepness[middle] = max(steepness.get(middle, 0.0), faster / slower)
    return sorted(sorted(steepness, key=steepness.__getitem__)[-MAX_NEW_SIZES:])
