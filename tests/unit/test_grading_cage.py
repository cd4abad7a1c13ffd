"""The cage without Landlock, and the end of everything that an answer has started when the grader is killed."""

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from importlib.util import find_spec

import psutil
import pytest
from sample_submissions import is_running

from course_utils.grading import bubblewrap, landlock
from course_utils.grading.zygote_command import receive_answer
from course_utils.grading.zygote_handle import CageMissing, Zygote

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the cage needs Linux")]

# Children: one that computes, one that waits, the echo, a spare, and one with programs inside and outside of its
# session.
BUSY = """
import sys
from course_utils.grading import landlock
from course_utils.grading.cage import Rights
from course_utils.grading.zygote_handle import CageMissing, Zygote

if "without Landlock" in sys.argv:
    landlock.version = lambda: 0
try:
    zygote = Zygote("torch")
except CageMissing as missing:
    print(missing, flush=True)
    raise SystemExit

def start(cell, rights=Rights.COMPUTE):
    return zygote.child({"role": "answer", "cells": [["<cell>", cell]], "function": "f"}, rights)

children = [start("while True: pass"), start("import time\\ntime.sleep(600)"), zygote.child({"role": "echo"})]
programs = "import subprocess\\nfor own in (True, False): subprocess.Popen(['sleep', '600'], start_new_session=own)"
children.append(start(programs, Rights.COMPILE))
while "ready" not in children[-1].receive()[0]:
    pass
print("ready", flush=True)
sys.stdin.read()
"""


def needs_bubblewrap():
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")


@pytest.mark.parametrize("walls", ["with Landlock", "without Landlock"])
def test_nothing_is_left_of_a_grader_that_is_killed(walls):
    if walls == "without Landlock":
        needs_bubblewrap()
    command = [sys.executable, "-c", BUSY, walls]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as grader:
        said = grader.stdout.readline().strip()
        if said != "ready":
            pytest.skip(said)
        pids = [each.pid for each in psutil.Process(grader.pid).children(recursive=True)]
        grader.kill()
    assert len(pids) >= 7
    if os.geteuid() != 0 and not bubblewrap.is_useful():  # without a PID namespace, programs outlive an answer
        pids = [pid for pid in pids if psutil.pid_exists(pid) and psutil.Process(pid).name() != "sleep"]
    while any(map(is_running, pids)):  # the test's time limit ends this
        time.sleep(0.02)


@contextmanager
def starting_zygote(folder):
    """Return a grader whose zygote starts, with its temporary files in ``folder``; it is killed at the end."""
    start = "from course_utils.grading.zygote_handle import Zygote\nZygote._answer = lambda _: print(flush=True) or input()\n"
    command = [sys.executable, "-c", f"{start}Zygote('torch')"]
    environment = os.environ | {"TMPDIR": str(folder)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as grader:
        grader.stdout.readline()
        pids = [each.pid for each in psutil.Process(grader.pid).children()]
        yield
        grader.kill()
    while any(map(is_running, pids)):
        time.sleep(0.02)


def test_the_next_grader_removes_the_files_of_one_that_was_killed(tmp_path):
    (another_program := tmp_path / "unloop-grade-notes").mkdir()
    with starting_zygote(tmp_path):
        (first,) = set(tmp_path.glob("unloop-grade-*")) - {another_program}
        with starting_zygote(tmp_path):
            assert len(set(tmp_path.glob("unloop-grade-*"))) == 3
    assert first.exists()
    with starting_zygote(tmp_path):
        assert not first.exists() and another_program.exists()
        assert len(set(tmp_path.glob("unloop-grade-*"))) == 2


def test_autograph_converts_code_in_the_cage():
    if find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    loop = "@tf.function\ndef total(n):\n    s = 0\n    for i in tf.range(n): s += i\n    return s\n"
    cell = f"import tensorflow as tf\n{loop}assert int(total(tf.constant(4))) == 6\ndef converted(): pass"
    with Zygote("tensorflow") as zygote:
        child = zygote.child({"role": "answer", "cells": [["<cell>", cell]], "function": "converted"})
        child.receive()
        message, _ = child.receive()
    assert message["ready"] is not None


def test_without_landlock_and_bubblewrap_the_message_names_both(monkeypatch):
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setattr(bubblewrap, "is_useful", lambda: False)
    with pytest.raises(CageMissing, match="Landlock is missing, and so is bubblewrap. Use Linux 5.13"):
        Zygote("torch")


def test_a_zygote_has_more_time_while_other_programs_compute(monkeypatch):
    monkeypatch.setattr("course_utils.sandbox.time_limits._crowded_s", time.perf_counter)  # a program always waits
    mine, theirs = socket.socketpair()
    with mine, theirs:
        threading.Timer(0.6, theirs.send, [b"{}"]).start()
        assert receive_answer(mine, 0.2) == b"{}"
        with pytest.raises(TimeoutError):
            receive_answer(mine, 0.01)
