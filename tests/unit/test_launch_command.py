"""``launch`` shows a command's output, says in one sentence how it failed, and leaves no process behind.

Each launched process inherits a variable with a random value, by which the tests find it wherever it was started.
"""

import os
import signal
import subprocess
import sys
import threading
import uuid
from pathlib import Path

import pytest
from load_tolerance import wait_until

from course_utils import launch
from course_utils.sandbox import supervise
from course_utils.sandbox.launch_command import LaunchFailed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="the tests find processes in /proc"),
]

# A child in its own session that ignores SIGTERM, like a hanging worker.
STUBBORN_CHILD = """
import signal, subprocess, sys, time
code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
subprocess.Popen([sys.executable, "-S", "-c", code], start_new_session=True)
print("ready", flush=True)
"""
TORCHRUN = "torchrun", "--standalone", "--nproc-per-node=2", "--local-addr=127.0.0.1"
WORKER = """
import os, signal, time
import torch.distributed as dist
dist.init_process_group("gloo")
dist.barrier()
if dist.get_rank() == 0:
    print("ready", flush=True)
"""


class Launcher:
    """A folder with scripts, and the variable by which their processes are found."""

    def __init__(self, folder):
        self.folder = folder
        self.mark = uuid.uuid4().hex
        self.environment = {"UNLOOP_TEST": self.mark, "GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"}

    def write(self, text):
        script = self.folder / "script.py"
        script.write_text(text, encoding="utf-8")
        return str(script)

    def __call__(self, text, *command, **options):
        launch(*(command or ("python",)), self.write(text), environment=self.environment, **options)

    def fails(self, text, *command, **options):
        with pytest.raises(LaunchFailed) as failed:
            self(text, *command, **options)
        assert self.alive() == []
        return str(failed.value)

    def alive(self):
        """Return the processes that have the variable and have not ended."""
        found = []
        for folder in Path("/proc").iterdir():
            try:
                if folder.name.isdigit() and self.mark.encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                continue  # it has ended, or belongs to somebody else
        return found


@pytest.fixture
def launcher(tmp_path):
    return Launcher(tmp_path)


def test_output_is_shown_and_background_processes_end_with_the_command(launcher, capsys):
    launcher(STUBBORN_CHILD)
    assert capsys.readouterr().out == "ready\n"
    assert launcher.alive() == []


def test_a_command_is_stopped_at_its_time_limit(launcher):
    message = launcher.fails(STUBBORN_CHILD + "time.sleep(600)", time_limit_s=2)
    assert message.startswith("script.py was stopped after 2.00 s, and all its processes have ended.")


def test_interrupting_the_cell_stops_the_command(launcher):
    script = STUBBORN_CHILD.replace('print("ready"', 'open(__file__ + ".ready", "w").close(); print("ready"')
    ready = launcher.folder / "script.py.ready"

    def interrupt():
        wait_until(ready.exists)
        os.kill(os.getpid(), signal.SIGINT)

    # A shell starts background jobs with this signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Thread(target=interrupt).start()
        assert launcher.fails(script + "time.sleep(600)") == "You stopped script.py; all its processes have ended."
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("1 / 0", "script.py, line 1: ZeroDivisionError: division by zero."),
        ("import sys; sys.exit(3)", "script.py ended with exit code 3: it wrote no error message"),
        ("import os; os.kill(os.getpid(), 9)", "A process of script.py was ended by the signal SIGKILL"),
        (
            "import socket\na, b = socket.socket(), socket.socket()\na.bind(('127.0.0.1', 0))\nb.bind(a.getsockname())",
            "Another program uses this port. Choose another one, or port 0",
        ),
        (
            "from multiprocessing import get_context\nget_context('spawn').Process(target=lambda: 1).start()",
            "write it with def at the top level of the file.",
        ),
    ],
)
def test_a_failure_is_one_sentence_with_its_remedy(script, says, launcher):
    assert says in launcher.fails(script)


def test_what_cannot_start_is_named(launcher, monkeypatch):
    with pytest.raises(LaunchFailed, match="There is no file missing.py; run the cell that writes it first."):
        launch("python", "missing.py")
    with pytest.raises(LaunchFailed, match="The program torchwalk is not installed"):
        launch("torchwalk")

    def refuse(self, address):
        raise OSError(99, "Cannot assign requested address")

    monkeypatch.setattr("socket.socket.bind", refuse)
    assert "This machine has no loopback address 127.0.0.1" in launcher.fails("print(1)")


def test_processes_are_also_found_without_proc(monkeypatch):
    monkeypatch.setattr(supervise, "_ON_LINUX", False)
    with subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert supervise._descendants() >= {child.pid}
        child.communicate(b"\n")
    assert child.pid not in supervise._descendants()


def test_workers_of_torchrun_end_with_their_error(launcher):
    message = launcher.fails(
        WORKER + "if dist.get_rank() == 1:\n    raise ValueError('two shapes')\ntime.sleep(600)", *TORCHRUN
    )
    assert message == "script.py, line 9: ValueError: two shapes."


@pytest.mark.parametrize("command", [("python",), TORCHRUN], ids=["python", "torchrun"])
def test_nothing_is_left_when_the_kernel_is_killed(command, launcher):
    text = (STUBBORN_CHILD if command == ("python",) else WORKER) + "time.sleep(600)"
    code = "import sys; from course_utils import launch; launch(*sys.argv[1:])"
    kernel = subprocess.Popen(
        [sys.executable, "-c", code, *command, launcher.write(text)],
        env=os.environ | launcher.environment,
        stdout=subprocess.PIPE,
    )
    assert kernel.stdout.readline() == b"ready\n"
    assert len(launcher.alive()) >= 3
    kernel.kill()
    kernel.communicate()
    wait_until(lambda: not launcher.alive(), timeout_s=120.0)
