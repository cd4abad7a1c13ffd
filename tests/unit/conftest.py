"""The mark ``slow`` for unit tests that take half a second or more, start another process, a kernel or TensorFlow, or compare
times; `make check` leaves them out.

A test without the mark fails when it starts a process. A test of a TensorFlow task gets the mark from its parameter.
"""

import importlib
import multiprocessing.process
import os
import random
import subprocess
from pathlib import Path
from unittest.mock import patch

import pytest
from running_board import RunningBoard

from course_utils import tasks
from course_utils.frameworks import devices

HERE = Path(__file__).parent
JUDGE = importlib.import_module("course_utils.judging.judge")  # The package's attribute of this name is the function.

devices.describe()  # The first call starts a process that asks the system for the processor's name.


@pytest.fixture(scope="module")
def board():
    """Return a class board in a process of its own."""
    board = RunningBoard()
    yield board
    last_words = board.end()
    if os.name == "posix":
        assert last_words == "The board has ended, and its events are deleted.\n"


@pytest.hookimpl(tryfirst=True)  # before pytest selects by mark
def pytest_collection_modifyitems(items):
    lessons = {lesson for lesson in tasks.lessons() if "tensorflow" in lesson}
    names = {name for name in (*tasks.names(), *tasks.names("practice")) if "tensorflow" in tasks.lesson_of(name)}
    for item in items:
        parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
        if HERE in item.path.parents and any(each in lessons | names for each in parameters if isinstance(each, str)):
            item.add_marker("slow")


@pytest.fixture(autouse=True)
def repeatable_checks(request, monkeypatch):
    """Let the checks and the grader draw the same inputs in each run, in a test's own process; each check draws others."""
    drawn = random.Random(request.node.nodeid)
    monkeypatch.setattr(JUDGE, "_draw", drawn.randrange)
    monkeypatch.setattr(random, "SystemRandom", lambda: drawn)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    if HERE not in item.path.parents or item.get_closest_marker("slow"):
        return (yield)
    with (
        patch.object(subprocess.Popen, "__init__", refuse),
        patch.object(multiprocessing.process.BaseProcess, "start", refuse),
    ):
        return (yield)


def refuse(*_, **__):
    pytest.fail("This test starts a process; mark it with pytest.mark.slow.")
