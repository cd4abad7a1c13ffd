"""The class board's server refuses invalid requests, and carries the events of a large class."""

import socket
import subprocess
import threading
import time
from contextlib import suppress

import pytest
from load_tolerance import wait_until
from running_board import COMMAND, event

from course_utils.board import messages
from course_utils.board.store import EventsNotStored, Store

pytest.importorskip("uvicorn")

from course_utils.board.server import MOST_CONNECTIONS

pytestmark = pytest.mark.slow


def test_without_a_token_nothing_is_seen_and_nothing_changes(board):
    before = board.state()["events"]
    assert board.post("events", [event()])[0] == 403
    assert board.post("events", [event()], token="guessed")[0] == 403
    for path in ("/", "/stream", "/?key=wrong"):
        assert board.get(path)[0] == 403
    assert board.get("/", "unloop-board=wrong")[0] == 403
    assert board.state()["events"] == before


def test_repeated_request_counts_once(board):
    token, before = board.learner("twice"), board.state()["events"]
    for _ in range(2):
        assert board.post("events", [event(1), event(2, about="other")], token)[0] == 200
    assert board.state()["events"] == before + 2


@pytest.mark.parametrize(
    "events",
    [
        "text",
        [event(kind="code")],
        [event(about="<script>")],
        [event(value="x" * 81)],
        [event(value=None)],
        [event(value=2**70)],
        [event(value="\ud800")],
        [event(2**70)],
        [event() | {"source": "def f(): ..."}],
        [event()] * (messages.MAX_EVENTS + 1),
    ],
)
def test_what_is_no_event_is_refused(board, events):
    token, before = board.learner(f"odd {time.monotonic_ns()}"[:24]), board.state()["events"]
    assert board.post("events", events, token)[0] == 400
    assert board.state()["events"] == before
    assert board.post("events", [event()], token)[0] == 200


def test_huge_body_is_refused_while_it_arrives(board):
    token = board.learner("huge")
    host, port = board.host_port.split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(
            b"POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n"
            + f"Authorization: Bearer {token}\r\n\r\n".encode()
        )
        sent = 0
        with suppress(OSError):
            while sent < 50 * 2**20:
                sent += connection.send(b"x" * 2**16)
        connection.settimeout(5)
        with suppress(OSError):
            assert b" 400 " in connection.recv(100)
    assert sent < 50 * 2**20
    assert board.post("events", [event()], token)[0] == 200


def test_more_silent_connections_than_the_board_allows_do_not_keep_learners_out(board):
    resource = pytest.importorskip("resource")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    host, port = board.host_port.split(":")
    idle = []
    with suppress(OSError):  # the system may refuse some
        for _ in range(MOST_CONNECTIONS + 100):
            idle.append(socket.create_connection((host, int(port)), timeout=5))
    wait_until(lambda: board.post("join", {"code": board.code, "name": "after the crowd"})[0] in (200, 400))
    assert board.process.poll() is None
    for connection in idle:
        connection.close()


def test_board_listens_at_the_loopback_device_unless_told_otherwise(board):
    assert board.host_port.startswith("127.0.0.1:")


def test_events_are_not_kept_in_a_file_of_something_else(tmp_path):
    (tmp_path / "notes.txt").write_text("my notes " * 100)
    for file in (tmp_path / "notes.txt", tmp_path / "no folder" / "events.db"):
        with pytest.raises(EventsNotStored, match="name a new file in a folder that exists"):
            Store(file)
    assert (tmp_path / "notes.txt").read_text() == "my notes " * 100


def test_port_in_use_is_named(board):
    port = board.host_port.rpartition(":")[2]
    second = subprocess.run([*COMMAND, "--port", port], check=False, capture_output=True, text=True, timeout=60)
    assert second.returncode == 1
    assert second.stderr.strip() == f"Port {port} is in use, perhaps by another board; choose another one with --port."


def test_events_of_two_hundred_learners_all_arrive(board):
    """Each learner sends batches as a notebook does, all at the same time."""
    before, batches, size = board.state()["events"], 3, 5
    tokens = [board.learner(f"learner {index}") for index in range(200)]
    failures = []

    def send(some):
        for batch in range(batches):
            for token in some:
                events = [event(batch * size + each + 1, about=f"race-{each}") for each in range(size)]
                status, answer = board.post("events", events, token)
                if status != 200:
                    failures.append(answer)

    threads = [threading.Thread(target=send, args=(tokens[part::8],)) for part in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert board.state()["events"] == before + 200 * batches * size
