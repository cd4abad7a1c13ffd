"""``fit_parts``: the profiled parts of a line, fitted to its time, with the source lines that they were written in."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from course_utils.counting.line_work import LineWork
from course_utils.counting.operation_kinds import chooses, kind_of
from course_utils.counting.user_code import Statement
from course_utils.counting.work_inside_graphs import InnerWork
from course_utils.explaining.compiled_line_parts import GRAPH_OVERHEAD, OVERHEAD, ROUNDING, Part, profiled_s

_SHORT_S = 2e-5  # TensorFlow's profiler omits some runs of an operation that takes less time than this.
NEGLIGIBLE = 0.005  # Parts that take less than this share of a line have one row together.


def fit_parts(parts: Sequence[Part], statement: Statement, seconds: float, work: LineWork) -> tuple[Part, ...]:
    """Return the parts of the line at ``statement``, so that they add up to its ``seconds``; the rest is the overhead
    of the call.

    If the profiled call took less time than ``seconds``, other programs disturbed these, and each part has the same share of
    both.

    Args:
        work: the line's counts as written, which show the source lines of the operations.
    """
    whole_s = profiled_s(parts)
    parts = [part for part in parts if part.name != OVERHEAD]
    total = sum(part.seconds for part in parts)
    scale = max(seconds / whole_s, min(1.0, seconds / total)) if total else 1.0
    shown = [part for part in parts if scale * part.seconds >= NEGLIGIBLE * seconds]
    fitted = [_locate(part, parts, scale, statement, work) for part in shown]
    small_s, calls = 0.0, 0
    for part in parts:
        if part not in shown:
            small_s, calls = small_s + scale * part.seconds, calls + part.calls
    if small_s >= NEGLIGIBLE * seconds > 0:
        fitted.append(Part("other operations", "other", small_s, calls))
    rest = seconds - sum(part.seconds for part in fitted)
    rest = rest if rest > ROUNDING * seconds else 0.0
    name = OVERHEAD
    if any(part.kind == "call" for part in parts):
        name = GRAPH_OVERHEAD
        is_short = lambda part: part.kind == "operation" and part.seconds < part.calls * _SHORT_S
        fitted = [replace(part, has_short_runs=is_short(part)) for part in fitted]
    return (*fitted, Part(name, "overhead", rest, max(1, work.compiled_calls and work.runs)))


def _locate(part: Part, parts: Sequence[Part], scale: float, statement: Statement, work: LineWork) -> Part:
    """Return the part with its source lines: those where its operations were written, if each was written on one line
    only or runs in no other of ``parts``.
    """
    written: dict[str, set[int]] = defaultdict(set)
    for name, inner in work.compiled_operations:
        if inner != statement:
            written[_compiled_name(name)].add(inner.number)
    names = [name for name in written if _contains(part, name)]
    certain = [name for name in names if len(written[name]) == 1 or _is_only_in(part, parts, name)]
    lines = set[int]().union(*(written[name] for name in certain))
    if part.kind == "operation" and not lines and kind_of(part.name) == "product" and names:
        among = set[int]().union(*(written[name] for name in names))
        # A compiler may rename some of them, for example to `addmm`.
        lines = among if part.calls >= len(among) else set()
    known = work.inner_works.get(part.name) or _as_written(part, work)
    times = part.calls / (known.calls or 1.0)
    # The profiler omits short runs, but lists each run of a kernel in a loop. With XLA, all other runs are inside kernels.
    if part.kind != "operation" or all(other.kind != "kernel" for other in parts):
        times = max(1.0, times)
    arithmetic, tried = (each / (known.seconds or 1.0) for each in (known.arithmetic_s, known.tried_s))
    seconds = scale * part.seconds
    if part.name not in work.inner_works and 0 < known.seconds and seconds < part.calls * _SHORT_S:
        # The profiled call follows other work, so a short operation in it takes longer than in calls that follow each other.
        seconds = min(seconds, times * known.seconds)
    return replace(
        part,
        seconds=seconds,
        reads=part.reads or round(times * known.reads),
        writes=part.writes or round(times * known.writes),
        functions=known.functions or part.functions,
        arithmetic_s=seconds * arithmetic,
        tried_s=seconds * tried,
        is_contiguous=part.name in work.inner_works and not known.is_apart,
        lines=tuple(sorted(lines)),
    )


def _as_written(part: Part, work: LineWork) -> InnerWork:
    """Return the work of the operation that compiled code calls as it is written, such as a product; nothing for a kernel."""
    names = [name for name in work.operation_counts if _compiled_name(name) == _compiled_name(part.name)]
    if part.kind != "operation" or sum(work.operation_counts[name] for name in names) != part.calls:
        return InnerWork()
    sum_of = lambda totals, among: sum(totals.get(name, 0.0) for name in among)
    tried = [name for name in names if work.arithmetic_seconds.get(name) and not chooses(name)]
    return InnerWork(
        part.calls,
        seconds=sum_of(work.operation_seconds, names),
        arithmetic_s=sum_of(work.arithmetic_seconds, names),
        tried_s=sum_of(work.operation_seconds, tried),
    )


def _compiled_name(name: str) -> str:
    """Return the name of an operation in compiled code, which calls a convolution the same for any number of dimensions.

    >>> _compiled_name("conv1d"), _compiled_name("conv3d_backward"), _compiled_name("_fft_c2c")
    ('convolution', 'convolution_backward', 'fft_c2c')
    """
    return re.sub(r"^conv[123]d(?=_backward$|$)", "convolution", name.strip("_"))


def _is_only_in(part: Part, parts: Sequence[Part], name: str) -> bool:
    """Return whether a kernel runs all operations of this name: no other part has it in its name, as `addmm` has `add`."""
    return part.kind == "kernel" and not any(name in other.name for other in parts if other is not part)


def _contains(part: Part, name: str) -> bool:
    if part.kind == "kernel":
        return f"_{name}_" in f"_{part.name.removeprefix('fused ')}_"
    return part.kind == "operation" and _compiled_name(part.name) == name
