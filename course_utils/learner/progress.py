"""What a learner has done, on this machine's disk: guesses, best races, points, hints taken.

Writes are atomic and locked, so a crash in mid-write or a second notebook loses nothing; where the disk refuses, it says
so once and remembers until the kernel ends. It sends nothing anywhere, and it does not judge.

The module itself can be called: ``progress()`` is the page to look at, ``progress.export(path)`` the file for a teacher.
"""

from __future__ import annotations

import copy
import datetime
import json
import math
import os
import sys
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_utils.ground.errors import CourseError, CourseWarning
from course_utils.ground.wording import counted

_VERSION = 1
_FIELDS = {"tasks": {"points", "of", "ratio", "date"}, "races": {"ratio", "device", "date"}}
_LOCK_PATIENCE_S = 10.0
_FORGETFUL_HOSTS = {"BINDER_SERVICE_HOST": "Binder", "BINDER_LAUNCH_HOST": "Binder", "COLAB_RELEASE_TAG": "Colab"}

_in_memory: dict | None = None
_told_forgetful = False


class ProgressError(CourseError):
    """Progress could not be exported, or was about to be forgotten without a yes."""


class ProgressWarning(CourseWarning):
    """Progress is not kept as a learner may expect; said once."""


@dataclass(frozen=True)
class Progress:
    """What was done so far, as plain data.

    Attributes:
        tasks: task id → ``{"points", "of", "ratio", "date"}``, the best of all tries.
        races: race id → ``{"ratio", "device", "date"}``, the best of all runs.
        guesses: race id → the guessed ratio.
        hints: task id → hints taken.
    """

    tasks: dict[str, dict]
    races: dict[str, dict]
    guesses: dict[str, float]
    hints: dict[str, int]

    @property
    def points(self) -> float:
        """Points earned, over all tasks tried."""
        return sum(entry["points"] for entry in self.tasks.values())

    @property
    def of(self) -> float:
        """Points that the tasks tried could earn."""
        return sum(entry["of"] for entry in self.tasks.values())

    def __str__(self) -> str:
        if not (self.tasks or self.races):
            return "Nothing done yet: run a race, or solve a task."
        lines = [f"{self.points:g} of {self.of:g} points in {counted(len(self.tasks), 'task')} tried"]
        lines += [
            f"  {name:<24} {entry['points']:g}/{entry['of']:g}{_times(entry['ratio'])}"
            for name, entry in self.tasks.items()
        ]
        if self.races:
            lines += ["Best speed-ups"]
            lines += [
                f"  {name:<24} {_times(entry['ratio']).strip()} on {entry['device']}"
                for name, entry in self.races.items()
            ]
        return "\n".join(lines)

    __repr__ = __str__


def read() -> dict[str, Any]:
    """All that is kept: ``{"version", "tasks", "races", "guesses", "hints"}``; empty tables for a new learner."""
    if _in_memory is not None:
        return copy.deepcopy(_in_memory)
    try:
        return _parse(_file().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return _empty()
    except (ValueError, OSError):
        # Damaged or unreadable: the next write sets the file aside, or says that the disk refuses.
        return _empty()


def guess(race_id: str) -> float | None:
    """The ratio that the learner predicted for a race, None before a guess."""
    return read()["guesses"].get(race_id)


def record_guess(race_id: str, ratio: float) -> None:
    """Keep the learner's prediction; a new one replaces it."""
    _change(lambda kept: kept["guesses"].update({race_id: float(ratio)}))


def record_race(race_id: str, ratio: float, device: str) -> None:
    """Keep a race's speed-up if it is the best so far; a ratio that is not finite is not kept."""
    if not math.isfinite(ratio):
        return

    def keep_best(kept: dict) -> None:
        if ratio > kept["races"].get(race_id, {"ratio": 0.0})["ratio"]:
            kept["races"][race_id] = {"ratio": float(ratio), "device": str(device), "date": _today()}

    _change(keep_best)


def record_task(task_id: str, points: float, of: float, ratio: float | None = None) -> None:
    """Keep the points of a try and its speed-up, each the best so far."""

    def keep_best(kept: dict) -> None:
        before = kept["tasks"].get(task_id, {"points": -1, "ratio": None, "date": _today()})
        ratios = [value for value in (before["ratio"], ratio) if value is not None and math.isfinite(value)]
        kept["tasks"][task_id] = {
            "points": max(points, before["points"]),
            "of": of,
            "ratio": max(ratios, default=None),
            "date": _today() if points > before["points"] else before["date"],
        }

    _change(keep_best)


def record_hint(task_id: str) -> int:
    """Count one more hint taken; returns how many that makes."""

    def add(kept: dict) -> None:
        kept["hints"][task_id] = kept["hints"].get(task_id, 0) + 1

    return _change(add)["hints"][task_id]


def show() -> Progress:
    """The page to look at; calling the module does the same."""
    kept = read()
    return Progress(kept["tasks"], kept["races"], kept["guesses"], kept["hints"])


def export(path: str | os.PathLike) -> Path:
    """Write everything as one JSON file, for a teacher or for another machine; returns where it is.

    Raises:
        ProgressError: when the file cannot be written.
    """
    target = Path(path)
    try:
        target.write_text(_text(read() | {"exported": _today()}), encoding="utf-8")
    except OSError as refused:
        raise ProgressError(
            f"Progress could not be written to {str(path)!r} ({refused.strerror}); choose a file in a folder that you can write to."
        ) from refused
    return target


def reset(confirm: bool = False) -> None:
    """Forget everything, if ``confirm`` is True.

    Raises:
        ProgressError: without ``confirm``; nothing is forgotten then.
    """
    if confirm is not True:
        raise ProgressError("This would forget all points, races and guesses; `progress.reset(confirm=True)` does it.")
    _change(lambda kept: kept.update(_empty()))


def _change(edit: Callable[[dict], Any]) -> dict:
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


def _change_on_disk(edit: Callable[[dict], Any]) -> dict:
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
        _replace(file, _text(kept))
    _tell_if_forgetful()
    return kept


def _replace(file: Path, text: str) -> None:
    """Put ``text`` in the file's place in one step: a crash leaves the old file or the new one, never half of one."""
    part = file.with_suffix(".part")  # one name for all: the lock holds, and what a crash left is written over
    with open(part, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(part, file)


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


def _parse(text: str) -> dict:
    """The kept tables; raises ValueError for anything that this version did not write."""
    kept = json.loads(text)
    if not isinstance(kept, dict) or kept.get("version") != _VERSION:
        raise ValueError("not a progress file of this version")
    tables = _empty()
    if not all(isinstance(kept.get(name), type(table)) for name, table in tables.items()):
        raise ValueError("a table is missing")
    for name, fields in _FIELDS.items():
        if not all(isinstance(entry, dict) and fields <= entry.keys() for entry in kept[name].values()):
            raise ValueError(f"an entry of {name} is incomplete")
    return kept


def _empty() -> dict:
    return {"version": _VERSION, "tasks": {}, "races": {}, "guesses": {}, "hints": {}}


def _text(kept: dict) -> str:
    return json.dumps(kept, indent=1, sort_keys=False) + "\n"


def _file() -> Path:
    home = os.environ.get("UNLOOP_HOME")
    if home:
        return Path(home) / "progress.json"
    from platformdirs import user_data_path

    return user_data_path("unloop", appauthor=False) / "progress.json"


def _today() -> str:
    return datetime.date.today().isoformat()


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"  {ratio:,.3g}×" if ratio < 1000 else f"  {ratio:,.0f}×"


class _Callable(types.ModuleType):
    """Lets ``progress()`` and ``progress.export(...)`` be one public name."""

    def __call__(self) -> Progress:
        return show()


sys.modules[__name__].__class__ = _Callable
