"""Holds the unit tests to one process: one that starts another, or a kernel, says so by the mark ``process``.

`make check` leaves those out, so that a contributor hears within a minute.
"""

import multiprocessing.process
import subprocess
from pathlib import Path
from unittest.mock import patch

import pytest

from course_utils.frameworks import devices

HERE = Path(__file__).parent

devices.describe()  # Python asks the system for the processor's name by a process of its own, once


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    if HERE not in item.path.parents or item.get_closest_marker("process"):
        return (yield)
    with (
        patch.object(subprocess.Popen, "__init__", refuse),
        patch.object(multiprocessing.process.BaseProcess, "start", refuse),
    ):
        return (yield)


def refuse(*_, **__):
    pytest.fail("This test starts a process; mark it with pytest.mark.process.")
