"""What a learner's function does to the clock, to memory, to the page and to settings ends with its call."""

import logging
import random
import subprocess
import sys
import threading
import time
import warnings
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from course_utils.sandbox import memory, time_limits
from course_utils.sandbox.time_limits import Effort, Stopped, time_limit

torch = pytest.importorskip("torch")

from made_up_judging import TASK, judged, message


def test_an_answer_that_never_returns_is_stopped():
    def row_sums(x):
        while True:
            try:
                sum(range(100))
            except Exception:  # noqa: BLE001, S110 - as learners write it
                pass

    start = time.process_time()
    assert "was stopped before it returned: a check gives it 1 s;" in message(row_sums, replace(TASK, timeout_s=1))
    assert time.process_time() - start < 5


def forgiving():
    while True:
        try:
            time.sleep(0.01)
        except:  # noqa: E722, S110 - as learners write it
            pass


def forgiving_in_two_ways():
    while True:
        with suppress(BaseException):
            time.sleep(0.01)


@pytest.mark.parametrize("loop", [forgiving, forgiving_in_two_ways])
def test_a_loop_that_swallows_every_error_is_stopped_too(loop):
    start = time.perf_counter()
    out = sys.stdout
    assert "was stopped before it returned" in message(lambda x: loop(), replace(TASK, timeout_s=0.5))
    assert time.perf_counter() - start < 20
    assert sys.stdout is out


@pytest.mark.parametrize(
    ("clock", "computed", "worked"),
    [(1.0, 1.0, 1.0), (8.0, 1.0, 1.0), (1.0, 2.0, 1.0), (8.0, 0.1, 8.0)],
    ids=["alone", "on a busy machine", "on two threads", "asleep"],
)
def test_what_counts_is_the_work_done(monkeypatch, clock, computed, worked):
    now = [5.0, 3.0]
    monkeypatch.setattr(time_limits, "perf_counter", lambda: now[0])
    monkeypatch.setattr(time_limits, "process_time", lambda: now[1])
    effort = Effort()
    now[:] = 5.0 + clock, 3.0 + computed
    assert effort.seconds == pytest.approx(worked)


def test_the_time_limit_holds_in_another_thread_too():
    outcome = []

    def work():
        try:
            with time_limit(0.2):
                while True:
                    pass
        except Stopped:
            outcome.append("stopped")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(timeout=5)
    assert outcome == ["stopped"]


def test_a_time_limit_leaves_nothing_behind():
    for _ in range(50):
        with suppress(Stopped), time_limit(0.002):
            pass
    time.sleep(0.02)


def test_an_error_that_a_framework_makes_of_the_time_limit_is_still_the_time_limit():
    with pytest.raises(Stopped), time_limit(0.05):
        try:
            while True:
                pass
        except Stopped:
            raise RuntimeError("MISMATCH") from None


def test_slow_calls_together_are_stopped_too():
    start = time.perf_counter()
    assert "was stopped" in message(lambda x: (time.sleep(0.3), x.sum(1))[1], replace(TASK, timeout_s=1))
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("grow", [lambda: torch.ones(10**13), lambda: [np.empty(10**9) for _ in range(100)]])
def test_an_answer_that_takes_all_memory_is_told_so(grow):
    assert "more memory than an exercise may take" in message(lambda x: grow())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory is free")
def test_a_container_allows_what_its_own_limit_leaves(tmp_path, monkeypatch):
    (tmp_path / "memory.max").write_text(f"{10**9}\n")
    (tmp_path / "memory.current").write_text(f"{9 * 10**8}\n")
    monkeypatch.setattr(memory, "_CONTAINER", tmp_path)
    assert "or most of what is free" in message(lambda x: bytearray(2 * 10**8))


def test_prints_are_held_back_and_cut(capsys):
    def row_sums(x):
        for line in range(1000):
            print("line", line)
        return x.sum(1)

    printed = judged(row_sums, TASK).printed.splitlines()
    assert printed[0] == "line 0" and len(printed) == 13
    assert printed[-1] == "(There was more; the rest is cut.)"
    assert capsys.readouterr().out == ""


def test_warnings_are_not_taken_for_prints():
    def row_sums(x):
        print("mine")
        warnings.warn("careful\nof this", stacklevel=1)
        print("to stderr", file=sys.stderr)
        return x.sum(1)

    for _ in range(2):  # Python gives a warning once for each place, a check each time
        verdict = judged(row_sums, TASK)
        assert verdict.printed == "mine"
        assert verdict.remarked == "UserWarning: careful\nto stderr"


def test_random_numbers_and_settings_are_put_back():
    def row_sums(x):
        torch.manual_seed(0), random.seed(0), np.random.seed(0)
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        logging.warning("the first one makes a handler")  # noqa: LOG015 - as learners write it
        return x.sum(1)

    def draw():
        return torch.rand(1).item(), random.random(), np.random.rand()

    torch.manual_seed(5), random.seed(5), np.random.seed(5)
    wanted = draw()
    torch.manual_seed(5), random.seed(5), np.random.seed(5)
    handlers = list(logging.root.handlers)
    judged(row_sums, TASK)
    assert draw() == wanted
    assert logging.root.handlers == handlers
    assert torch.get_default_dtype() == torch.float32 and torch.is_grad_enabled()


@pytest.mark.process
@pytest.mark.parametrize("due", ["False", "True"])
def test_code_can_be_traced_after_an_exception_that_was_or_was_not_sent(due):
    # Python 3.11 loops for ever in a traced call where an exception was taken back before it arrived.
    script = (
        "import sys, time\n"
        "from course_utils.sandbox.interrupting import raised_when\n"
        "try:\n"
        f"    with raised_when(lambda: {due}, TimeoutError): time.sleep(0.2)\n"
        "except TimeoutError: pass\n"
        "sys.settrace(lambda *event: None)\n"
        "(lambda: 0)()\n"
        "print('traced')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "traced\n"
