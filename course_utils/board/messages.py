"""The messages between a notebook and the board, and their rules. They contain no code, no text and no address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from course_utils.core.errors import CourseError

KINDS = {
    "guess": "a prediction that you locked in",
    "truth": "the answer to it on your machine",
    "race": "the ratio of a race",
    "task": "whether an answer is right",
    "help": "that you need help, or no longer do",
    "done": "that you are done, or no longer are",
}
"""Kind of an event → what it means to the learner who sends it."""

MAX_EVENTS = 100
"""The most events in one request."""
MAX_BODY = 64 * 2**10
"""The most bytes of one request."""
_NAME = re.compile(r"[^\W_](?:[\w .-]{0,22}\w)?")
_ABOUT = re.compile(r"[\w-]{0,80}")
_MAX_TEXT = 80
_MAX_NUMBER, _MAX_VALUE = 10**9, 1e18  # SQLite's integers have 64 bits.


class InvalidMessage(CourseError):
    """A request to the board breaks its rules."""


@dataclass(frozen=True)
class Event:
    """Something that happened in a learner's notebook.

    Attributes:
        number: counts the learner's events from 1; the board stores each number once.
        kind: one of ``KINDS``.
        about: the name of the prediction, race or task; "" for ``help`` and ``done``.
        value: a guess or an answer, a ratio, or whether a flag is raised or a task passed.
    """

    number: int
    kind: str
    about: str
    value: float | str | bool

    def __post_init__(self) -> None:
        if not 1 <= self.number <= _MAX_NUMBER:
            raise InvalidMessage(f"An event's number is from 1 to {_MAX_NUMBER:,}; got {self.number!r:.40}.")
        if self.kind not in KINDS:
            raise InvalidMessage(f"{self.kind!r} is not a kind of event; choose one of {', '.join(KINDS)}.")
        if not _ABOUT.fullmatch(self.about):
            raise InvalidMessage(
                f"An event's subject has at most 80 letters, digits, - and _; got {self.about[:90]!r}."
            )
        if isinstance(self.value, str) and len(self.value) > _MAX_TEXT:
            raise InvalidMessage(f"An event's value has at most {_MAX_TEXT} characters; got {len(self.value)}.")
        if not isinstance(self.value, str) and not abs(self.value) <= _MAX_VALUE:  # also refuses NaN
            raise InvalidMessage(f"An event's value is finite and at most {_MAX_VALUE:g}; got {self.value!r:.40}.")


def parse_events(data: Any) -> list[Event]:
    """Return the events of a request.

    Raises:
        InvalidMessage: for anything but a list of at most ``MAX_EVENTS`` events.
    """
    if not isinstance(data, list) or len(data) > MAX_EVENTS:
        raise InvalidMessage(f"A request holds a list of at most {MAX_EVENTS} events.")
    return [_parse_event(each) for each in data]


def _parse_event(data: Any) -> Event:
    fields = {"number": int, "kind": str, "about": str, "value": (bool, int, float, str)}
    if not isinstance(data, dict) or set(data) != set(fields):
        raise InvalidMessage("An event has number, kind, about and value.")
    for name, kind in fields.items():
        if not isinstance(data[name], kind):  # type: ignore[arg-type]
            raise InvalidMessage(f"An event's {name} can't be {data[name]!r:.40}.")
    return Event(data["number"], data["kind"], data["about"], data["value"])


def check_name(name: object) -> str:
    """Return the name if it is valid.

    Raises:
        InvalidMessage: for anything but up to 24 letters, digits, spaces, dots, - and _.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidMessage(
            f"A name has 1 to 24 letters, digits, spaces, dots, - and _, and starts with a letter or a digit; got {name!r:.60}."
        )
    return name


def split_address(address: object) -> tuple[str, str]:
    """Return host and port, and the code, of an address such as ``192.168.1.20:8787/K7QDXM``.

    Raises:
        InvalidMessage: for anything else.
    """
    text = str(address).strip().removeprefix("http://").rstrip("/")
    parts = re.fullmatch(r"(?P<host_port>(?:[\w.-]+|\[[0-9a-fA-F:]+\]):\d{1,5})/(?P<code>\w+)", text)
    if parts is None:
        raise InvalidMessage(
            f"An address looks like 192.168.1.20:8787/K7QDXM, as the board shows it; got {address!r:.60}."
        )
    return parts["host_port"], parts["code"].upper()
