"""``join`` and ``leave``: while a learner has joined, a thread sends the notebook's events to the class board.

A cell never waits for the board: it only puts an event into a queue. If the board does not answer, one sentence says so,
and the thread tries again until it does.
"""

from __future__ import annotations

import atexit
import json
import threading
import time
import urllib.error
import urllib.request
import warnings
from collections import deque
from contextlib import suppress
from http.client import HTTPException
from typing import Any

from course_utils.board.messages import KINDS, MAX_EVENTS, Event, InvalidMessage, check_name, split_address
from course_utils.core import files
from course_utils.core.errors import CourseError, CourseWarning
from course_utils.learner import activity_listeners

_PAUSE_S = 0.3  # Events within this time share a request.
_LONGEST_PAUSE_S = 10.0  # between tries while the board does not answer
TIMEOUT_S = 5.0
"""The thread waits this long for an answer."""
_MOST_EVENTS = 5000  # The most events in the queue; each further one replaces the oldest.
_TOKENS = "boards.json"
_NO_BOARD = "another program answers there"


class BoardError(CourseError):
    """The board refused a request, or there is no board."""


class BoardWarning(CourseWarning):
    """The board does not answer."""


class Membership:
    """A learner on a board.

    Args:
        host_port: host and port.
        token: identifies the learner to the board.
        last: the number of the latest event that the board has.
    """

    def __init__(self, host_port: str, token: str, last: int) -> None:
        self.host_port, self._token, self._number = host_port, token, last
        self._waiting: deque[Event] = deque(maxlen=_MOST_EVENTS)
        self._lock, self._wake, self._ended = threading.Lock(), threading.Event(), threading.Event()
        self._silent_because, self._warned = "", False
        self._thread = threading.Thread(target=self._send_all, name="class board", daemon=True)
        self._thread.start()

    def add(self, kind: str, about: str, value: float | str | bool) -> None:
        """Put an event into the queue; it is sent soon."""
        with self._lock:
            self._number += 1
            try:
                plain = value if isinstance(value, (bool, str)) else float(value)
                self._waiting.append(Event(self._number, kind, about, plain))
            except InvalidMessage:  # a guess that is too long, a ratio that is not finite
                self._number -= 1
        self._wake.set()
        if self._silent_because and not self._warned:
            self._warned = True
            warnings.warn(self._silent_because, BoardWarning, stacklevel=2)

    def is_of(self, host_port: str, token: str) -> bool:
        """Return whether this membership is active and has this address and token: then ``join`` need not renew it."""
        return (self.host_port, self._token) == (host_port, token) and not self._ended.is_set()

    def end(self, seconds: float = 0.0) -> None:
        """Stop sending; events in the queue get up to ``seconds`` to be sent first."""
        end = time.monotonic() + seconds
        while self._waiting and not self._silent_because and time.monotonic() < end:
            self._wake.set()
            time.sleep(0.01)
        self._ended.set()
        self._wake.set()

    def request(self, what: str, data: Any = None) -> Any:
        """Return the board's answer to a request as this learner."""
        return _request(self.host_port, what, data, self._token)

    def _send_all(self) -> None:
        pause = _PAUSE_S
        while not self._ended.is_set():
            self._wake.wait()
            self._wake.clear()
            while self._waiting and not self._ended.is_set():
                with self._lock:
                    batch = list(self._waiting)[:MAX_EVENTS]
                try:
                    self.request("events", [vars(each) for each in batch])
                except BoardError as refusal:
                    self._silent_because = f"{refusal} Nothing more is sent."
                    self._ended.set()
                except OSError:
                    self._silent_because = (
                        f"The board at {self.host_port} doesn't answer. Your notebook works without it, and sends the rest "
                        "when it answers again."
                    )
                    pause = min(2 * pause, _LONGEST_PAUSE_S)
                else:
                    self._silent_because, pause = "", _PAUSE_S
                    with self._lock:
                        while self._waiting and self._waiting[0].number <= batch[-1].number:
                            self._waiting.popleft()
                self._ended.wait(pause)


_membership: Membership | None = None


def join(address: str, name: str) -> None:
    """Join a class board: from now on it receives the results of this notebook's predictions, races and checks.
    ``leave()`` ends it.

    Args:
        address: as the board shows it, such as ``192.168.1.20:8787/K7QDXM``.
        name: what the instructor calls you if you wave for help; no one else sees it. Choose any name.

    Raises:
        BoardError: if there is no board, the code is wrong, or another learner has the name.
        InvalidMessage: if the address or the name is malformed.
    """
    global _membership
    host_port, code = split_address(address)
    request = {"code": code, "name": check_name(name)}
    request |= {"token": token} if (token := _tokens().get(f"{host_port}/{name}")) else {}
    try:
        answer = _request(host_port, "join", request)
        if not {"token", "last"} <= answer.keys():
            raise OSError(_NO_BOARD)
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise BoardError(
            f"No board answers at {host_port} ({reason}). Compare the address with the board's, and ask whether you are in its network."
        ) from error
    if _membership is None or not _membership.is_of(host_port, answer["token"]):
        if _membership is not None:
            leave()
        _store_token(f"{host_port}/{name}", answer["token"])
        _membership = Membership(host_port, answer["token"], answer["last"])
        activity_listeners.listeners.append(_membership.add)
    example = {"number": 1, "kind": "guess", "about": "where", "value": 100.0}
    print(f"You are on the board at {host_port} as {name}. It gets events of this form, and nothing else:")
    print(json.dumps(example))
    for kind, meaning in KINDS.items():
        print(f"  {kind:6} {meaning}")
    print("leave() ends it, and deletes what the board has of you.")


def leave() -> None:
    """Stop sending to the class board, and ask it to delete everything that it stores about you."""
    global _membership
    if _membership is None:
        print("You are on no board.")
        return
    membership, _membership = _membership, None
    activity_listeners.listeners.remove(membership.add)
    membership.end()
    try:
        membership.request("leave")
    except (OSError, BoardError):
        print(
            f"Nothing more is sent. The board at {membership.host_port} doesn't answer, so it may still have your events."
        )
    else:
        print(f"You have left the board at {membership.host_port}, and it has deleted your events.")


def raise_flag(kind: str, raised: bool) -> None:
    """Raise or lower a flag, ``help`` or ``done``.

    Raises:
        BoardError: before ``join``.
    """
    if _membership is None:
        raise BoardError('You are on no board: join it with join("ADDRESS", "NAME").')
    _membership.add(kind, "", raised)


def _request(host_port: str, what: str, data: Any = None, token: str = "") -> Any:
    """Return the answer to a POST request, a JSON object.

    Raises:
        BoardError: with the board's sentence, if it refuses.
        OSError: if no board answers.
    """
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    request = urllib.request.Request(f"http://{host_port}/api/{what}", json.dumps(data).encode(), headers)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # no proxy: a board is in the local network
    try:
        with opener.open(request, timeout=TIMEOUT_S) as answer:
            return dict(json.loads(answer.read(2**16)))
    except urllib.error.HTTPError as refusal:
        if refusal.code >= 500:
            raise OSError(f"it answered {refusal.code}") from refusal
        if not refusal.headers.get("Content-Type", "").startswith("text/plain"):
            raise OSError(_NO_BOARD) from refusal
        raise BoardError(refusal.read(1000).decode(errors="replace")) from None
    except (TypeError, ValueError, OverflowError, HTTPException) as error:
        raise OSError(_NO_BOARD) from error


def _tokens() -> dict[str, str]:
    """Return host, port and name → token; they are stored so that a restarted kernel keeps its name."""
    try:
        return dict(json.loads((files.data_folder() / _TOKENS).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def _store_token(key: str, token: str) -> None:
    """Store a token; if the disk refuses, a restarted kernel needs another name, and nothing else is lost."""
    path = files.data_folder() / _TOKENS
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_atomically(path, json.dumps(_tokens() | {key: token}))


@atexit.register
def _send_the_rest() -> None:
    if _membership is not None:
        _membership.end(seconds=1.0)
