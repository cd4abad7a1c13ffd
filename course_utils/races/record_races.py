"""Records the races of several lessons, saving after each lesson, so that an interrupted recording loses one lesson at
most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from course_utils import frameworks, limits
from course_utils.core import files
from course_utils.core.errors import CourseError
from course_utils.frameworks import hardware
from course_utils.races import RaceResult, lesson_runner, recordings
from course_utils.races.finding import finding
from course_utils.races.markdown_table import markdown_table

TRIES = 2
"""An idle device raises its clocks while its limits are measured, so a second try is often steady."""


def record_races(
    lessons: Sequence[Path], device: str, budget_s: float, into: Path, tables: Path, report: Callable[[str], object]
) -> int:
    """Race the lessons on ``device`` and return how many results were saved; a lesson's results are saved even if it is
    interrupted.

    Args:
        lessons: the lessons' notebooks.
        device: ``"cpu"``, ``"cuda:0"``, …
        budget_s: seconds for each race.
        into: the folder of recordings.
        tables: the folder of their tables.
        report: called with a sentence for each race, and for each lesson that was skipped or stopped.

    Raises:
        limits.LimitsWithoutDevice: if the installed frameworks lack the device; no lesson is run.
        recordings.NoRecordings: if ``into`` does not exist.
        recordings.RecordingDamaged: if an existing recording cannot be read.
    """
    framework_of = {path: lesson_runner.lesson_framework(path) for path in lessons}
    runnable = [path for path, name in framework_of.items() if name is None or name in frameworks.installed_versions()]
    measure_limits(device, [name for name in dict.fromkeys(framework_of[path] for path in runnable) if name], report)
    saved = 0
    for path in lessons:
        if path not in runnable:
            report(f"{path.name} was skipped: {framework_of[path]} is not installed.")
            continue
        results: list[RaceResult] = []
        try:
            for result in lesson_runner.run_lesson(path, device, budget_s):
                results.append(result)
                report(f"{result.race}: {finding(result)}")
        except lesson_runner.LessonFailed as error:
            report(str(error))
        finally:
            _save(results, into, tables)
        saved += len(results)
    return saved


def measure_limits(device: str, frameworks: Sequence[str], report: Callable[[str], object]) -> None:
    """Measure the limits of ``device`` with these frameworks, unless they are known, so that the results contain them.

    If they cannot be measured, ``report`` is called with a sentence and the races have no limits.

    Raises:
        limits.LimitsWithoutDevice: if the frameworks lack the device, so that no race could run.
    """
    if limits.load_peaks(device) is not None:
        return
    for tries_left in reversed(range(TRIES)):
        try:
            limits.measure_peaks(device, frameworks=frameworks)
            return
        except limits.LimitsWithoutDevice:
            raise
        except CourseError as error:
            if not tries_left:
                report(f"The races have no limits: {error}")


def _save(results: list[RaceResult], into: Path, tables: Path) -> None:
    if results:
        machine = hardware.slug(results[0].machine)
        recorded = recordings.load_file(recordings.save(results, machine, into))
        files.write_atomically(tables / f"{machine}.md", markdown_table(recorded))
