"""``LineMeasurements``: a line's time and the least time of each kind of its work, from which its reason is decided."""

from __future__ import annotations

import mmap
from collections.abc import Mapping
from dataclasses import dataclass

from course_utils.counting.line_work import LineWork
from course_utils.counting.operation_kinds import chooses, kind_of
from course_utils.counting.work_inside_graphs import WHOLE_GRAPH, InnerWork
from course_utils.explaining.compiled_line_parts import GUARD_CHECKS, Part
from course_utils.explaining.thresholds import CLEAR_LEAD, HARDLY_LONGER, LAUNCHES_PER_WAIT, LONG
from course_utils.frameworks.remedy_words import EITHER, RemedyWords


@dataclass(frozen=True)
class LineMeasurements:
    """The measurements of one line.

    Attributes:
        seconds: the time of the line.
        work: its counts.
        floor_s: the least time that any version of the line takes; NaN if the machine's limits are not known.
        shown_s: the time that the table shows for it, in which other programs may have slowed it down; 0 if that is ``seconds``.
        exceeds_limit: whether the line takes clearly less time than its floor, because a limit was measured too low.
        start_s: the time of a small addition.
        launch_s: the seconds of its launches if each takes as long as a small addition.
        waits: how often it synchronizes. On a CPU, only reads of values count: nothing runs concurrently with Python.
        launches_per_wait: how many launches take at most as long as one of these waits.
        numpy_passes: how often it passed values from a tensor to NumPy or back.
        pass_s: the seconds of these passes if each takes as long as a small addition; ``seconds`` if the limits are not known.
        cold_memory_s: the time of the bytes that its operations moved, at the bandwidth of data that no cache holds.
        cold_kernels_s: the most seconds that the bytes of its generated kernels take at this bandwidth.
        cache_bytes: the most bytes that a cache keeps from one call to the next.
        cached_memory_s: the time of the bytes that its operations moved, at the bandwidth of data that a core's cache holds.
        sync_s: the seconds of its synchronizations if each takes as long as a small addition; ``seconds`` if the limits are not known.
        memory_s: the time of the bytes that its operations moved, at this machine's bandwidth.
        product_s: the time of its flops, at this machine's peak of matrix products.
        arithmetic_s: the time of one operation for each new element, at half that peak, because it counts a multiply-add twice.
        operation_s: seconds inside its operations, at most ``seconds``; all of them on an accelerator.
        has_operation_times: whether the clock showed ``operation_s``; not on an accelerator.
        are_operations_timed_apart: whether ``operation_s`` comes from another run, which reuses memory and may take less time.
        conversion_s: seconds in which it converted Python objects, but no arrays, to tensors.
        page_fault_s: the time in which the system provided new memory.
        release_s: the most time that the release of the call's memory takes: as long as all of its page faults.
        waited_s: the most time that it waits for a file, a thread or another process: as long as the whole call.
        names_numpy: whether the line names NumPy.
        has_comprehension: whether Python iterates within the line.
        starts_loop: whether the line is the head of a ``for`` loop.
        is_backward: whether the line calls a backward pass; ``differentiates_twice``: whether the call records such a pass.
        operations_written: the number of operations and calls in the line's source, without those that take no time;
            ``has_longer_steps``: whether it has such calls, or collections or texts that Python builds or searches.
        short_dtypes: shorter dtypes in which this machine multiplies at least 1.5 times as fast as in the line's own dtype.
        attention_remedy: what to try if the line is part of attention that is written out; "" if it is not.
        recurrent_module: the class of a recurrent module whose steps, or their backward pass, the line runs; "" if there is none.
        is_outside: whether it is the time outside all lines of a call that has lines.
        groups_by_key: whether its source adds to what a dictionary has for a key.
        profiler: the name of the framework's profiler.
        remedy_words: what the framework calls the functions that advice on slow code names.
        parts: the work inside it, if it runs compiled code and the framework's profiler shows it.
        parts_memory_s: for each part, the time of the bytes that it moved, at this machine's bandwidth; 0 if these are unknown.
        least_parts_memory_s, most_parts_memory_s: if the framework's profiler shows no bytes: the least and the most time that
            memory needs if each of ``parts`` writes an equal share of the new tensors and reads as much, or twice as much.
    """

    seconds: float
    work: LineWork
    floor_s: float
    launch_s: float
    sync_s: float
    memory_s: float
    product_s: float
    operation_s: float
    conversion_s: float
    page_fault_s: float
    names_numpy: bool
    has_comprehension: bool
    operations_written: int
    has_longer_steps: bool = True
    short_dtypes: tuple[str, ...] = ()
    starts_loop: bool = False
    is_backward: bool = False
    differentiates_twice: bool = False
    attention_remedy: str = ""
    recurrent_module: str = ""
    is_outside: bool = False
    groups_by_key: bool = False
    profiler: str = ""
    parts: tuple[Part, ...] = ()
    parts_memory_s: tuple[float, ...] = ()
    exceeds_limit: bool = False
    shown_s: float = 0.0
    least_parts_memory_s: float = 0.0
    most_parts_memory_s: float = 0.0
    waits: int = 0
    launches_per_wait: float = LAUNCHES_PER_WAIT
    arithmetic_s: float = 0.0
    remedy_words: RemedyWords = EITHER
    numpy_passes: int = 0
    has_operation_times: bool = True
    are_operations_timed_apart: bool = False
    pass_s: float = 0.0
    cold_memory_s: float = 0.0
    cached_memory_s: float = 0.0
    cold_kernels_s: float = 0.0
    start_s: float = 0.0
    cache_bytes: int = 0
    release_s: float = 0.0
    waited_s: float = 0.0

    @property
    def is_below_limit(self) -> bool:
        """Return whether it exceeds a limit, and the time that the table shows does not contradict that."""
        return self.exceeds_limit and self.shown_s <= self.seconds

    @property
    def hardware_s(self) -> float:
        """Return the least time of the work that its operations do, each as fast as this machine allows."""
        return max(self.memory_s + self.page_fault_s, self.product_s)

    @property
    def python_s(self) -> float:
        """Return the seconds outside its operations: Python's, and other libraries'."""
        return self.seconds - self.operation_s

    @property
    def arithmetic_shown_s(self) -> float:
        """Return the seconds that its operations would take without their calls if the cache held all values, if known."""
        graph = self.work.inner_works.get(WHOLE_GRAPH, InnerWork())
        if graph.arithmetic_s:
            return self.seconds * graph.arithmetic_s / graph.seconds
        if self.is_compiled:
            return sum(part.arithmetic_s for part in self.parts)
        all_s = sum(self.work.operation_seconds.values()) or 1.0
        return self.operation_s * min(1.0, sum(self.work.arithmetic_seconds.values()) / all_s)

    @property
    def tried_s(self) -> float:
        """Return the seconds in operations that ran again on values in the cache, except operations that choose.

        A processor learns to predict the choices on a few values, so it saves more than the time of memory there.
        """
        if self.is_compiled:
            return sum(part.tried_s for part in self.parts)
        seconds, tried = self.work.operation_seconds, self.work.arithmetic_seconds
        tried_s = sum(spent for name, spent in seconds.items() if tried.get(name) and not chooses(name))
        return self.operation_s * tried_s / (sum(seconds.values()) or 1.0)

    @property
    def has_tried_graph(self) -> bool:
        """Return whether its graph ran on so few values that the cache holds them."""
        return self.work.inner_works.get(WHOLE_GRAPH, InnerWork()).arithmetic_s > 0

    @property
    def unlisted_s(self) -> float:
        """Return the seconds of a graph's long operations that the framework's profiler does not list."""
        listed = {part.name: part.seconds for part in self.parts}
        works = {name: each for name, each in self.work.inner_works.items() if name != WHOLE_GRAPH}
        # The profiler also leaves out short operations, whose time is mostly call overhead.
        long_s = {
            name: each.seconds for name, each in works.items() if each.seconds >= LONG * self.start_s * each.calls
        }
        return sum(max(0.0, seconds - listed.get(name, 0.0)) for name, seconds in long_s.items())

    @property
    def small_parts_s(self) -> float:
        """Return the seconds of operations inside a graph that run repeatedly and take hardly longer than their calls."""
        repeated = (part for part in self.parts if part.kind == "operation" and part.calls > 1)
        return sum(part.seconds for part in repeated if part.seconds <= HARDLY_LONGER * self.start_s * part.calls)

    @property
    def is_compiled(self) -> bool:
        """Return whether it calls a graph or compiled code, whose operations are counted as written."""
        return self.work.compiled_calls > 0 or bool(self.parts)

    @property
    def allocates_inside(self) -> bool:
        """Return whether most of its new pages are not of its tensors, but memory that an operation or Python uses for itself."""
        return not self.is_compiled and self.work.page_faults * mmap.PAGESIZE > 2 * self.work.bytes

    def parts_s(self, kind: str) -> float:
        """Return the seconds in parts of one kind: ``"overhead"``, ``"kernel"``, ``"product"`` or another kind."""
        return sum(part.seconds for part in self.parts if kind in (part.kind, kind_of(part.name)))

    @property
    def parts_apart_s(self) -> float:
        """Return the seconds in kernels that are known to read or write values that are not neighbors in memory."""
        works = self.work.inner_works
        return sum(part.seconds for part in self.parts if works.get(part.name, InnerWork()).is_apart)

    @property
    def checks_guards(self) -> bool:
        """Return whether the framework's profiler shows that the call of compiled code checks its guards."""
        return any(part.name == GUARD_CHECKS for part in self.parts)

    @property
    def kernel_bytes(self) -> int:
        """Return the bytes that generated kernels moved, as far as they are known."""
        return sum(part.reads + part.writes for part in self.parts)

    @property
    def must_touch(self) -> int:
        """Return the bytes that any version of the line reads or writes."""
        least = self.work.minimum_traffic
        return least.reads + least.writes + 2 * least.updates

    def share_of(self, *kinds: str) -> float:
        """Return the share of its operations' seconds in operations of these kinds, as ``kind_of`` names them."""
        seconds = self.work.operation_seconds
        among = sum(spent for name, spent in seconds.items() if kind_of(name) in kinds)
        return among / (sum(seconds.values()) or 1.0)

    @property
    def strided_share(self) -> float:
        """Return the share of its operations' seconds in operations on values that are not neighbors in memory."""
        return self.work.strided_s / (sum(self.work.operation_seconds.values()) or 1.0)

    @property
    def busiest(self) -> str:
        """Return the operation in which it spends the most time, as the framework names it."""
        return self.busiest_of()

    def busiest_of(self, *kinds: str) -> str:
        """Return the operation of these kinds in which it spends the most time; of any kind if it has none of these."""
        among = self._seconds_of(*kinds)
        return max(among, key=among.__getitem__, default="one operation").strip("_")

    def has_one_for_most(self, *kinds: str) -> bool:
        """Return whether ``busiest_of`` these kinds takes more than half of their time."""
        seconds = self._seconds_of(*kinds)
        return len(seconds) <= 1 or 2 * max(seconds.values()) > sum(seconds.values())

    def has_leader(self, *kinds: str) -> bool:
        """Return whether ``busiest_of`` these kinds takes most of their time, or clearly longer than each other one."""
        first, second, *_ = [*sorted(self._seconds_of(*kinds).values(), reverse=True), 0.0, 0.0]
        return self.has_one_for_most(*kinds) or first >= CLEAR_LEAD * second

    @property
    def leading(self) -> str:
        """Return ``busiest`` if its lead is clear, else ""."""
        return self.busiest if self.has_leader() else ""

    def _seconds_of(self, *kinds: str) -> Mapping[str, float]:
        parts = {part.name: part.seconds for part in self.parts if part.kind != "overhead"}
        seconds = parts or self.work.operation_seconds
        return {name: spent for name, spent in seconds.items() if kind_of(name) in kinds} or seconds
