"""The modules that a call runs: as the parts of a line, and as a tree."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from course_utils.counting.line_work import LineWork
from course_utils.counting.user_code import NO_STATEMENT, Statement
from course_utils.explaining.compare_with_limits import compare_with_limits
from course_utils.explaining.compiled_line_parts import ROUNDING, Part
from course_utils.explaining.explanation import Line, Submodule
from course_utils.explaining.least_times import LeastTimes
from course_utils.explaining.module_times import ModuleTime
from course_utils.explaining.raw_profile import RawProfile
from course_utils.explaining.reasons import reason_of
from course_utils.explaining.thresholds import MOST

LEAST_SHARE = 0.01  # A part, or the time outside all lines, is shown if it takes at least this share of the call.
MANY_MODULES = 8  # A line that runs more modules shows them by class: their names are in the tree.


def recurrent_module_of(classes: Collection[str], profile: RawProfile, statement: Statement | None) -> str:
    """Return the first of ``classes`` whose modules take most of the time of the statement's modules, or of all modules if it is
    None; "" if none does.
    """
    modules = {path: each for path, each in profile.modules.items() if statement in (None, each.statement)}
    is_outermost = lambda path: not any(path[:depth] in modules for depth in range(1, len(path)))
    whole_s = sum(each.seconds for path, each in modules.items() if is_outermost(path))
    kinds = dict.fromkeys(path[-1].kind for path in modules if path[-1].kind in classes)
    seconds_of = lambda kind: sum(each.seconds for path, each in modules.items() if path[-1].kind == kind)
    return next((kind for kind in kinds if seconds_of(kind) >= MOST * whole_s), "")


def module_parts(statement: Statement, seconds: float, profile: RawProfile) -> tuple[Part, ...]:
    """Return the modules that a statement runs without other lines of the learner in between; () for fewer than two.

    Many modules have one part for each class. Modules that take little of the call have one part together.
    """
    paths = [path for path, module in profile.modules.items() if module.statement == statement]
    around = {path[:depth] for path in paths for depth in range(1, len(path))}
    inner = [path for path in paths if path not in around]
    if len(inner) < 2:
        return ()
    by_name: dict[str, list[ModuleTime]] = {}
    for path in inner:
        name, kind = path[-1]
        by_name.setdefault(kind if len(inner) > MANY_MODULES else f"{name} ({kind})", []).append(profile.modules[path])
    total_s = sum(profile.modules[path].seconds for path in inner)
    scale = min(1.0, seconds / (total_s or 1.0))
    parts = [
        Part(name, "module", scale * sum(each.seconds for each in times), sum(each.runs for each in times))
        for name, times in by_name.items()
    ]
    shown = [part for part in parts if part.seconds >= LEAST_SHARE * profile.measured_s]
    rest_s = seconds - sum(part.seconds for part in shown)
    rest = [Part("other work", "module", rest_s, 1)] if shown and rest_s > ROUNDING * seconds else []
    return (*sorted(shown, key=lambda part: -part.seconds), *rest)


def submodules(profile: RawProfile, least_times: LeastTimes, lines: Sequence[Line]) -> Iterator[Submodule]:
    """Yield the modules that the call runs. A module that runs all operations of a line has the line's reason."""
    # Times in a call without the compiler are not scaled to the plain call, so they don't contain its disturbance.
    undisturbed = profile.undisturbed_share if profile.uncompiled_s is None else 1.0
    for path, module in profile.modules.items():
        work = profile.module_works.get(path, LineWork())
        work = replace(work, runs=module.runs, page_faults=module.page_faults)
        measurements = compare_with_limits(NO_STATEMENT, undisturbed * module.seconds, work, least_times, {})
        measurements = replace(measurements, shown_s=module.seconds)
        reason, line = reason_of(measurements), _line_of(module.statement, work, lines)
        yield Submodule(
            name=path[-1].name,
            kind=path[-1].kind,
            depth=len(path) - 1,
            runs=module.runs,
            seconds=module.seconds,
            floor_s=measurements.floor_s,
            reason=line.reason if line else reason.name,
            finding=line.finding if line else reason.describe(measurements),
            advice=line.advice if line else reason.advise(measurements),
        )


def _line_of(statement: Statement, work: LineWork, lines: Sequence[Line]) -> Line | None:
    """Return the statement's line if it is uncompiled and runs exactly the operations of a module's ``work``; else None."""
    line = next((line for line in lines if (line.file, line.number) == statement), None)
    operations = None if line is None or line.is_compiled else line.counts.operation_counts
    return line if operations and operations == work.operation_counts else None
