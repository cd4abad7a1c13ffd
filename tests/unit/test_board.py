"""The class board: a real server, real requests, and what a notebook sends to it."""

import json
import os
import re
import socket
import subprocess
import threading
import time
import warnings
from contextlib import suppress

import pytest
from patience import wait_until
from running_board import COMMAND, RunningBoard, event

from course_utils import CourseError, join, leave
from course_utils.board import client, messages
from course_utils.learner import activity

pytest.importorskip("uvicorn")

from course_utils.board.server import MOST_CONNECTIONS

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def board():
    board = RunningBoard()
    yield board
    last_words = board.end()
    if os.name == "posix":
        assert last_words == "The board has ended, and its events are deleted.\n"


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    yield tmp_path
    if client._membership is not None:
        leave()


def test_nothing_listens_before_join():
    assert activity.listeners == []


def test_learner_sees_once_what_is_sent_and_the_board_gets_it(board, home, capsys):
    join(board.address, "fox-42")
    shown = capsys.readouterr().out
    assert json.loads(shown.splitlines()[1]).keys() == event().keys()
    activity.announce("guess", "first-race", 100.0)
    activity.announce("truth", "first-race", 240.0)
    client.raise_flag("help", True)
    wait_until(lambda: [each["name"] for each in board.state()["help"]] == ["fox-42"])
    prediction = next(each for each in board.state()["predictions"] if each["id"] == "first-race")
    assert prediction == {"id": "first-race", "guesses": [100.0], "truth": 240.0}
    leave()
    assert activity.listeners == []
    assert "deleted your events" in capsys.readouterr().out
    assert not [each for each in board.state()["predictions"] if each["id"] == "first-race"]


def test_restarted_kernel_keeps_its_name(board, home):
    join(board.address, "owl")
    activity.announce("task", "row_sums", True)
    wait_until(lambda: any(each["id"] == "row_sums" for each in board.state()["tasks"]))
    client._membership.end()  # the kernel dies without a word
    activity.listeners.clear()
    client._membership = None
    join(board.address, "owl")
    activity.announce("task", "row_sums", False)
    wait_until(lambda: next(each for each in board.state()["tasks"] if each["id"] == "row_sums")["wrong"] == 1)


@pytest.mark.parametrize(
    ("address", "name", "sentence"),
    [
        ("127.0.0.1:1/ABCDEF", "fox", "No board answers at 127.0.0.1:1"),
        ("somewhere", "fox", "An address looks like 192.168.1.20:8787/K7QDXM"),
        (None, "<b>fox</b>", "A name has 1 to 24 letters"),
        (None, "", "A name has 1 to 24 letters"),
        (None, "taken", "Somebody on this board is called 'taken'"),
        ("{place}/WRONG1", "fox", "The code is wrong"),
    ],
)
def test_bad_input_gets_a_sentence(board, home, address, name, sentence):
    with suppress(AssertionError):
        board.learner("taken")
    with pytest.raises(CourseError, match=re.escape(sentence)):
        join((address or board.address).replace("{place}", board.place), name)
    assert activity.listeners == []


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
        [event() | {"source": "def f(): ..."}],
        [event()] * (messages.MAX_EVENTS + 1),
    ],
)
def test_what_is_no_event_is_refused(board, events):
    token, before = board.learner(f"odd {time.monotonic_ns()}"[:24]), board.state()["events"]
    assert board.post("events", events, token)[0] == 400
    assert board.state()["events"] == before


def test_huge_body_is_refused_while_it_arrives(board):
    token = board.learner("huge")
    host, port = board.place.split(":")
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


def test_more_connections_than_the_board_allows_do_not_end_it(board):
    resource = pytest.importorskip("resource")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    host, port = board.place.split(":")
    idle = []
    with suppress(OSError):  # the system may refuse some
        for _ in range(MOST_CONNECTIONS + 100):
            idle.append(socket.create_connection((host, int(port)), timeout=5))
    for connection in idle:
        connection.close()
    wait_until(lambda: board.post("join", {"code": board.code, "name": "after the crowd"})[0] in (200, 400))
    assert board.process.poll() is None


def test_second_board_replaces_the_first_and_costs_nothing_but_one_sentence_if_it_vanishes(board, home):
    join(board.address, "mover")
    before = board.state()["learners"]
    second = RunningBoard()
    join(second.address, "mover")
    assert board.state()["learners"] == before - 1
    second.process.kill()
    second.process.wait()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        end = time.monotonic() + 4
        while time.monotonic() < end:
            activity.announce("guess", "where", 3.0)
            time.sleep(0.05)
    sentences = [str(each.message) for each in caught if each.category is client.BoardWarning]
    assert len(sentences) == 1
    assert sentences[0].startswith(f"The board at {second.place} doesn't answer. Your notebook works without it")


def test_board_that_never_answers_delays_no_cell():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        membership = client.Membership(f"127.0.0.1:{silent.getsockname()[1]}", "token", 0)
        membership.add("guess", "where", 3.0)
        connection, _ = silent.accept()  # the request waits for its answer
        start = time.monotonic()
        for _ in range(100):
            membership.add("guess", "where", 3.0)
        assert time.monotonic() - start < client.TIMEOUT_S  # a single wait for the board would take as long
        membership.end()
        connection.close()


def test_board_listens_at_the_loopback_device_unless_told_otherwise(board):
    assert board.place.startswith("127.0.0.1:")


def test_port_in_use_is_named(board):
    port = board.place.rpartition(":")[2]
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
