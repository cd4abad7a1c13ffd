"""Work that a click asks for runs in a thread where the page hears one, and else in the click itself."""

import sys
import threading
import types

import pytest

from course_utils.ui import background_work

COLAB = {"google.colab": types.ModuleType("google.colab")}


def a_kernel(version):
    return {"ipykernel": types.SimpleNamespace(__version__=version)}


@pytest.mark.parametrize(
    ("loaded", "heard"),
    [(a_kernel("7.4.0"), True), (a_kernel("6.17.1"), True), (a_kernel("7.0.0"), False), (COLAB, False), ({}, True)],
)
def test_the_work_runs_where_the_page_hears_it(monkeypatch, loaded, heard):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    for name, module in loaded.items():
        monkeypatch.setitem(sys.modules, name, module)
    done, where = threading.Event(), []

    def work():
        where.append(threading.current_thread())
        done.set()

    background_work.start(work, "the work")
    assert done.wait(10)
    assert (where[0] is not threading.current_thread()) == heard
    assert background_work.threads_reach_page() == heard
