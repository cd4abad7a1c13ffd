"""Race results of named machines, in one JSON file per machine: saves, loads and chooses them.

If a learner's machine lacks a device, a recording is shown instead. It contains only measured results.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any

from course_utils.core import files
from course_utils.core.errors import CourseError, CourseWarning
from course_utils.core.plain_data import UnknownFields, from_data, to_data
from course_utils.races.result import RaceResult

FORMAT = 2
_DIGITS = 5
"""Significant digits of a recorded number: pages show three, and rounding twice seldom changes them."""


class RecordingDamaged(CourseError):
    """A recording's file cannot be read."""


class RecordingSkipped(CourseWarning):
    """A damaged recording was skipped."""


class NoRecordings(CourseError):
    """The folder for recordings does not exist."""


def folder() -> Path:
    """Return the course's own ``recordings/``, next to the package."""
    return Path(__file__).resolve().parents[2] / "recordings"


def save(results: Iterable[RaceResult], machine: str, into: Path | None = None) -> Path:
    """Add ``results`` to ``<machine>.json`` and return its path; a new result replaces the earlier one of the same race
    and device.

    Args:
        machine: a file name without its suffix, as ``hardware.slug`` returns it.
        into: an existing folder, the course's own unless given.

    Raises:
        NoRecordings: if the folder does not exist.
        RecordingDamaged: if the existing file cannot be read; it stays as it is.
    """
    into = folder() if into is None else into
    if not into.is_dir():
        raise NoRecordings(f"There is no folder {str(into)!r}; create it, or name an existing one.")
    path = into / f"{machine}.json"
    races = {_key(each): each for each in (load_file(path) if path.exists() else [])}
    races |= {_key(each): each for each in results}
    lines = [compact_json(each) for _, each in sorted(races.items())]
    head = f'{{"format": {FORMAT}, "machine": {json.dumps(machine)}, "races": ['
    files.write_atomically(path, head + "\n" + ",\n".join(lines) + "\n]}\n")
    return path


def compact_json(result: RaceResult) -> str:
    """Return the result as JSON with rounded numbers and without default values; ``RaceResult.from_json`` reads it."""
    data = _round_numbers(to_data(result, omit_defaults=True))
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def load(source: Path | None = None) -> list[RaceResult]:
    """Return all recorded results in a folder, in the order of file names; warns of a damaged file and skips it."""
    source = folder() if source is None else source
    results = []
    for path in sorted(source.glob("*.json")):
        try:
            results += load_file(path)
        except RecordingDamaged as damage:
            warnings.warn(str(damage), RecordingSkipped, stacklevel=2)
    return results


def for_missing_devices(race: str, available: Iterable[str], source: Path | None = None) -> list[RaceResult]:
    """Return the recordings of a race on kinds of devices that this machine lacks, newest first, one per machine and
    device.

    Args:
        race: its name.
        available: the devices of this machine; one device counts for all of its kind.
        source: a folder, the course's own unless given.
    """
    kinds = {_kind(device) for device in available}
    recorded = [each for each in load(source) if each.race == race and _kind(each.device) not in kinds]
    newest = {(each.machine, each.device): each for each in sorted(recorded, key=attrgetter("date"))}
    return sorted(newest.values(), key=attrgetter("date"), reverse=True)


def load_file(path: Path) -> list[RaceResult]:
    """Return the results in one recording.

    Raises:
        RecordingDamaged: for a file that is not a recording or cannot be read.
    """
    try:
        return list(_load_version(path, path.stat().st_mtime_ns))
    except OSError as error:
        raise _damage_error(path, error) from error


@lru_cache(maxsize=8)
def _load_version(path: Path, changed_ns: int) -> tuple[RaceResult, ...]:
    """Return the results in one version of a file; cached, because each race of a lesson reads the large file of all
    races.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']!r} is not {FORMAT}")
        return from_data(tuple[RaceResult, ...], data["races"])
    except UnknownFields as unknown:
        raise RecordingDamaged(
            f"The recording {path.name} has {', '.join(unknown.names)}, which this version of the course does not "
            "know; update the course, or delete the file."
        ) from unknown
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise _damage_error(path, error) from error


def _damage_error(path: Path, error: Exception) -> RecordingDamaged:
    return RecordingDamaged(
        f"The recording {path.name} is damaged ({type(error).__name__}: {error}); fetch it again or delete it."
    )


def _round_numbers(data: Any) -> Any:
    """Return the same data with rounded numbers."""
    if isinstance(data, dict):
        return {name: _round_numbers(value) for name, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_round_numbers(value) for value in data]
    return float(f"{data:.{_DIGITS}g}") if isinstance(data, float) else data


def _key(result: RaceResult) -> tuple[str, str, str, int]:
    return result.race, result.machine, result.device, result.threads


def _kind(device: str) -> str:
    return device.partition(":")[0]
