"""Race results of named machines, one JSON file a machine: save, load, choose.

A recording stands in where a learner's machine lacks a device; it holds only what was measured.
"""

from __future__ import annotations

import dataclasses
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from course_utils import frameworks
from course_utils.core import files
from course_utils.core.errors import CourseError, CourseWarning
from course_utils.core.wording import format_percent
from course_utils.limits import Bound
from course_utils.races import Point, RaceResult, describe_point

FORMAT = 1


class RecordingDamaged(CourseError):
    """A recording's file cannot be read."""


class RecordingSkipped(CourseWarning):
    """A damaged recording was left out."""


class NoRecordings(CourseError):
    """There is no folder to write recordings to."""


def folder() -> Path:
    """The course's own ``recordings/``, beside the package."""
    return Path(__file__).resolve().parents[2] / "recordings"


def save(results: Iterable[RaceResult], machine: str, into: Path | None = None) -> Path:
    """Write ``results`` as ``<machine>.json``, in place of what stood there for the same races and devices.

    Args:
        machine: a file name without its ending, as ``devices.machine_id`` gives it.
        into: an existing folder, the course's own unless told.

    Raises:
        NoRecordings: when the folder does not exist.
        RecordingDamaged: when what stood there cannot be read; it is left as it is.
    """
    into = folder() if into is None else into
    if not into.is_dir():
        raise NoRecordings(f"There is no folder {str(into)!r}; make it, or name one that exists.")
    path = into / f"{machine}.json"
    kept = {_key(each): each for each in (load_file(path) if path.exists() else [])}
    kept |= {_key(each): each for each in results}
    races = [json.loads(each.to_json()) for _, each in sorted(kept.items())]
    files.write_atomically(
        path, json.dumps({"format": FORMAT, "machine": machine, "races": races}, sort_keys=True) + "\n"
    )
    return path


def load(source: Path | None = None) -> list[RaceResult]:
    """All recorded results in a folder, in the order of file names; a damaged file is named in a warning and skipped."""
    source = folder() if source is None else source
    results = []
    for path in sorted(source.glob("*.json")):
        try:
            results += load_file(path)
        except RecordingDamaged as damage:
            warnings.warn(str(damage), RecordingSkipped, stacklevel=2)
    return results


def standing_in(race: str, here: Iterable[str], source: Path | None = None) -> list[RaceResult]:
    """The newest recording of the race ``race`` for each machine and device of a kind that is not ``here``, newest first.

    Two machines call their GPUs by the same name: each recording is told from the others by machine and device.

    Args:
        race: its name.
        here: the devices of this machine; one of a kind stands for all of it.
        source: a folder, the course's own unless told.
    """
    kinds = {_kind(name) for name in here}
    found = [each for each in load(source) if each.race == race and _kind(each.device) not in kinds]
    newest = {(each.machine, each.device): each for each in sorted(found, key=_date)}
    return sorted(newest.values(), key=_date, reverse=True)


def load_file(path: Path) -> list[RaceResult]:
    """The results in one recording.

    Raises:
        RecordingDamaged: for a file that is no recording, or cannot be read.
    """
    try:
        return list(_read(path, path.stat().st_mtime_ns))
    except OSError as error:
        raise _damaged(path, error) from error


@lru_cache(maxsize=8)
def _read(path: Path, changed_ns: int) -> tuple[RaceResult, ...]:
    """The same; each race of a lesson asks anew, and a file of all races is large. ``changed_ns`` tells versions apart."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']!r} is not {FORMAT}")
        newer = sorted({name for each in data["races"] for name in _unknown(each)})
        races = () if newer else tuple(RaceResult.from_json(json.dumps(each)) for each in data["races"])
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise _damaged(path, error) from error
    if newer:
        raise RecordingDamaged(
            f"The recording {path.name} tells of {', '.join(newer)}, which this version of the course does not know; "
            "update the course, or delete the file."
        )
    return races


def _damaged(path: Path, error: Exception) -> RecordingDamaged:
    return RecordingDamaged(
        f"The recording {path.name} is damaged ({type(error).__name__}: {error}); fetch it again or delete it."
    )


def table(results: Iterable[RaceResult]) -> str:
    """Ratios and shares of the limit as a Markdown table, one row a race, signed."""
    results = list(results)
    rows = ["| " + " | ".join(_HEADS) + " |", "|---" * len(_HEADS) + "|"]
    rows += [_row(each) for each in results]
    signatures = "\n".join(f"- {signature}" for signature in dict.fromkeys(each.signature() for each in results))
    return f"# Races\n\nMade by `unloop record`. Measured on:\n\n{signatures}\n\n{_KEY}\n\n" + "\n".join(rows) + "\n"


_HEADS = ("Race", "With", "n", "Baseline", "Best rival", "Rival's speed (95 %)", "n", "Fastest of all", "Of the limit")
_KEY = """How to read it:

- **Rival's speed** is that of the fastest rival, in times the baseline's, at the largest n where both were timed. Below 1× the
  baseline wins: such races show where a technique loses.
- **Of the limit** is the time that the physical limit allows, as a share of the time that the fastest of all took, at the largest n
  of the race. After it stands what sets that limit: memory bandwidth, matmul peak, or the launch cost of the calls that the job needs.
  A ≈ stands where that limit did not settle, since the machine was busy when it was measured.
- **–**: the race has no limit, or too few rounds for an interval."""


def _row(result: RaceResult) -> str:
    best, near = result.headline(), result.nearest_to_limit()
    compared = ("–",) * 4
    slow = None if best is None else result.point(result.baseline, best.size)
    if best is not None and slow is not None:
        compared = (
            f"{best.size:,}",
            f"{result.baseline}: {describe_point(slow)}",
            f"{best.contender}: {describe_point(best)}",
            str(best.ratio),
        )
    limit = ("–",) * 3
    reached = None if near is None else result.share(near)
    if near is not None and reached is not None:
        bound = result.bounds[near.size]
        share = f"{bound.mark}{format_percent(reached)} ({bound.binding})"
        limit = (f"{near.size:,}", f"{near.contender}: {describe_point(near)}", share)
    framework = next((name for name in frameworks.NAMES if name in result.versions), "–")
    return f"| {' | '.join((result.race, framework, *compared, *limit))} |"


def _key(result: RaceResult) -> tuple[str, str, str, int]:
    return result.race, result.machine, result.device, result.threads


def _kind(device: str) -> str:
    return device.partition(":")[0]


def _date(result: RaceResult) -> str:
    return result.date


def _unknown(race: Mapping[str, Any]) -> Iterator[str]:
    """The fields that a result here does not have: the file was written by a later version of the course."""
    parts = [(RaceResult, race), *((Point, each) for each in race["points"])]
    parts += [(Bound, each) for each in race["bounds"].values()]
    for kind, part in parts:
        yield from part.keys() - {field.name for field in dataclasses.fields(kind)}
