"""``explain``: one call, line by line."""

from __future__ import annotations

import datetime
import functools
import linecache
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from course_utils import frameworks, limits, timing
from course_utils.core.errors import CourseError, strip_course_frames
from course_utils.counting.line_work import LineWork
from course_utils.counting.user_code import NO_STATEMENT, UserCode
from course_utils.explaining.explanation import Explanation, Line
from course_utils.explaining.line_measurements import evidence, floor
from course_utils.explaining.profiler import Profiler, RawProfile
from course_utils.explaining.reachable_state import State
from course_utils.explaining.reasons import lesson_of, reason_of
from course_utils.frameworks import devices, runtime, tensor_trees
from course_utils.limits import Peaks
from course_utils.sandbox.wait_message import show_status
from course_utils.timing.clock_lock import exclusive_clock, no_garbage_collection
from course_utils.timing.page_faults import page_fault_s

LEAST_SHARE = 0.01  # what the call does outside of all lines is shown from this share on


class ExplainError(CourseError):
    """Something was given to ``explain`` that cannot be called again and again."""


def explain(
    fn: Callable[..., Any], /, *args: Any, device: str | None = None, threads: int = 1, **kwargs: Any
) -> Explanation:
    """Call ``fn`` a few times and tell where its time goes, line by line; as the last line of a cell it shows itself.

    Each run begins with the same values: tensors, modules, optimizers, lists and generators of random numbers that the
    function changes are put back after it, among the arguments and among what it knows by name. What it prints is shown
    once. A call of more than a second runs three times in all; ``Explanation.runs`` is the total.

    Args:
        fn: a function, a method, a module.
        args, kwargs: what to call it with.
        device: where the tensors are to be, ``"cuda:0"``; where they are unless told.
        threads: threads that an operation may use on the CPU.

    Returns:
        The ``Explanation``. The floors are this machine's; where its limits are not known they are measured first, once.

    Raises:
        ExplainError: for what cannot be called, or an argument that can be gone through only once.
        devices.DeviceMissing: when the device is not there.
        Exception: whatever the code raises, as it raised it.
    """
    _validate(fn, args, kwargs, threads)
    device = devices.require(device) if device else _device_of((args, kwargs))
    if device != _device_of((args, kwargs)):
        args, kwargs = tensor_trees.to_device((args, kwargs), device)
    own = UserCode(fn)
    try:
        with runtime.threads(threads) as in_force:
            peaks = limits.load_peaks(device, in_force) or _limits_first(device, in_force)
            with exclusive_clock(None), no_garbage_collection(), runtime.device_scope(device):
                profiler = Profiler(
                    functools.partial(fn, *args, **kwargs),
                    own,
                    State(own, fn, (args, kwargs)),
                    timing.stopwatch(device),
                    runtime.synchronizers(device),
                )
                profile = profiler.profile()
    except BaseException as error:
        strip_course_frames(error)
        raise
    return _explanation(fn, profile, peaks, device, in_force)


def _explanation(fn: Any, profile: RawProfile, peaks: Peaks | None, device: str, threads: int) -> Explanation:
    names = getattr(fn, "__globals__", {})
    framework = next((each.name for each in frameworks.loaded()), None)
    name = getattr(fn, "__name__", type(fn).__name__)
    places = sorted({*profile.seconds, *profile.counted.lines}, key=lambda place: (place == NO_STATEMENT, place))
    lines = []
    for place in places:
        seconds = profile.seconds.get(place, 0.0)
        counts = profile.counted.lines.get(place, LineWork())
        counts = replace(counts, runs=profile.runs.get(place, 1), page_faults=profile.faults.get(place, 0))
        if place == NO_STATEMENT and not counts.ops and seconds < LEAST_SHARE * profile.measured_s and len(places) > 1:
            continue
        known = evidence(place, seconds, counts, peaks, framework, page_fault_s(), names)
        reason = reason_of(known)
        source = linecache.getline(place.file, place.number).strip() if place != NO_STATEMENT else f"{name}(…)"
        lines.append(
            Line(
                place.file, place.number, source, seconds, counts, known.floor_s, reason.name, reason.describe(known),
                reason.advice, lesson_of(known, reason),
            )
        )  # fmt: skip
    launches = sum(line.counts.launches for line in lines)
    whole = profile.counted
    return Explanation(
        name=name,
        measured_s=profile.measured_s,
        floor_s=math.nan if peaks is None else floor(whole.least, whole.flops, whole.dtype, launches, peaks, framework),
        lines=tuple(lines),
        runs=profile.times,
        device=device,
        threads=threads,
        machine=devices.describe(device),
        date=datetime.datetime.now().isoformat(" ", timespec="minutes"),
        versions=frameworks.versions(),
        notes=tuple(_notes(lines, profile)),
    )


def _notes(lines: list[Line], profile: RawProfile) -> Iterator[str]:
    compiled = [f"line {line.number}" if line.number else "the call" for line in lines if line.counts.compiled_calls]
    if compiled:
        yield (
            f"A graph or compiled code is seen as a whole, in {' and '.join(compiled)}; its operations are counted as they "
            "are written."
        )
    if not profile.counted.complete:
        yield "Counting took too long and was ended: of what comes last in the code nothing was counted."
    elif profile.counted.sampled:
        yield "Of lines that run very often some runs were counted; the others are taken to be like them."


def _validate(fn: Any, args: tuple, kwargs: dict, threads: Any) -> None:
    if not callable(fn):
        raise ExplainError(
            f"explain was given {frameworks.of(fn).type_phrase(fn)}, which cannot be called; give the function itself and then "
            "its arguments, as in explain(step, x)."
        )
    for value in (*args, *kwargs.values()):
        if hasattr(value, "__next__"):
            raise ExplainError(
                f"The argument {type(value).__name__} can be gone through only once, and explain calls the function several "
                "times; give a list."
            )
    if not isinstance(threads, int) or threads < 1:
        raise ExplainError(f"threads={threads!r} cannot compute anything; give 1 or more.")


def _device_of(tree: Any) -> str:
    found = {frameworks.of(tensor).device_of(tensor) for tensor in tensor_trees.tensors(tree)} - {"cpu"}
    return min(found, default="cpu")


def _limits_first(device: str, threads: int) -> Peaks | None:
    """Measure this machine's limits, and say so for as long as it lasts."""
    with show_status("First, and only once, the limits of this machine are measured; that takes about ten seconds."):
        return limits.ensure_peaks(device, threads)
