"""``RawProfile``: what the profiler's runs of one call measured. Plain values."""

from __future__ import annotations

import mmap
from dataclasses import dataclass

from course_utils.counting.by_line import CountedLines
from course_utils.counting.by_module import ModulePath
from course_utils.counting.line_work import LineWork
from course_utils.counting.user_code import Statement
from course_utils.explaining.compiled_line_parts import Parts
from course_utils.explaining.module_times import ModuleTime


@dataclass(frozen=True)
class RawProfile:
    """What the runs measured.

    Attributes:
        measured_s: seconds of the plain call, the median.
        quartiles_s: the first and the third quartile of these seconds.
        undisturbed_share: the share of ``measured_s`` in which no other program interrupted the plain call, as far as the
            system reports it.
        seconds: each statement's own seconds; together they are ``measured_s``.
        counted_lines: what each statement did.
        runs: how often each statement ran in one call.
        library_calls: how many Python functions of libraries each statement called in one call.
        python_calls: how many of these neither belong to a framework nor run on behalf of one.
        waited_s: seconds of the plain call in which it waited for a file, a thread or another process; 0 if that is not known.
        faults: the pages that the system provided for each statement; {} for a slow call.
        times: how often the code ran.
        first_call_s: seconds of the first call, if it compiled something; else None.
        always_compiles: whether each of the first calls compiled something.
        parts: the work inside each statement that runs compiled code.
        given_up: the statements whose code the compiler gave up: it compiled nothing, so not even guards are checked there.
        interrupted: the statements without ``parts`` because other programs interrupted them in every profiled call.
        modules: the time of each module that ran; if compiled code ran, in a call without the compiler.
        module_works: what each module did.
        uncompiled_s: seconds of the call without the compiler; None if the call runs no compiled code, or no module.
    """

    measured_s: float
    quartiles_s: tuple[float, float]
    undisturbed_share: float
    waited_s: float
    seconds: dict[Statement, float]
    counted_lines: CountedLines
    runs: dict[Statement, int]
    library_calls: dict[Statement, int]
    python_calls: dict[Statement, int]
    faults: dict[Statement, int]
    times: int
    first_call_s: float | None
    always_compiles: bool
    parts: Parts
    given_up: set[Statement]
    interrupted: set[Statement]
    modules: dict[ModulePath, ModuleTime]
    module_works: dict[ModulePath, LineWork]
    uncompiled_s: float | None

    @property
    def new_pages(self) -> float:
        """Return the pages that the system provides for one call; the pages of all new tensors if no page faults were counted."""
        new_bytes = sum(work.bytes for work in self.counted_lines.lines.values())
        return sum(self.faults.values()) if self.faults else new_bytes / mmap.PAGESIZE
