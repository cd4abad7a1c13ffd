"""Lessons' races, raced one lesson after the other and kept after each: a long recording that breaks off loses one lesson.

What a race finds is told as it comes; how a lesson is run, and how a recording is written, is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from course_utils import limits
from course_utils.core import files
from course_utils.core.errors import CourseError
from course_utils.frameworks import devices
from course_utils.races import RaceResult, lesson_runner, recordings

TRIES = 2  # a device that was idle raises its clocks while it is measured: what was unsteady then is not the next time


def record_races(
    chosen: Sequence[Path], device: str, budget_s: float, into: Path, tables: Path, tell: Callable[[str], object]
) -> int:
    """Race the lessons on ``device``, and keep a recording and its table after each, also after an interrupt.

    Args:
        chosen: the lessons.
        device: ``"cpu"``, ``"cuda:0"``, …
        budget_s: seconds for each race.
        into: the folder of recordings.
        tables: the folder of their tables.
        tell: is given a sentence for each race, and for each lesson that was left out or stopped.

    Returns:
        How many races were kept.

    Raises:
        recordings.NoRecordings: when ``into`` does not exist.
        recordings.RecordingDamaged: when a recording that stood there cannot be read.
    """
    wanted = {path: lesson_runner.framework_of(path) for path in chosen}
    there = [path for path, framework in wanted.items() if framework is None or framework in devices.installed()]
    measure_limits(device, [name for name in dict.fromkeys(wanted[path] for path in there) if name], tell)
    kept = 0
    for path in chosen:
        if path not in there:
            tell(f"{path.name} was left out: {wanted[path]} is not installed.")
            continue
        results: list[RaceResult] = []
        try:
            for result in lesson_runner.record(path, device, budget_s):
                results.append(result)
                tell(f"{result.race}: {result.finding()}")
        except lesson_runner.LessonFailed as error:
            tell(str(error))
        finally:
            _keep(results, into, tables)
        kept += len(results)
    return kept


def measure_limits(device: str, frameworks: Sequence[str], tell: Callable[[str], object]) -> None:
    """Measure the limits of ``device`` with these frameworks, where they are not known, so that the results carry them.

    Where they cannot be measured ``tell`` is given a sentence, and the races have none.
    """
    if limits.known(device) is not None:
        return
    for left in reversed(range(TRIES)):
        try:
            limits.measure(device, frameworks=frameworks)
            return
        except CourseError as error:
            if not left:
                tell(f"The races go on without limits: {error}")


def _keep(results: list[RaceResult], into: Path, tables: Path) -> None:
    if results:
        machine = devices.file_name(results[0].machine)
        recorded = recordings.load_file(recordings.save(results, machine, into))
        files.write_atomically(tables / f"{machine}.md", recordings.table(recorded))
