"""The class board: a real server, real requests, and what a notebook sends to it."""

import json
import re
import socket
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from load_tolerance import wait_until
from running_board import RunningBoard, event

from course_utils import CourseError, join, leave
from course_utils.board import client
from course_utils.learner import activity_listeners

pytest.importorskip("uvicorn")

pytestmark = pytest.mark.slow


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    yield tmp_path
    if client._membership is not None:
        leave()


def test_nothing_listens_before_join():
    assert activity_listeners.listeners == []


def test_learner_sees_once_what_is_sent_and_the_board_gets_it(board, home, capsys):
    join(board.address, "fox-42")
    shown = capsys.readouterr().out
    assert json.loads(shown.splitlines()[1]).keys() == event().keys()
    activity_listeners.announce("guess", "first-race", 100.0)
    activity_listeners.announce("truth", "first-race", 240.0)
    client.raise_flag("help", True)
    wait_until(lambda: [each["name"] for each in board.state()["help"]] == ["fox-42"])
    prediction = next(each for each in board.state()["predictions"] if each["id"] == "first-race")
    assert prediction == {"id": "first-race", "guesses": [100.0], "truth": 240.0}
    leave()
    assert activity_listeners.listeners == []
    assert "deleted your events" in capsys.readouterr().out
    assert not [each for each in board.state()["predictions"] if each["id"] == "first-race"]


def test_restarted_kernel_keeps_its_name(board, home):
    join(board.address, "owl")
    activity_listeners.announce("task", "row_sums", True)
    wait_until(lambda: any(each["id"] == "row_sums" for each in board.state()["tasks"]))
    client._membership.end()  # the kernel dies without a word
    activity_listeners.listeners.clear()
    client._membership = None
    join(board.address, "owl")
    activity_listeners.announce("task", "row_sums", False)
    wait_until(lambda: next(each for each in board.state()["tasks"] if each["id"] == "row_sums")["wrong"] == 1)


def test_cell_that_joins_can_run_again(board, home, capsys):
    join(board.address, "again")
    activity_listeners.announce("task", "ran_again", True)
    join(board.address, "again")
    activity_listeners.announce("task", "ran_again", False)
    wait_until(lambda: {"id": "ran_again", "right": 0, "wrong": 1} in board.state()["tasks"])
    assert "You have left" not in capsys.readouterr().out


def test_new_learner_needs_no_data_folder(board, home, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(home / "first" / "time"))
    join(board.address, "newcomer")
    assert (home / "first" / "time" / "boards.json").exists()


@pytest.mark.parametrize(
    "answer",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<h1>Not Found</h1>",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[1, 2]",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}",
    ],
    ids=["no web server", "page", "list", "object"],
)
def test_program_that_is_no_board_is_named(home, answer):
    with socket.create_server(("127.0.0.1", 0)) as other, ThreadPoolExecutor() as pool:
        pool.submit(_answer, other, answer)
        with pytest.raises(CourseError, match=r"No board answers at .* \(another program answers there\)"):
            join(f"127.0.0.1:{other.getsockname()[1]}/K7QDXM", "fox")
    assert activity_listeners.listeners == []


def _answer(listener, text):
    connection, _ = listener.accept()
    with connection:
        request = b""
        while not request.endswith(b"}"):  # A connection that is closed before its request is read is reset.
            request += connection.recv(2**16)
        connection.sendall(text)


@pytest.mark.parametrize(
    ("address", "name", "sentence"),
    [
        ("127.0.0.1:1/ABCDEF", "fox", "No board answers at 127.0.0.1:1"),
        ("somewhere", "fox", "An address looks like 192.168.1.20:8787/K7QDXM"),
        (None, "<b>fox</b>", "A name has 1 to 24 letters"),
        (None, "", "A name has 1 to 24 letters"),
        (None, "taken", "Another learner on this board has the name 'taken'"),
        ("{host_port}/WRONG1", "fox", "The code is wrong"),
    ],
)
def test_bad_input_gets_a_sentence(board, home, address, name, sentence):
    with suppress(AssertionError):  # All cases share the board, which refuses the name from the second case on.
        board.learner("taken")
    with pytest.raises(CourseError, match=re.escape(sentence)):
        join((address or board.address).replace("{host_port}", board.host_port), name)
    assert activity_listeners.listeners == []


def test_second_board_replaces_the_first_and_a_vanished_board_gives_one_warning(board, home):
    join(board.address, "mover")
    before = board.state()["learners"]
    second = RunningBoard()
    join(second.address, "mover")
    assert board.state()["learners"] == before - 1
    second.process.kill()
    second.process.wait()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")

        def sentences():
            activity_listeners.announce("guess", "where", 3.0)
            return [str(each.message) for each in caught if each.category is client.BoardWarning]

        wait_until(sentences)
        for _ in range(40):  # The board is tried again, and still doesn't answer.
            time.sleep(0.05)
            (sentence,) = sentences()
    assert sentence.startswith(f"The board at {second.host_port} doesn't answer. Your notebook works without it")


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
