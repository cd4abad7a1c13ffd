"""``read_trace``: the events of a stored profile, and the time that each of them takes itself.

Two formats are read: Chrome's, which torch exports as JSON, and the one that TensorFlow stores for TensorBoard. Nothing here
runs a profiler.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from course_utils import frameworks
from course_utils.core.errors import CourseError
from course_utils.core.wording import MIB, format_bytes

LARGEST_MB = 64  # A file of this size is read in a few seconds; it holds some hundred thousand events.
_STORED_PROFILE = ".xplane.pb"
_OF_THE_PROFILER = ("Spans", "Traces")
"""Processes in Chrome's format whose events describe the profile, not the program."""


class TraceError(CourseError):
    """A file holds no trace that can be read or shown."""


class TraceEvent(NamedTuple):
    """One event of a profile.

    Attributes:
        name: what ran, such as ``"aten::add"``.
        thread: where it ran: ``"thread 1"``, ``"stream 7"``.
        start_us: microseconds since the first event of the trace.
        duration_us: microseconds that it took, with the events inside it.
    """

    name: str
    thread: str
    start_us: float
    duration_us: float

    @property
    def end_us(self) -> float:
        """Return the microseconds from the first event of the trace to this event's end."""
        return self.start_us + self.duration_us


def read_trace(path: str | Path) -> list[TraceEvent]:
    """Return the events of a stored profile by thread, and in each thread in the order of their starts.

    Args:
        path: a Chrome trace in JSON, also one with the suffix ``.gz``; or what TensorFlow stored: a ``.xplane.pb`` file, or a
            folder, of which the newest profile is read.

    Raises:
        TraceError: there is no such file, it is larger than 64 MB, or it holds no trace.
    """
    path = Path(path)
    if path.is_dir():
        path = _newest_profile(path)
    content = _read(path)
    threads = _stored_profile(path, content) if path.name.endswith(_STORED_PROFILE) else _chrome_trace(path, content)
    first_us = min((event.start_us for event in threads), default=None)
    if first_us is None:
        raise TraceError(f"{path.name} holds no event that took time: run the code inside the profiler's block.")
    shifted = (event._replace(start_us=event.start_us - first_us) for event in threads)
    return sorted(shifted, key=lambda event: (event.thread, event.start_us, -event.duration_us))


def self_times(events: Iterable[TraceEvent]) -> list[tuple[TraceEvent, int, float]]:
    """Return each event with its depth and the microseconds that it took itself, without the events inside it.

    An event is inside another one of its thread if it begins before the other one ends. For events of 0 to 10, 1 to 4 and
    2 to 3 µs, the depths are 0, 1 and 2, and the events themselves took 7, 2 and 1 µs.
    """
    result: list[tuple[TraceEvent, int, float]] = []
    ordered = sorted(events, key=lambda event: (event.thread, event.start_us, -event.duration_us))
    for _, of_thread in groupby(ordered, key=lambda event: event.thread):
        open_events: list[int] = []  # Positions in ``result``, the innermost event last.
        for event in of_thread:
            while open_events and result[open_events[-1]][0].end_us <= event.start_us:
                open_events.pop()
            if open_events:
                outer, depth, own_us = result[open_events[-1]]
                result[open_events[-1]] = (outer, depth, max(0.0, own_us - event.duration_us))
            result.append((event, len(open_events), event.duration_us))
            open_events.append(len(result) - 1)
    return result


def _newest_profile(folder: Path) -> Path:
    profiles = sorted(folder.rglob(f"*{_STORED_PROFILE}"), key=lambda each: each.stat().st_mtime)
    if not profiles:
        raise TraceError(
            f"The folder {folder.name} holds no profile of TensorFlow, which is a file {_STORED_PROFILE!r}."
        )
    return profiles[-1]


def _read(path: Path) -> bytes:
    """Return the file's bytes, uncompressed."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        size = path.stat().st_size
        if size <= LARGEST_MB * MIB:
            with opened(path, "rb") as file:
                content = file.read(LARGEST_MB * MIB + 1)
            size = len(content)
    except FileNotFoundError:
        raise TraceError(f"There is no file {str(path)!r}: export the trace first, or correct the path.") from None
    except (OSError, EOFError) as error:
        raise TraceError(f"{path.name} cannot be read: {error}.") from None
    if size > LARGEST_MB * MIB:
        at_least = "more than " if path.suffix == ".gz" else ""
        raise TraceError(
            f"{path.name} has {at_least}{format_bytes(size)}, and `read_trace` reads at most {LARGEST_MB} MB: profile fewer "
            "steps, or profile without `with_stack` and `record_shapes`."
        )
    return content


def _chrome_trace(path: Path, content: bytes) -> list[TraceEvent]:
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        reason = error if isinstance(error, json.JSONDecodeError) else "it is not text"
        raise TraceError(f"{path.name} is not valid JSON ({reason}): export the trace again.") from None
    entries = data.get("traceEvents") if isinstance(data, dict) else data
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise TraceError(f'{path.name} is JSON but no trace: a trace has a list of events, "traceEvents".')
    threads = _thread_names(entries)
    try:
        return [
            TraceEvent(str(entry["name"]), threads[entry["pid"], entry["tid"]], float(entry["ts"]), float(entry["dur"]))
            for entry in entries
            if _takes_time(entry)
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise TraceError(f"{path.name} has an event without a usable {error}: export the trace again.") from None


def _takes_time(entry: dict[str, Any]) -> bool:
    return entry.get("ph") == "X" and entry.get("pid") not in _OF_THE_PROFILER and "dur" in entry


def _thread_names(entries: Sequence[dict[str, Any]]) -> dict[tuple[Any, Any], str]:
    """Return process and thread → the thread's name: "thread 1" for the first one; a GPU's stream keeps its name."""
    given = {
        (entry.get("pid"), entry.get("tid")): str(entry.get("args", {}).get("name", ""))
        for entry in entries
        if entry.get("name") == "thread_name" and isinstance(entry.get("args"), dict)
    }
    names: dict[tuple[Any, Any], str] = {}
    for entry in entries:
        key = entry.get("pid"), entry.get("tid")
        if _takes_time(entry) and key not in names:
            stream = given.get(key, "").strip()
            names[key] = stream if stream.startswith("stream") else f"thread {len(names) + 1}"
    return names


def _stored_profile(path: Path, content: bytes) -> list[TraceEvent]:
    readers = [framework for framework in frameworks.loaded() if framework.stores_profiles]
    if not readers:
        raise TraceError(f"{path.name} is a profile of TensorFlow: import tensorflow first, which reads it.")
    try:
        threads = readers[0].profiled_threads(content)
    except ValueError:
        raise TraceError(f"{path.name} is not a TensorFlow profile, or it is incomplete: profile again.") from None
    busy = [sorted(events) for events in threads if any(end > start for start, end, _ in events)]
    return [
        TraceEvent(name, f"thread {number}", 1e6 * start, 1e6 * (end - start))
        for number, events in enumerate(sorted(busy), 1)
        for start, end, name in events
        if end > start
    ]
