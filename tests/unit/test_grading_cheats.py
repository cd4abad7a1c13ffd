"""Hostile answers get no points, whatever they do to their own process. Each runs in a real, caged child."""

import socket
import textwrap
import threading
import time
from dataclasses import replace

import psutil
import pytest

from course_utils import tasks
from course_utils.grading import AnswerCell, Submission, grade
from course_utils.grading.channel import Channel, FrameError

pytestmark = pytest.mark.slow

LESSON = "00_start_here"
LOOP = """
def collect_rows(chunks):
    rows = chunks[0][:0]
    for chunk in chunks:
        for row in chunk:
            rows = torch.cat([rows, row[None]])
    return rows
"""
WRONG = """
def double(x):
    return x + 2
"""


def mark_of(zygotes, *sources, task="double", lesson=LESSON):
    cells = [AnswerCell("", "import torch", 0)]
    for index, source in enumerate(sources, start=1):
        cells.append(AnswerCell(task if f"def {task}" in source else "", textwrap.dedent(source), index))
    (mark,) = grade(Submission("fox", lesson, tuple(cells)), zygotes=zygotes, tasks=(task,))
    return mark


@pytest.mark.parametrize(
    "patch",
    [
        "import time\ntime.perf_counter = time.monotonic = time.process_time = lambda: 0.0",
        "import course_utils.counting as c\nc.count = lambda f, *a: (f(*a), c.Counts())\nc.torch.counting = None",
        "torch.Tensor.__torch_function__ = torch._C._disabled_torch_function_impl",
    ],
    ids=["clocks", "counters", "torch functions"],
)
def test_a_loop_stays_a_loop_whatever_is_patched(zygotes, patch):
    mark = mark_of(zygotes, patch, LOOP, task="collect_rows", lesson="04_growing_results")
    assert (mark.verdict, mark.points) == ("wrong", 0)
    assert "the number grows with the input" in mark.message


@pytest.mark.parametrize(
    "patch",
    [
        "torch.allclose = torch.equal = torch.isclose = lambda *a, **k: True",
        "import course_utils\ncourse_utils.check = lambda f: None\ndef check(f): print('correct')",
        "import course_utils.judging.difference as d\nd.difference = d.task_difference = lambda *a: None",
        "import course_utils.grading.channel as f\nf.Channel.receive = f.Channel.receive\nimport numpy\nnumpy.all = lambda *a: True",
        "get_ipython().input_transformers_cleanup.append(lambda lines: [])",
        "get_ipython().showtraceback = lambda *a, **k: None",
    ],
    ids=["comparisons", "check", "judging", "frames", "input transformer", "showtraceback"],
)
def test_a_wrong_answer_stays_wrong_and_its_mistake_is_named(zygotes, patch):
    mark = mark_of(zygotes, patch, WRONG)
    assert (mark.verdict, mark.points) == ("wrong", 0)
    assert mark.mistake == "2 is added to each value: multiply by 2."
    assert mark.mistake in mark.message


SEARCHES = {
    "frames": """
        import sys
        def double(x):
            frame = sys._getframe()
            while frame is not None:
                for value in list(frame.f_locals.values()):
                    if getattr(value, "native", None) is not None:
                        return value.native
                frame = frame.f_back
            return x
        """,
    "garbage collector": """
        import gc
        def double(x):
            for each in gc.get_objects():
                if type(each).__name__ in ("Task", "Expected", "Oracle"):
                    return each.native
            return x
        """,
    "solutions": """
        import course_utils, pathlib
        def double(x):
            folder = pathlib.Path(course_utils.__file__).parents[1]
            return (folder / "solutions" / "00_start_here.ipynb").read_text()
        """,
    "own reply": """
        import struct, os
        def double(x):
            text = b'[{"value": [[], ["u", [1, ["u", []]]]]}, []]'
            os.write(3, struct.pack(">QQ", len(text), 0) + text)
            return 2 * x
        """,
    "stdout": """
        import os
        def double(x):
            os.write(1, b'{"mark": {"task_id": "double", "points": 1, "of": 1, "verdict": "right"}}')
            return x
        """,
    "reply before the question": """
        import struct, os
        text = b'[{"ready": {"text": "(x)", "parameters": []}}, []]'
        os.write(3, struct.pack(">QQ", len(text), 0) + text)
        def double(x):
            return x
        """,
}


@pytest.mark.parametrize("source", SEARCHES.values(), ids=SEARCHES)
def test_nothing_worth_stealing_or_forging_is_in_reach(zygotes, source):
    mark = mark_of(zygotes, source)
    assert mark.verdict in ("wrong", "stopped")
    assert mark.points == 0


RESULTS = {
    "a subclass": ("class Lazy(torch.Tensor): pass\n\ndef double(x): return (2 * x).as_subclass(Lazy)", "plain torch tensor"),
    "the input itself": ("def double(x): return x.mul_(2)", "changed its input"),
    "a view": ("def double(x): return x.view_as(x)", "wrong values"),
    "NaN": ("def double(x): return x * float('nan')", "wrong values"),
    "half precision": ("def double(x): return (2 * x.half()).to(x.dtype)", "wrong values"),
    "something to unpickle": (
        "class Bomb:\n    def __reduce__(self): return eval, ('1/0',)\n\ndef double(x): return Bomb()",
        "a Bomb",
    ),
    "lists without end": ("def double(x):\n    r = []\n    r.append(r)\n    return r", ""),
    "too much": ("def double(x): return torch.zeros(10**10)", "more memory"),
    "kept by identity": ("kept = {}\ndef double(x): return kept.setdefault(id(x), 2 * x)", ""),
    "one buffer": ("out = torch.empty(0)\ndef double(x): return torch.mul(x, 2, out=out)", ""),
    "a guessed seed": ("torch.manual_seed(0)\ndef double(x): return torch.randn(x.shape).to(x.dtype)", "wrong values"),
    "a thread": (
        """
        import threading, time
        def double(x):
            out = torch.zeros_like(x)
            threading.Thread(target=lambda: (time.sleep(0.05), out.copy_(2 * x))).start()
            return out
        """,
        "wrong values",
    ),
    "values read": ("def double(x): return torch.tensor([2 * v for v in x.flatten().tolist()], dtype=x.dtype).view(x.shape)", "tolist"),
}  # fmt: skip


@pytest.mark.parametrize(("source", "says"), RESULTS.values(), ids=RESULTS)
def test_a_result_counts_for_what_it_is(zygotes, source, says):
    mark = mark_of(zygotes, source)
    assert (mark.verdict in ("wrong", "stopped"), mark.points) == (True, 0)
    assert says in mark.message


@pytest.mark.parametrize(
    "sources",
    [
        ("torch.utils._python_dispatch.TorchDispatchMode.__enter__ = lambda self: self", LOOP),
        (
            LOOP.replace("collect_rows", "loop"),
            "kept = {}\ndef collect_rows(chunks):\n    return kept.setdefault(str(chunks), None) or loop(chunks)",
        ),
    ],
    ids=["own modes", "kept by content"],
)
def test_operations_cannot_be_hidden(zygotes, sources):
    mark = mark_of(zygotes, *sources, task="collect_rows", lesson="04_growing_results")
    assert mark.points == 0


ATTACKS = {
    "a signal": "import os\ndef double(x):\n    os.kill(-1, 9)\n    return x",
    "a signal to the parent": "import os\ndef double(x):\n    os.kill(os.getppid() or -1, 9)\n    return x",
    "processes": "import os\ndef double(x):\n    while True: os.fork()",
    "a program": "import subprocess\ndef double(x):\n    return subprocess.run(['ls'])",
    "a connection": "import socket\ndef double(x):\n    return socket.create_connection(('127.0.0.1', 9))",
    "a file": "def double(x):\n    open('/tmp/unloop-was-here', 'w').write('x' * 10**6)\n    return x",
    "the system's files": "def double(x):\n    return open('/etc/passwd').read()",
    "another process": "def double(x):\n    return open('/proc/1/environ').read()",
    "a question": "def double(x):\n    return input()",
    "an exit": "import sys\ndef double(x):\n    sys.exit(0)",
    "a file as a tensor": "def double(x):\n    return torch.from_file('/etc/passwd', size=9, dtype=torch.uint8)",
}


@pytest.mark.parametrize("source", ATTACKS.values(), ids=ATTACKS)
def test_the_cage_holds_and_the_answer_is_wrong(zygotes, source):
    mark = mark_of(zygotes, source)
    assert (mark.verdict, mark.points) == ("wrong", 0)
    assert "raised" in mark.message


@pytest.mark.parametrize(
    "source",
    [
        "import os\ndef double(x):\n    os._exit(0)",
        "import ctypes\ndef double(x):\n    ctypes.string_at(0)",
        "def double(x):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass",
    ],
    ids=["exit", "crash", "endless loop"],
)
def test_an_answer_that_ends_its_process_is_stopped(zygotes, source):
    mark = mark_of(zygotes, source)
    assert (mark.verdict, mark.points) == ("stopped", 0)


@pytest.mark.parametrize(
    "bomb",
    [
        "def double(x):\n    return bytearray(3 << 30)",
        "import mmap\ndef double(x):\n    return [mmap.mmap(-1, 1 << 30) for _ in range(8)]",
    ],
    ids=["private", "shared"],
)
def test_memory_is_bounded(zygotes, bomb):
    mark = mark_of(zygotes, bomb)
    assert (mark.verdict in ("wrong", "stopped"), mark.points) == (True, 0)


BOMBS = {
    "processes": (
        """
        import os, time
        def double(x):
            for _ in range(2000):
                try:
                    if os.fork() == 0:
                        time.sleep(600)
                except OSError:
                    pass
            while True: pass
        """,
        "its processes take too much memory",
    ),
    "files": (
        """
        import os
        def double(x):
            for number in range(20):
                with open(os.path.join(os.environ["TMPDIR"], str(number)), "wb") as file:
                    os.posix_fallocate(file.fileno(), 0, 10**6)
            while True: pass
        """,
        "it writes too many files",
    ),
}


@pytest.mark.parametrize(("source", "says"), BOMBS.values(), ids=BOMBS)
def test_bombs_are_bounded_if_an_answer_may_compile(zygotes, monkeypatch, source, says):
    monkeypatch.setattr("course_utils.grading.child_handle._MOST_BYTES", 10**7)
    mark = mark_of(zygotes, "# torch.compile", source)
    assert (mark.verdict, mark.points) == ("stopped", 0)
    assert says in mark.message


MANY_DEVICES = {
    "processes": ("ordered_map", "import os\ndef ordered_map(fn, items, workers):\n    while True: os.fork()"),
    "processes in other sessions": (
        "ordered_map",
        """
        import os, time
        def ordered_map(fn, items, workers):
            if os.fork() == 0:
                os.setsid()
                os.fork() or time.sleep(600)
                os._exit(0)
            return []
        """,
    ),
    "a worker that calls without end": (
        "ddp_step",
        "def ddp_step(model, loss, x, y, rate, all_reduce):\n    while True: all_reduce(x.new_zeros(1))",
    ),
    "a worker that hangs": (
        "ddp_step",
        "def ddp_step(model, loss, x, y, rate, all_reduce):\n    while len(x) == 3: pass\n    all_reduce(x.new_zeros(1))",
    ),
    "a worker that ends": (
        "ddp_step",
        "import os\ndef ddp_step(model, loss, x, y, rate, all_reduce):\n    len(x) == 3 and os._exit(0)\n    all_reduce(x)",
    ),
}


@pytest.mark.parametrize(("task", "source"), MANY_DEVICES.values(), ids=MANY_DEVICES)
def test_no_process_outlives_an_answer_with_several(zygotes, monkeypatch, task, source):
    def load_with_little_time(task_id):
        return replace(load(task_id), timeout_s=1.0)

    load = tasks.load
    monkeypatch.setattr(tasks, "load", load_with_little_time)
    assert mark_of(zygotes, "def double(x): return 2 * x").points == 1  # so the zygote and its spare child exist
    before = processes()
    mark = mark_of(zygotes, source, task=task, lesson="16_many_devices")
    assert mark.points == 0
    while len(processes() - before) > 1:  # a new spare child; the test's time limit ends this
        time.sleep(0.02)


def test_a_spare_that_has_ended_is_replaced(zygotes):
    right = "def double(x): return 2 * x"
    assert mark_of(zygotes, right).points == 1
    zygotes.of("torch")._spare.connection.shutdown(socket.SHUT_RDWR)
    assert mark_of(zygotes, right).points == 1


def processes():
    return {each.pid for each in psutil.Process().children(recursive=True)}


def test_an_answer_that_is_sent_before_its_question_is_refused():
    mine, theirs = socket.socketpair()
    parent, child = Channel(mine, lambda: None), Channel(theirs)
    large = bytes(range(256)) * 1000
    sender = threading.Thread(target=lambda: [child.send({"n": n}, [b"", large[:n]]) for n in (7, len(large))])
    sender.start()
    for size in (7, len(large)):
        message, blobs = parent.receive()
        assert message == {"n": size} and [bytes(blob) for blob in blobs] == [b"", large[:size]]
    sender.join()
    parent.require_silence()
    child.send({"answer": 1})
    child.send({"answer": 2})  # an unrequested second answer
    parent.receive()
    with pytest.raises(FrameError, match="before it is asked"):
        parent.require_silence()
