"""Makes an ``Explanation`` of what the profiler measured."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from course_utils import frameworks
from course_utils.core.wording import enumerate_words, pluralize
from course_utils.counting.line_work import LineWork
from course_utils.counting.user_code import NO_STATEMENT, Statement
from course_utils.explaining.assemble_modules import LEAST_SHARE, module_parts, recurrent_module_of, submodules
from course_utils.explaining.compare_with_limits import compare_with_limits
from course_utils.explaining.compiled_line_parts import profiled_s
from course_utils.explaining.explanation import Explanation, Line
from course_utils.explaining.fitted_parts import fit_parts
from course_utils.explaining.least_times import LeastTimes
from course_utils.explaining.operation_remedies import attention_remedies
from course_utils.explaining.profiler import MAX_WARM_UPS
from course_utils.explaining.raw_profile import RawProfile
from course_utils.explaining.reasons import reason_of
from course_utils.explaining.rules import NEAR_FLOOR
from course_utils.explaining.source_code import differentiates_twice, function_of, nodes_of, source_of
from course_utils.frameworks import devices, torch_internals
from course_utils.frameworks.framework_interface import Framework
from course_utils.limits import Peaks
from course_utils.timing.page_faults import page_fault_s


def assemble_explanation(
    fn: Any,
    framework: Framework,
    profile: RawProfile,
    peaks: Peaks | None,
    device: str,
    threads: int,
    requested_threads: int,
    has_raised_limits: bool = False,
) -> Explanation:
    """Return the explanation of a call of ``fn``, with a reason for each line.

    ``framework`` is the framework whose operations ``fn`` runs. ``threads`` is the number of threads that operations could use,
    and ``requested_threads`` the number that the caller asked for.
    ``has_raised_limits`` says whether the peaks are higher than the saved ones of this machine.
    """
    is_loaded = framework is not frameworks.NO_FRAMEWORK
    name_in_peaks = framework.name if is_loaded else None
    least_times = LeastTimes(
        peaks,
        name_in_peaks,
        framework.profiler_name,
        page_fault_s(),
        framework.launches_per_read,
        framework.remedy_words,
        framework.times_operations_apart,
        framework.uncompiled_modules,
    )
    original = torch_internals.original_function(fn)
    name = getattr(fn, "__name__", "") or type(getattr(original, "__self__", original)).__name__
    lines = tuple(_lines(name, getattr(fn, "__globals__", {}), profile, least_times))
    whole, launches = profile.counted_lines, sum(line.counts.launches for line in lines)
    floor_s = least_times.floor(whole.minimum_traffic, whole.flops, whole.dtype, launches).seconds
    return Explanation(
        name=name,
        measured_s=profile.measured_s,
        quartiles_s=profile.quartiles_s,
        first_call_s=None if profile.always_compiles else profile.first_call_s,
        floor_s=min(floor_s, profile.measured_s),  # NaN stays NaN
        lines=lines,
        runs=profile.times,
        device=device,
        threads=threads,
        machine=devices.describe(device),
        date=datetime.datetime.now().isoformat(" ", timespec="minutes"),
        versions=frameworks.versions(),
        notes=(
            *_notes(lines, profile, least_times, has_raised_limits),
            *_threads_notes(threads, requested_threads),
        ),
        modules=tuple(submodules(profile, least_times, lines)),
        uncompiled_s=profile.uncompiled_s,
    )


def _lines(name: str, names: Mapping[str, Any], profile: RawProfile, least_times: LeastTimes) -> Iterator[Line]:
    device = least_times.peaks.device if least_times.peaks else "cpu"
    in_attention = attention_remedies(profile.counted_lines, device)
    statements = {*profile.seconds, *profile.counted_lines.lines}
    twice = any(differentiates_twice(nodes_of(each)) for each in statements)
    for statement in sorted(statements, key=lambda each: (each == NO_STATEMENT, each)):
        seconds, work = profile.seconds.get(statement, 0.0), _work(statement, profile)
        if statement not in profile.seconds and not work.ops:
            continue  # It ran only while the call was counted.
        is_outside = statement == NO_STATEMENT and not work.ops
        if is_outside and seconds < LEAST_SHARE * profile.measured_s and len(statements) > 1:
            continue
        parts = profile.parts.get(statement, ())
        # A reason is decided by the undisturbed time, so that a busy machine changes no reason.
        undisturbed_s = profile.undisturbed_share * seconds
        measurements = compare_with_limits(statement, undisturbed_s, work, least_times, names, parts)
        measurements = replace(
            measurements,
            shown_s=seconds,
            release_s=least_times.page_fault_s * profile.new_pages,
            waited_s=profile.waited_s,
            attention_remedy=in_attention.get(statement, ""),
            recurrent_module=recurrent_module_of(
                least_times.uncompiled_modules, profile, None if measurements.is_backward else statement
            ),
            differentiates_twice=twice,
            is_outside=is_outside and len(statements) > 1,
        )
        reason = reason_of(measurements)
        # Only the times of the parts are undisturbed, so they are scaled to the times of the lines.
        shown_parts = [replace(part, seconds=part.seconds / (profile.undisturbed_share or 1.0)) for part in parts]
        # Modules are timed in a call without the compiler, so their times say nothing about a compiled line.
        modules = () if measurements.is_compiled else module_parts(statement, seconds, profile)
        yield Line(
            file=statement.file,
            number=statement.number,
            function=function_of(statement),
            source=source_of(statement) if statement != NO_STATEMENT else f"{name}(…)",
            seconds=seconds,
            counts=work,
            floor_s=measurements.floor_s,
            reason=reason.name,
            finding=reason.describe(measurements),
            advice=reason.advise(measurements),
            lesson=reason.lesson_for(measurements),
            parts=fit_parts(shown_parts, statement, seconds, work) if parts else modules,
        )


def _work(statement: Statement, profile: RawProfile) -> LineWork:
    work = profile.counted_lines.lines.get(statement, LineWork())
    if statement in profile.given_up:
        work = replace(work, compiled_calls=0, compiled_operations={})
    # The profiler saw compiled code in an interrupted statement; a backward pass shows no call of compiled code.
    if statement in profile.interrupted:
        work = replace(work, compiled_calls=max(1, work.compiled_calls))
    return replace(
        work,
        runs=profile.runs.get(statement, 1),
        library_calls=profile.library_calls.get(statement, 0),
        python_calls=profile.python_calls.get(statement, 0),
        page_faults=profile.faults.get(statement, 0),
        is_cut_short=statement in profile.counted_lines.cut_short,
    )


def _notes(
    lines: Sequence[Line], profile: RawProfile, least_times: LeastTimes, has_raised_limits: bool
) -> Iterator[str]:
    compiled = [_place(line.number) for line in lines if line.is_compiled]
    if profile.always_compiles:
        first = pluralize(1 + MAX_WARM_UPS, "run")
        yield f"Each of the first {first} of the call compiled something{least_times.remedy_words.recompiles}."
    if compiled:
        yield f"The operations of compiled code, in {enumerate_words(compiled)}, are counted as they are written."
    if profile.given_up:
        places = enumerate_words([_place(each.number) for each in sorted(profile.given_up)])
        yield f"`torch.compile` has compiled nothing that runs in {places}: find out why with `graphs`."
    if profile.interrupted:
        places = enumerate_words([_place(each.number) for each in sorted(profile.interrupted)])
        yield f"Other programs interrupted the operations in {places} in every profiled call, so their times are not shown: explain the call again."
    if any(profiled_s(parts) * NEAR_FLOOR < profile.seconds.get(each, 0.0) for each, parts in profile.parts.items()):
        yield "Other programs slowed down the call: reasons and findings are those of its fastest run."
    if has_raised_limits:
        yield (
            "This machine ran faster just before or after this call than when its limits were measured, so the floors use the higher limits. "
            "Press Measure again in lesson 00's `machine()`."
        )
    elif any(_has_uncertain_floor(line.counts, least_times) for line in lines):
        yield "Some floors are uncertain, because no second measurement agrees with their limits: press Measure again in lesson 00's `machine()`."
    if not profile.counted_lines.complete:
        yield (
            "Counting took too long and was stopped: lines count as if all their runs did the same, and nothing is counted of what "
            "the code does last."
        )
    elif profile.counted_lines.sampled:
        yield "If a line runs very often, only some of its runs are counted, and the others are assumed to do the same."


def _threads_notes(threads: int, requested_threads: int) -> Iterator[str]:
    if threads != requested_threads:
        yield (
            f"Operations used up to {pluralize(threads, 'thread')} instead of {requested_threads}: TensorFlow's first operation "
            "fixes the number."
        )


def _has_uncertain_floor(work: LineWork, least_times: LeastTimes) -> bool:
    return least_times.floor(work.minimum_traffic, work.flops, work.dtype, work.launches).uncertain


def _place(number: int) -> str:
    return f"line {number}" if number else "the call"
