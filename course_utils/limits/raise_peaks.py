"""``raise_peaks``: measures a few figures again, next to the work that is compared with them.

A limit that was measured while other programs used the memory is too low. Only a rate that is clearly higher counts:

    known at 32 MB:    copy 12 GB/s, add 13 GB/s
    reached now:       copy 21 GB/s, add 13.5 GB/s
    returned:          copy 21 GB/s at 32 MB and at least 21 GB/s at smaller sizes; add unchanged
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from course_utils import frameworks
from course_utils.limits.benchmark_kernels import MEASURING_ORDER, kernels_of
from course_utils.limits.cost import ADD, COPY, READ, UPDATE, WRITE, Cost
from course_utils.limits.merge_peaks import make_monotonic
from course_utils.limits.peaks import Peaks
from course_utils.limits.sampling import AGREEMENT, Trial, best_rate
from course_utils.timing import Stopwatch

_COSTS = {
    READ: Cost(reads=1),
    ADD: Cost(reads=2 / 3, writes=1 / 3),
    COPY: Cost(reads=1 / 2, writes=1 / 2),
    WRITE: Cost(writes=1),
    UPDATE: Cost(updates=1),
}
_SIDES = (512, 1024)  # sides of the matrices that are multiplied again


def raise_peaks(
    peaks: Peaks, clock: Stopwatch, working_sets: Collection[int] = (), dtypes: Collection[str] = ()
) -> Peaks:
    """Return the peaks, with a higher rate if a working set's bandwidth or a dtype's products are clearly faster now.

    Args:
        peaks: the known peaks of a CPU.
        clock: the device's stopwatch.
        working_sets: the bytes at which bandwidth is measured, with the fastest of the loaded frameworks and NumPy.
        dtypes: the dtypes in which products are measured, with a loaded framework; without one, none is measured.
    """
    loaded = [framework.name for framework in frameworks.loaded()]
    fastest = min([*loaded, "numpy"], key=MEASURING_ORDER.index)
    launches_s = peaks.launches_s.get(fastest, {})
    curves = {mix: dict(curve) for mix, curve in peaks.bandwidths.items()}
    for size in working_sets:
        for mix, same_mix in kernels_of(fastest, peaks.device).memory(size).items():
            cost = _COSTS[mix]
            scaled = replace(cost, reads=size * cost.reads, writes=size * cost.writes, updates=size * cost.updates)
            known = size / peaks.memory_s(scaled)
            reached = max(best_rate(clock, Trial(each, launches_s.get(mix, 0.0)), known) for each in same_mix)
            if mix in curves and reached > (1 + AGREEMENT) * known:
                curves[mix][size] = reached
    matmul = dict(peaks.matmul)
    for dtype in dtypes if loaded else ():
        kernels = kernels_of(loaded[0], peaks.device)
        rates = (best_rate(clock, Trial(kernels.matmul(dtype, side)), matmul[dtype]) for side in _SIDES)
        if (reached := max(rates)) > (1 + AGREEMENT) * matmul[dtype]:
            matmul[dtype] = reached
    if matmul == peaks.matmul and all(curve == dict(peaks.bandwidths[mix]) for mix, curve in curves.items()):
        return peaks
    bandwidths = {mix: make_monotonic(curve) for mix, curve in curves.items()}
    return replace(peaks, bandwidths=bandwidths, matmul=matmul)
