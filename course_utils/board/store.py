"""``Store``: a class's events in SQLite, in memory unless the instructor names a file."""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

from course_utils.board.messages import Event, InvalidMessage
from course_utils.core.errors import CourseError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS learners (token TEXT PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE, last INTEGER);
CREATE TABLE IF NOT EXISTS latest (
    token TEXT REFERENCES learners ON DELETE CASCADE, kind TEXT, about TEXT, value, seconds REAL,
    PRIMARY KEY (token, kind, about)
) WITHOUT ROWID;
"""


class EventsNotStored(CourseError):
    """The file for the events can't be written."""


class Store:
    """Learners, and the latest event of each kind about each prediction, race and task.

    Args:
        file: where to store them; without a file, they are lost when the process ends.

    Raises:
        EventsNotStored: if the file can't be written, or isn't a file of events.
    """

    def __init__(self, file: Path | None = None) -> None:
        try:
            self._connection = sqlite3.connect(str(file) if file else ":memory:", isolation_level=None)
            self._connection.executescript(f"PRAGMA foreign_keys=ON; PRAGMA journal_mode=WAL; {_SCHEMA}")
        except sqlite3.Error as error:
            raise EventsNotStored(
                f"The board can't keep its events in {str(file)!r} ({error}); name a new file in a folder that exists."
            ) from error
        self.version = 0
        """Grows with every change."""

    def add_learner(self, name: str) -> str:
        """Return the token of a new learner.

        Raises:
            InvalidMessage: if another learner has the name.
        """
        token = secrets.token_urlsafe(16)
        try:
            self._connection.execute("INSERT INTO learners VALUES (?, ?, 0)", (token, name))
        except sqlite3.IntegrityError:
            raise InvalidMessage(
                f"Another learner on this board has the name {name!r}; choose a different one."
            ) from None
        self.version += 1
        return token

    def last_number(self, token: str) -> int | None:
        """Return the number of a learner's latest event, 0 before the first; None if no learner has this token."""
        row = self._connection.execute("SELECT last FROM learners WHERE token = ?", (token,)).fetchone()
        return None if row is None else row[0]

    def remove_learner(self, token: str) -> None:
        """Delete a learner with all events."""
        self._connection.execute("DELETE FROM learners WHERE token = ?", (token,))
        self.version += 1

    def add_events(self, token: str, events: Iterable[Event]) -> None:
        """Store a learner's next events; an event that a repeated request sends again is stored once."""
        last, now = self.last_number(token) or 0, time.time()
        new = sorted((each for each in events if each.number > last), key=lambda event: event.number)
        if not new:
            return
        with self._connection:  # An error rolls back the whole request.
            self._connection.execute("BEGIN")
            self._connection.executemany(
                "INSERT OR REPLACE INTO latest VALUES (?, ?, ?, ?, ?)",
                [(token, each.kind, each.about, each.value, now) for each in new],
            )
            self._connection.execute("UPDATE learners SET last = ? WHERE token = ?", (new[-1].number, token))
        self.version += 1

    def state(self) -> dict[str, Any]:
        """Return what the instructor's page shows, as JSON: each learner counts once, with the latest event of each
        kind.
        """
        latest = self._connection.execute(
            "SELECT kind, about, value, name, seconds FROM latest JOIN learners USING (token) ORDER BY seconds"
        )
        learners, events = self._connection.execute("SELECT count(*), coalesce(sum(last), 0) FROM learners").fetchone()
        by_kind: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
        flags: dict[str, list[tuple[str, float]]] = {"help": [], "done": []}
        for kind, about, value, name, seconds in latest:
            if kind in flags:
                flags[kind] += [(name, seconds)] if value else []
            else:
                by_kind[kind][about].append(value)
        return {
            "learners": learners,
            "events": events,
            "help": [{"name": name, "seconds": round(time.time() - since)} for name, since in flags["help"]],
            "done": len(flags["done"]),
            "predictions": [
                {"id": id, "guesses": guesses, "truth": _typical_answer(by_kind["truth"].get(id, []))}
                for id, guesses in by_kind["guess"].items()
            ],
            "races": [{"id": id, "ratios": sorted(ratios)} for id, ratios in by_kind["race"].items()],
            "tasks": [
                {"id": id, "right": sum(map(bool, results)), "wrong": len(results) - sum(map(bool, results))}
                for id, results in by_kind["task"].items()
            ],
        }

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


def _typical_answer(truths: list[Any]) -> Any:
    """Return the median of the answers on the learners' machines, or the most frequent choice; None without an answer."""
    if not truths:
        return None
    if all(isinstance(each, (int, float)) for each in truths):
        return median(truths)
    return max(sorted(set(map(str, truths))), key=[str(each) for each in truths].count)
