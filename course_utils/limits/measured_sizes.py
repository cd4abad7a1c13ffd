"""Which sizes of memory are measured: steps of two, and smaller ones where the speed falls off a cache."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise

from course_utils.core.wording import GIB, KIB, MIB

STEEP_RATIO = 1.2  # times as fast: more between two neighbours leaves too much open for what lies between
MIN_SIZE_RATIO = 1.15  # times as large: rungs that are nearer than this tell nothing more
MAX_NEW_SIZES = (
    4  # new rungs at a time: there are two or three caches, and where more is steep, something else disturbs
)


def initial_sizes(device: str) -> list[int]:
    """Bytes, each rung twice the one before: from a first cache to well past the last one."""
    lowest, highest = (64 * KIB, 128 * MIB) if device == "cpu" else (64 * KIB, GIB)
    return [lowest << step for step in range((highest // lowest).bit_length())]


def refinement_sizes(ladders: Iterable[Mapping[int, float]]) -> list[int]:
    """The rungs that are still wanted: in the middle between two neighbours of some ladder that differ too much.

    Args:
        ladders: for each mix size → rate.
    """
    steep: dict[int, float] = {}
    for ladder in ladders:
        sizes = sorted(ladder)
        for below, above in pairwise(sizes):
            slower, faster = sorted((ladder[below], ladder[above]))
            if faster > STEEP_RATIO * slower and above > MIN_SIZE_RATIO**2 * below:
                middle = round(math.sqrt(below * above)) // KIB * KIB
                steep[middle] = max(steep.get(middle, 0.0), faster / slower)
    return sorted(sorted(steep, key=steep.__getitem__)[-MAX_NEW_SIZES:])
