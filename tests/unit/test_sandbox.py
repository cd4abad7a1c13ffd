"""Time, memory, output and settings of a learner's function are limited and restored."""

import logging
import multiprocessing
import os
import random
import subprocess
import sys
import threading
import time
import types
import warnings
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from course_utils import frameworks
from course_utils.sandbox import memory_limits, time_limits
from course_utils.sandbox.output import silence_stderr
from course_utils.sandbox.time_limits import TimeLimitReached, WorkTimer, time_limit

torch = pytest.importorskip("torch")

from judge_sample_task import TASK, judge_answer, message


@pytest.mark.slow
def test_an_answer_that_never_returns_is_stopped():
    def row_sums(x):
        while True:
            try:
                sum(range(100))
            except Exception:  # noqa: BLE001, S110 - as learners write it
                pass

    start = time.process_time()
    assert "row_sums was stopped: all calls of a check together may take 1 s;" in message(
        row_sums, replace(TASK, timeout_s=1)
    )
    assert time.process_time() - start < 5


@pytest.mark.slow
def test_a_process_that_an_answer_waits_for_ends_with_the_check():
    def row_sums(x):
        process = multiprocessing.Process(target=time.sleep, args=(600,))
        process.start()
        process.join()

    before = multiprocessing.active_children()
    assert "row_sums was stopped" in message(row_sums, replace(TASK, timeout_s=0.5, starts_processes=True))
    assert multiprocessing.active_children() == before


@pytest.mark.slow
def test_many_slow_calls_are_blamed_together():
    def row_sums(x):
        end = time.thread_time() + 0.25
        while time.thread_time() < end:
            pass
        return x.sum(1)

    text = message(row_sums, replace(TASK, timeout_s=0.7))
    assert "row_sums was stopped: all calls of a check together may take 0.7 s, and the calls before " in text


def swallow_every_error():
    while True:
        try:
            time.sleep(0.01)
        except:  # noqa: E722, S110 - as learners write it
            pass


def suppress_every_error():
    while True:
        with suppress(BaseException):
            time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize("loop", [swallow_every_error, suppress_every_error])
def test_a_loop_that_swallows_every_error_is_stopped(loop):
    start = time.perf_counter()
    out = sys.stdout
    assert "row_sums was stopped: all calls of a check together may take 0.5 s;" in message(
        lambda x: loop(), replace(TASK, timeout_s=0.5)
    )
    assert time.perf_counter() - start < 20
    assert sys.stdout is out


@pytest.mark.parametrize(
    ("clock", "computed", "crowded", "worked"),
    [
        (1.0, 1.0, 0.0, 1.0), (8.0, 1.0, 7.5, 1.0), (1.0, 2.0, 0.0, 1.0), (8.0, 0.1, 0.0, 8.0), (8.0, 0.1, 8.0, 0.8),
        (8.0, 1.0, None, 1.0), (8.0, 0.1, None, 8.0),
    ],
    ids=[
        "quiet machine", "busy machine", "two threads", "asleep", "asleep on a busy machine", "pressure unknown",
        "asleep, pressure unknown",
    ],
)  # fmt: skip
def test_a_work_timer_counts_work_and_not_other_load(monkeypatch, clock, computed, crowded, worked):
    now = [5.0, 3.0, None if crowded is None else 7.0]
    monkeypatch.setattr(time_limits, "perf_counter", lambda: now[0])
    monkeypatch.setattr(time_limits, "process_time", lambda: now[1])
    monkeypatch.setattr(time_limits, "_crowded_s", lambda: now[2])
    timer = WorkTimer()
    now[:] = 5.0 + clock, 3.0 + computed, None if crowded is None else 7.0 + crowded
    assert timer.seconds == pytest.approx(worked)
    assert timer.waited_s == pytest.approx(clock - worked)


@pytest.mark.slow
def test_a_stop_on_a_busy_machine_names_the_other_programs(monkeypatch):
    def row_sums(x):
        while True:
            time.sleep(0.001)
            end = time.thread_time() + 0.0003
            while time.thread_time() < end:
                pass

    monkeypatch.setattr(time_limits, "_crowded_s", time.perf_counter)  # a program always waits
    text = message(row_sums, replace(TASK, timeout_s=0.1))
    assert "if other programs keep the machine busy, close them and run the check again before" in text


def test_a_time_limit_works_in_another_thread():
    outcome = []

    def work():
        try:
            with time_limit(0.2):
                while True:
                    pass
        except TimeLimitReached:
            outcome.append("stopped")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(timeout=60)
    assert outcome == ["stopped"]


@pytest.fixture
def _slow_package(tmp_path, monkeypatch):
    """Provide a package that nothing has imported yet, and whose import computes for 0.7 s."""
    computing = "import time\nend = time.process_time() + 0.7\nwhile time.process_time() < end: pass\n"
    (tmp_path / "slow_package.py").write_text(f"{computing}ready = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert "slow_package" not in sys.modules
    yield
    sys.modules.pop("slow_package", None)


@pytest.mark.slow
@pytest.mark.usefixtures("_slow_package")
@pytest.mark.parametrize("in_main_thread", [True, False])
def test_an_import_is_not_cut_short(in_main_thread):
    def work():
        with suppress(TimeLimitReached), time_limit(0.1):
            import slow_package

            assert slow_package.ready
            while True:
                pass
        outcome.append("slow_package" in sys.modules)

    outcome = []
    if in_main_thread:
        work()
    else:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join(timeout=60)
    assert outcome == [True], "imported, and the loop after it is stopped"


@pytest.mark.slow
@pytest.mark.usefixtures("_slow_package")
def test_packages_that_an_answer_imports_are_not_counted_as_its_time():
    def row_sums(x):
        import slow_package  # noqa: F401

        return x.sum(1)

    assert judge_answer(row_sums, replace(TASK, timeout_s=0.5)).message is None


def test_a_time_limit_leaves_no_pending_alarm():
    for _ in range(50):
        with suppress(TimeLimitReached), time_limit(0.002):
            pass
    time.sleep(0.02)


def test_a_frameworks_error_after_the_alarm_is_a_time_limit():
    with pytest.raises(TimeLimitReached), time_limit(0.05):
        try:
            while True:
                pass
        except TimeLimitReached:
            raise RuntimeError("MISMATCH") from None


@pytest.mark.slow
def test_several_slow_calls_share_one_time_limit():
    def row_sums(x):
        end = time.process_time() + 0.3  # on a busy machine, sleeping is no work
        while time.process_time() < end:
            pass
        return x.sum(1)

    start = time.process_time()
    assert "was stopped" in message(row_sums, replace(TASK, timeout_s=1))
    assert time.process_time() - start < 5


@pytest.mark.parametrize("grow", [lambda: torch.ones(10**13), lambda: [np.empty(10**9) for _ in range(100)]])
def test_an_answer_that_takes_all_memory_gets_a_message(grow):
    assert "more memory than an exercise may take" in message(lambda x: grow())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports how much memory is free")
def test_a_containers_limit_counts_as_free_memory(tmp_path, monkeypatch):
    (tmp_path / "memory.max").write_text(f"{10**9}\n")
    (tmp_path / "memory.current").write_text(f"{9 * 10**8}\n")
    monkeypatch.setattr(memory_limits, "_CONTAINER", tmp_path)
    assert "or most of the free memory" in message(lambda x: bytearray(2 * 10**8))


def test_prints_are_captured_and_truncated(capsys):
    def row_sums(x):
        for line in range(1000):
            print("line", line)
        return x.sum(1)

    printed = judge_answer(row_sums, TASK).printed.splitlines()
    assert printed[0] == "line 0" and len(printed) == 13
    assert printed[-1] == "(There was more; the rest is cut.)"
    assert capsys.readouterr().out == ""


def test_warnings_are_separate_from_prints():
    def row_sums(x):
        print("mine")
        warnings.warn("careful\nof this", stacklevel=1)
        print("to stderr", file=sys.stderr)
        return x.sum(1)

    for _ in range(2):  # Python shows a warning once per line, a check shows it each time
        verdict = judge_answer(row_sums, TASK)
        assert verdict.printed == "mine"
        assert verdict.warnings_text == "UserWarning: careful\nto stderr"


def test_random_numbers_and_settings_are_restored():
    def row_sums(x):
        torch.manual_seed(0), random.seed(0), np.random.seed(0)
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        logging.warning("the first one adds a handler")  # noqa: LOG015 - as learners write it
        return x.sum(1)

    def draw():
        return torch.rand(1).item(), random.random(), np.random.rand()

    torch.manual_seed(5), random.seed(5), np.random.seed(5)
    expected = draw()
    torch.manual_seed(5), random.seed(5), np.random.seed(5)
    handlers = list(logging.root.handlers)
    judge_answer(row_sums, TASK)
    assert draw() == expected
    assert logging.root.handlers == handlers
    assert torch.get_default_dtype() == torch.float32 and torch.is_grad_enabled()


@pytest.mark.slow
@pytest.mark.parametrize("due", ["False", "True"])
def test_code_can_be_traced_after_an_exception_was_sent_or_not(due):
    # Python 3.11 loops forever in a traced call if a pending exception was cleared before it arrived.
    script = (
        "import sys, time\n"
        "from course_utils.sandbox.raise_in_thread import raise_when\n"
        "try:\n"
        f"    with raise_when(lambda: {due}, TimeoutError): time.sleep(0.2)\n"
        "except TimeoutError: pass\n"
        "sys.settrace(lambda *event: None)\n"
        "(lambda: 0)()\n"
        "print('traced')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "traced\n"


def test_startup_logs_of_an_imported_framework_are_dropped_after_the_cell(monkeypatch, capfd):
    class Framework:
        def write_startup_logs(self):
            os.write(2, b"XLA service initialized\n")

    class Events(dict):
        register = dict.__setitem__

        def unregister(self, event, callback):
            assert self.pop(event) == callback

    events, imported = Events(), []
    shell = types.SimpleNamespace(events=events)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr(frameworks, "loaded", lambda: tuple(imported))
    with silence_stderr():
        imported.append(Framework())
    events["post_run_cell"]()
    assert not events and "XLA" not in capfd.readouterr().err
    with silence_stderr():
        pass
    assert not events, "only the first import registers"
