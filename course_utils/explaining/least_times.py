"""``LeastTimes``: the least time that this machine needs for a line's work."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.counting.minimum_traffic import BytesMoved
from course_utils.explaining.compiled_line_parts import Part
from course_utils.frameworks.remedy_words import EITHER, RemedyWords
from course_utils.limits import Bound, Cost, Peaks, bound
from course_utils.limits.cost import DTYPES

COLD = 2**30  # No cache holds this many bytes.
CACHED = 2**18  # Each core has a cache that holds this many bytes.
KEPT = 0.7  # A cache keeps a working set that moves at this share of the bandwidth of a small one.


@dataclass(frozen=True)
class LeastTimes:
    """The least times of work on this machine, and what else the measurements of a line depend on.

    Attributes:
        peaks: the limits of this machine; None if they are not known, and then nothing has a floor.
        framework: the name of the framework that runs the operations; None for the fastest.
        profiler: the name of its profiler.
        page_fault_s: the time of one page fault.
        launches_per_read: the number of small operations that take at most as long as reading one value on a CPU.
        remedy_words: what the framework calls the functions that advice on slow code names.
        times_operations_apart: whether the framework's operations are timed in a run of their own.
        uncompiled_modules: the classes of modules that the framework's compiler never compiles.
    """

    peaks: Peaks | None
    framework: str | None
    profiler: str
    page_fault_s: float
    launches_per_read: float = 1.0
    remedy_words: RemedyWords = EITHER
    times_operations_apart: bool = False
    uncompiled_modules: frozenset[str] = frozenset()

    def floor(self, least: BytesMoved, flops: int, dtype: str, launches: int) -> Bound:
        """Return the least time of this work in one launch, and whether the limit that decides it is uncertain; NaN seconds if
        the limits are not known.
        """
        if self.peaks is None:
            return Bound(math.nan, "")
        if not launches:
            return Bound(0.0, "")
        products = flops if dtype in DTYPES else 0
        cost = Cost(*least, flops=products, launches=1, dtype=dtype if products else "float32")
        return bound(cost, self.peaks, self.framework)

    def cold_memory_s(self, bytes_moved: BytesMoved) -> float:
        """Return the seconds in which memory moves these bytes if no cache holds them; 0 if the limits are not known."""
        return self._memory_s_among(bytes_moved, max(COLD, sum(bytes_moved)))

    def cached_memory_s(self, bytes_moved: BytesMoved) -> float:
        """Return the seconds in which a core moves these bytes if its cache holds them; 0 if the limits are not known."""
        return self._memory_s_among(bytes_moved, min(CACHED, sum(bytes_moved)))

    def _memory_s_among(self, bytes_moved: BytesMoved, working_set: int) -> float:
        """Return the seconds in which these bytes move at the bandwidth of another working set."""
        if self.peaks is None or not any(bytes_moved):
            return 0.0
        times = working_set / sum(bytes_moved)
        many = Cost(times * bytes_moved.reads, times * bytes_moved.writes, times * bytes_moved.updates)
        return self.peaks.memory_s(many) / times

    @property
    def cache_bytes(self) -> int:
        """Return the bytes that a cache keeps from one call to the next: the largest working set that is copied as fast as a
        small one; 0 if the limits are not known.
        """
        sizes = self.peaks.copy_bandwidths if self.peaks else ()
        fastest = max((speed for _, speed in sizes), default=0.0)
        return max((size for size, speed in sizes if speed >= KEPT * fastest), default=0)

    def cold_kernels_s(self, parts: Sequence[Part], written_bytes: int, whole_s: float) -> float:
        """Return the most seconds that memory takes for the bytes of generated kernels.

        This is the time to write ``written_bytes`` and read twice as many, or the time of the kernels' known bytes if that is
        shorter. A single kernel of unknown bytes moves the bytes of its whole graph, which takes ``whole_s``.
        """
        kernels = [part for part in parts if part.kind == "kernel"]
        are_known = all(part.reads + part.writes for part in kernels)
        if whole_s and not are_known and len(kernels) == 1 and len(parts) <= 2:
            return whole_s
        known_s = sum(self.cold_memory_s(BytesMoved(part.reads, part.writes, 0)) for part in kernels)
        as_written_s = self.cold_memory_s(BytesMoved(2 * written_bytes, written_bytes, 0))
        return min(known_s, as_written_s) if kernels and are_known else as_written_s

    def memory_s(self, part: Part) -> float:
        """Return the least seconds in which memory moves the bytes of a part; 0 if the limits or the bytes are not
        known.
        """
        if self.peaks is None or not part.calls:
            return 0.0
        return part.calls * self.peaks.memory_s(Cost(part.reads / part.calls, part.writes / part.calls))

    def parts_memory_s(self, parts: Sequence[Part], written_bytes: int, reads_per_write: int) -> float:
        """Return the least seconds in which memory moves ``written_bytes`` and the bytes read for them, in equal shares for
        each run of a part.
        """
        runs = sum(part.calls for part in parts if part.kind != "overhead")
        if self.peaks is None or not runs:
            return 0.0
        return runs * self.peaks.memory_s(Cost(reads_per_write * written_bytes / runs, written_bytes / runs))
