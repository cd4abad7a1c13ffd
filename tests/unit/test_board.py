"""The class board: a real server, real requests, and what a notebook sends to it."""

import json
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import warnings
from contextlib import suppress

import pytest
from patience import wait_until

from course_utils import CourseError, join, leave
from course_utils.board import client, messages
from course_utils.learner import activity

pytest.importorskip("uvicorn")
pytestmark = pytest.mark.process


COMMAND = [sys.executable, "-c", "from course_utils.cli import main; main()", "board"]


class RunningBoard:
    """``unloop board`` in a process of its own."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [*COMMAND, "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        learners, instructor = self.process.stdout.readline(), self.process.stdout.readline()
        assert learners, self.process.stderr.read()
        self.address = re.search(r'join\("(.+?)"', learners)[1]
        self.place, self.code = self.address.split("/")
        self.page = re.search(r"http://\S+", instructor)[0]
        self.key = self.page.partition("key=")[2]

    def post(self, what, data=None, token="", body=None):
        """The status and the text of the answer."""
        request = urllib.request.Request(
            f"http://{self.place}/api/{what}",
            json.dumps(data).encode() if body is None else body,
            {"Authorization": f"Bearer {token}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def get(self, path, cookie=""):
        request = urllib.request.Request(f"http://{self.place}{path}", headers={"Cookie": cookie})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read(100_000).decode() if path != "/stream" else _first_state(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def state(self):
        return self.get("/stream", f"unloop-board={self.key}")[1]

    def learner(self, name):
        status, answer = self.post("join", {"code": self.code, "name": name})
        assert status == 200, answer
        return json.loads(answer)["token"]

    def end(self):
        self.process.terminate()
        self.process.wait(20)


def _first_state(answer):
    for line in answer:
        if line.startswith(b"data: "):
            return json.loads(line[6:])
    return None


@pytest.fixture(scope="module")
def board():
    board = RunningBoard()
    yield board
    board.end()


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    yield tmp_path
    if client._membership is not None:
        leave()


def event(number=1, kind="guess", about="where", value=10.0):
    return {"number": number, "kind": kind, "about": about, "value": value}


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


def test_board_that_vanishes_costs_a_cell_nothing_but_one_sentence(home):
    board = RunningBoard()
    join(board.address, "left alone")
    board.process.kill()
    board.process.wait()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        slowest, end = 0.0, time.monotonic() + 4
        while time.monotonic() < end:
            start = time.thread_time()
            activity.announce("guess", "where", 3.0)
            slowest = max(slowest, time.thread_time() - start)
            time.sleep(0.02)
    assert slowest < 0.05
    sentences = [str(each.message) for each in caught if each.category is client.BoardWarning]
    assert len(sentences) == 1
    assert sentences[0].startswith(f"The board at {board.place} doesn't answer. Your notebook works without it")


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
