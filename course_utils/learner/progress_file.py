"""The file that stores a learner's progress on this machine: reads it, and changes one entry at a time.

Writes are atomic and locked, so neither a crash nor a second notebook loses an entry. If the disk refuses a write, a
warning appears once, and progress stays in memory until the kernel ends. Nothing is sent anywhere.
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
_TEMPORARY_HOSTS = {"BINDER_SERVICE_HOST": "Binder", "BINDER_LAUNCH_HOST": "Binder", "COLAB_RELEASE_TAG": "Colab"}

_in_memory: dict[str, Any] | None = None
_warned_of_temporary_disk = False


class ProgressWarning(CourseWarning):
    """Progress is not stored as a learner may expect; each such warning appears once."""


def read() -> dict[str, Any]:
    """Return all stored tables, such as ``"tasks"``, ``"races"`` and ``"guesses"``; empty for a new learner."""
    if _in_memory is not None:
        return copy.deepcopy(_in_memory)
    try:
        return _parse(_file().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return _empty()
    except (ValueError, OSError):
        # The next write renames a damaged file, or warns that the disk refuses writes.
        return _empty()


def as_text(tables: dict[str, Any]) -> str:
    """Return the tables as the text of a file."""
    return json.dumps(tables, indent=1, sort_keys=False) + "\n"


def today() -> str:
    """Return today's date as the file stores it: ``"2030-01-31"``."""
    return datetime.date.today().isoformat()


def guess(id: str) -> float | str | None:
    """Return the learner's prediction, a number or a choice; None before a guess."""
    return read()["guesses"].get(id)


def record_guess(id: str, guess: float | str) -> None:
    """Store the learner's prediction; it replaces an earlier one and is not judged yet."""

    def replace(tables: dict[str, Any]) -> None:
        tables["guesses"][id] = guess if isinstance(guess, str) else float(guess)
        tables["settled"].pop(id, None)

    _change(replace)


def record_outcome(id: str, right: bool) -> None:
    """Store whether a prediction was right at its last measurement."""
    if read()["settled"].get(id) is not right:
        _change(lambda tables: tables["settled"].update({id: right}))


def record_race(race_id: str, ratio: float, device: str) -> None:
    """Store a race's speed-up if it is finite and the best so far."""
    if not math.isfinite(ratio):
        return

    def keep_best(tables: dict[str, Any]) -> None:
        if ratio > tables["races"].get(race_id, {"ratio": 0.0})["ratio"]:
            tables["races"][race_id] = {"ratio": float(ratio), "device": str(device), "date": today()}

    _change(keep_best)


def record_task(
    task_id: str,
    points: float,
    of: float,
    ratio: float | None = None,
    interval: tuple[float, float] | None = None,
    machine: str = "",
) -> None:
    """Store the points and the speed-up of an attempt, each if it is the best so far.

    Args:
        interval: the 95 % interval of ``ratio``; None if too few rounds were measured.
        machine: the machine that measured ``ratio``.
    """

    def keep_best(tables: dict[str, Any]) -> None:
        entry = {"points": -1, "ratio": None, "date": today()} | tables["tasks"].get(task_id, {})
        if ratio is not None and math.isfinite(ratio) and (entry["ratio"] is None or ratio > entry["ratio"]):
            entry |= {"ratio": ratio, "interval": interval and list(interval), "machine": machine}
        if points > entry["points"]:
            entry |= {"points": points, "date": today()}
        tables["tasks"][task_id] = entry | {"of": of}

    _change(keep_best)


def record_practice(task_id: str) -> None:
    """Store the day on which a practice task was first solved."""
    if task_id not in read()["practice"]:
        _change(lambda tables: tables["practice"].update({task_id: today()}))


def record_share(task_id: str, share: float, machine: str) -> None:
    """Store the share of a machine's limit that an answer to a challenge reached, if it is the best so far."""

    def keep_best(tables: dict[str, Any]) -> None:
        if share > tables["shares"].get(task_id, {"share": 0.0})["share"]:
            tables["shares"][task_id] = {"share": float(share), "machine": machine, "date": today()}

    _change(keep_best)


def record_attempt(task_id: str, attempt: dict[str, Any]) -> None:
    """Add one measured attempt to a task's attempts, with today's date."""
    _change(lambda tables: tables["attempts"].setdefault(task_id, []).append(attempt | {"date": today()}))


def record_report(task_id: str, sentences: list[str], attempt: dict[str, Any]) -> None:
    """Store the learner's report on a task and the attempt that it is about; it replaces an earlier report."""
    _change(lambda tables: tables["reports"].update({task_id: {"sentences": sentences, "attempt": attempt}}))


def record_hint(task_id: str) -> int:
    """Count one more hint, and return how many the learner has read."""

    def add(tables: dict[str, Any]) -> None:
        tables["hints"][task_id] = tables["hints"].get(task_id, 0) + 1

    return _change(add)["hints"][task_id]


def clear() -> None:
    """Empty all tables."""
    _change(lambda tables: tables.update(_empty()))


def _change(edit: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Read, edit and write the tables under the lock, and return them."""
    global _in_memory
    if _in_memory is None and os.environ.get("NBGRADER_EXECUTION") == "autograde":
        _in_memory = _empty()  # This is a student's notebook on an instructor's machine.
    if _in_memory is None:
        try:
            return _change_on_disk(edit)
        except OSError as refused:
            _in_memory = read()
            warnings.warn(
                f"Progress cannot be stored on this disk ({refused.strerror or refused}), so it lasts until this "
                "kernel ends; `progress.export(path)` saves it elsewhere.",
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
            tables = _parse(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            tables = _empty()
        except ValueError:
            tables = _empty()
            renamed = file.with_suffix(".damaged.json")
            os.replace(file, renamed)
            warnings.warn(
                f"The progress file was damaged, so a new one begins; the damaged one is now called {renamed.name}.",
                ProgressWarning,
                stacklevel=5,
            )
        edit(tables)
        files.write_atomically(file, as_text(tables))
    _warn_of_temporary_disk()
    return tables


def _warn_of_temporary_disk() -> None:
    global _warned_of_temporary_disk
    host = next((name for variable, name in _TEMPORARY_HOSTS.items() if variable in os.environ), None)
    if host and not _warned_of_temporary_disk:
        _warned_of_temporary_disk = True
        warnings.warn(
            f"{host} deletes its disk when the session ends; to save your progress, run "
            "`progress.export('progress.json')` and download that file.",
            ProgressWarning,
            stacklevel=5,
        )


def _parse(text: str) -> dict[str, Any]:
    """Return the tables in the text of a file; raises ValueError if it has another version or is damaged."""
    stored = json.loads(text)
    if not isinstance(stored, dict) or stored.get("version") != _VERSION:
        raise ValueError("not a progress file of this version")
    empty = _empty()
    tables = empty | stored  # an earlier version of the course stored fewer tables
    if not all(isinstance(tables[name], type(table)) for name, table in empty.items()):
        raise ValueError("a table has the wrong type")
    for name, fields in _FIELDS.items():
        if not all(isinstance(entry, dict) and fields <= entry.keys() for entry in tables[name].values()):
            raise ValueError(f"an entry of {name} is incomplete")
    return tables


def _empty() -> dict[str, Any]:
    tables = ("tasks", "races", "guesses", "settled", "practice", "hints", "shares", "attempts", "reports")
    return {"version": _VERSION} | {table: {} for table in tables}


def _file() -> Path:
    return files.data_folder() / "progress.json"
