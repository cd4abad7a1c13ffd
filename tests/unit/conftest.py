"""Holds the unit tests to one process: one that starts another, or a kernel, says so by the mark ``process``.

`make check` leaves those out, so that a contributor hears within a minute.
"""

import multiprocessing.process
import subprocess

import pytest

from course_utils.frameworks import devices

devices.describe()  # Python asks the system for the processor's name by a process of its own, once


@pytest.fixture(autouse=True)
def one_process(request, monkeypatch):
    if request.node.get_closest_marker("process"):
        return

    def refuse(*_, **__):
        pytest.fail("This test starts a process; mark it with pytest.mark.process.")

    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)
    monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", refuse)
