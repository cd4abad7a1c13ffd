"""The work of a click runs in a thread if threads reach the page, else in the click itself."""

import sys
import threading
import types

import pytest

from course_utils.ui import background_work

COLAB = {"google.colab": types.ModuleType("google.colab")}


def a_kernel(version):
    return {"ipykernel": types.SimpleNamespace(__version__=version)}


@pytest.mark.parametrize(
    ("loaded", "reaches_page"),
    [(a_kernel("7.4.0"), True), (a_kernel("6.17.1"), True), (a_kernel("7.0.0"), False), (COLAB, False), ({}, True)],
)
def test_work_runs_in_a_thread_only_if_threads_reach_the_page(monkeypatch, loaded, reaches_page):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    for name, module in loaded.items():
        monkeypatch.setitem(sys.modules, name, module)
    done, threads = threading.Event(), []

    def work():
        threads.append(threading.current_thread())
        done.set()

    background_work.start(work, "the work")
    assert done.wait(10)
    assert (threads[0] is not threading.current_thread()) == reaches_page
    assert background_work.threads_reach_page() == reaches_page
