"""The file in which a learner's progress is kept on this machine: read it, and change it by one entry.

Writes are whole and locked, so a crash in mid-write or a second notebook loses nothing; where the disk refuses, it says
so once and remembers until the kernel ends. It sends nothing anywhere, shows nothing, and does not judge.
"""

from __future__ import annotations

import copy
import datetime
import json
import math
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from course_utils.core import files
from course_utils.core.errors import CourseWarning

_VERSION = 1
_FIELDS = {
    "tasks": {"points", "of", "ratio", "date"},
    "races": {"ratio", "device", "date"},
    "shares": {"share", "machine", "date"},
}
_LOCK_PATIENCE_S = 10.0
_FORGETFUL_HOSTS = {"BINDER_SERVICE_HOST": "Binder", "BINDER_LAUNCH_HOST": "Binder", "COLAB_RELEASE_TAG": "Colab"}

_in_memory: dict[str, Any] | None = None
_told_forgetful = False


class ProgressWarning(CourseWarning):
    """Progress is not kept as a learner may expect; said once."""


def read() -> dict[str, Any]:
    """All that is kept, a table each, empty for a new learner: ``"tasks", "races", "guesses", "settled", "practice", "hints",
    "shares"``.
    """
    if _in_memory is not None:
        return copy.deepcopy(_in_memory)
    try:
        return _parse(_file().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return _empty()
    except (ValueError, OSError):
        # Damaged or unreadable: the next write sets the file aside, or says that the disk refuses.
        return _empty()


def as_text(kept: dict[str, Any]) -> str:
    """What is kept as the text of a file."""
    return json.dumps(kept, indent=1, sort_keys=False) + "\n"


def today() -> str:
    """The date, as it is kept: ``"2030-01-31"``."""
    return datetime.date.today().isoformat()


def guess(id: str) -> float | str | None:
    """What the learner predicted, a number or a choice; None before a guess."""
    return read()["guesses"].get(id)


def record_guess(id: str, said: float | str) -> None:
    """Keep the learner's prediction; a new one replaces it, and is not judged yet."""

    def replace(kept: dict[str, Any]) -> None:
        kept["guesses"][id] = said if isinstance(said, str) else float(said)
        kept["settled"].pop(id, None)

    _change(replace)


def record_outcome(id: str, right: bool) -> None:
    """Keep whether a prediction came true, as it was last measured."""
    if read()["settled"].get(id) is not right:
        _change(lambda kept: kept["settled"].update({id: right}))


def record_race(race_id: str, ratio: float, device: str) -> None:
    """Keep a race's speed-up if it is the best so far; a ratio that is not finite is not kept."""
    if not math.isfinite(ratio):
        return

    def keep_best(kept: dict[str, Any]) -> None:
        if ratio > kept["races"].get(race_id, {"ratio": 0.0})["ratio"]:
            kept["races"][race_id] = {"ratio": float(ratio), "device": str(device), "date": today()}

    _change(keep_best)


def record_task(task_id: str, points: float, of: float, ratio: float | None = None) -> None:
    """Keep the points of a try and its speed-up, each the best so far."""

    def keep_best(kept: dict[str, Any]) -> None:
        before = kept["tasks"].get(task_id, {"points": -1, "ratio": None, "date": today()})
        ratios = [value for value in (before["ratio"], ratio) if value is not None and math.isfinite(value)]
        kept["tasks"][task_id] = {
            "points": max(points, before["points"]),
            "of": of,
            "ratio": max(ratios, default=None),
            "date": today() if points > before["points"] else before["date"],
        }

    _change(keep_best)


def record_practice(task_id: str) -> None:
    """Keep the day on which a task without points was first solved."""
    if task_id not in read()["practice"]:
        _change(lambda kept: kept["practice"].update({task_id: today()}))


def record_share(task_id: str, share: float, machine: str) -> None:
    """Keep the share of a machine's limit that an answer to a challenge reached, if it is the best so far."""

    def keep_best(kept: dict[str, Any]) -> None:
        if share > kept["shares"].get(task_id, {"share": 0.0})["share"]:
            kept["shares"][task_id] = {"share": float(share), "machine": machine, "date": today()}

    _change(keep_best)


def record_hint(task_id: str) -> int:
    """Count one more hint taken; returns how many that makes."""

    def add(kept: dict[str, Any]) -> None:
        kept["hints"][task_id] = kept["hints"].get(task_id, 0) + 1

    return _change(add)["hints"][task_id]


def clear() -> None:
    """Empty all tables."""
    _change(lambda kept: kept.update(_empty()))


def _change(edit: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Read, edit and write under the lock; returns what is kept now."""
    global _in_memory
    if _in_memory is None:
        try:
            return _change_on_disk(edit)
        except OSError as refused:
            _in_memory = read()
            warnings.warn(
                f"Progress cannot be kept on this disk ({refused.strerror or refused}): it lasts until this kernel ends;"
                " `progress.export(path)` saves it elsewhere.",
                ProgressWarning,
                stacklevel=4,
            )
    edit(_in_memory)
    return _in_memory


def _change_on_disk(edit: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    from filelock import FileLock

    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(file.with_suffix(".lock"), timeout=_LOCK_PATIENCE_S):
        try:
            kept = _parse(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            kept = _empty()
        except ValueError:
            kept = _empty()
            aside = file.with_suffix(".damaged.json")
            os.replace(file, aside)
            warnings.warn(
                f"The progress file was damaged: it is kept beside it as {aside.name}, and a new one begins.",
                ProgressWarning,
                stacklevel=5,
            )
        edit(kept)
        files.write_atomically(file, as_text(kept))
    _tell_if_forgetful()
    return kept


def _tell_if_forgetful() -> None:
    global _told_forgetful
    host = next((name for variable, name in _FORGETFUL_HOSTS.items() if variable in os.environ), None)
    if host and not _told_forgetful:
        _told_forgetful = True
        warnings.warn(
            f"{host} forgets its disk when the session ends: `progress.export('progress.json')`, then download that file.",
            ProgressWarning,
            stacklevel=5,
        )


def _parse(text: str) -> dict[str, Any]:
    """The kept tables; raises ValueError for anything that this version did not write."""
    kept = json.loads(text)
    if not isinstance(kept, dict) or kept.get("version") != _VERSION:
        raise ValueError("not a progress file of this version")
    tables = _empty()
    kept = tables | kept  # an earlier version of the course kept fewer tables
    if not all(isinstance(kept[name], type(table)) for name, table in tables.items()):
        raise ValueError("a table is none")
    for name, fields in _FIELDS.items():
        if not all(isinstance(entry, dict) and fields <= entry.keys() for entry in kept[name].values()):
            raise ValueError(f"an entry of {name} is incomplete")
    return kept


def _empty() -> dict[str, Any]:
    tables = ("tasks", "races", "guesses", "settled", "practice", "hints", "shares")
    return {"version": _VERSION} | {table: {} for table in tables}


def _file() -> Path:
    return files.data_folder() / "progress.json"
