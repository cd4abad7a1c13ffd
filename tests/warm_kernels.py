"""Starts nbval's kernels on Linux as forks of a process that has imported the notebook's framework.

Importing TensorFlow costs more than most pages, so all processes of a test run share one warm process per framework. The
kernels of all other tests start like a learner's. This module is both the test's side and, as a script, the warm process.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import time
import uuid
from functools import cache, partial
from unittest import mock

LAUNCH = "jupyter_client.provisioning.local_provisioner.launch_kernel"
IMPORTED_BY_ALL = (
    "ipykernel.kernelapp",
    "ipywidgets",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
)
# Optimizers and gradients within `vmap` import the first, and `torch.compile` both, which takes seconds.
IMPORTED_WITH = {"torch": ("torch._dynamo", "torch._inductor.compile_fx"), "tensorflow": ()}
# Without the last variable, torch's compiler starts processes when it is imported. In a learner's kernel, the course sets it.
ENVIRONMENT = {
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
}


def fork_kernel_of(collector):
    """Let a notebook's collector start its kernel as a fork, if the notebook uses one of the frameworks."""
    metadata = json.loads(collector.path.read_text(encoding="utf-8"))["metadata"]
    framework = metadata.get("unloop", {}).get("framework")
    if sys.platform != "linux" or framework not in IMPORTED_WITH:
        return
    set_up = collector.setup
    # No test compares the times in lessons, so their races may be short. The checks of solutions need the usual time.
    settings = {"UNLOOP_LONGEST_BUDGET_S": "0.2"} if collector.path.parent.name == "notebooks" else {}

    def set_up_with_fork():
        with mock.patch(LAUNCH, partial(_launch_kernel, framework, settings)):
            set_up()

    collector.setup = set_up_with_fork


def _launch_kernel(framework, settings, command, *, env, cwd, **_):
    arguments = command[command.index("-m") + 1 :]
    request = {"arguments": arguments, "environment": env | settings, "folder": cwd}
    with _connect(framework) as connection, connection.makefile("rw", encoding="utf-8") as stream:
        print(json.dumps(request), file=stream, flush=True)
        answer = stream.readline()
    if not answer:
        raise RuntimeError(f"The process that imports {framework} has ended.")
    return ForkedKernel(int(answer))


def _connect(framework):
    """Return a connection with the warm process of this test run; the first test process that needs it starts it."""
    address = f"\0unloop-{_test_run()}-{framework}"  # a name without a file, which is free when the process has ended
    while True:
        with socket.socket(socket.AF_UNIX) as listener:
            try:
                listener.bind(address)
            except OSError:
                pass  # Another test process has started it.
            else:
                listener.listen()
                _start_warm_process(framework, listener.fileno())
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(address)
            return connection
        except ConnectionRefusedError:
            connection.close()
            time.sleep(0.01)  # The other process binds the address and listens in two steps.


@cache
def _test_run():
    """Return a name that only the processes of this test run know."""
    return os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex


def _start_warm_process(framework, listener):
    first = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    subprocess.Popen(
        [sys.executable, __file__, framework, str(listener), str(first)],
        pass_fds=[listener],
        start_new_session=True,
        env=os.environ | ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


class ForkedKernel:
    """The part of ``Popen`` that jupyter_client uses, for a process that is not a child of this one; its exit code is
    unknown."""

    stdin = stdout = stderr = returncode = None

    def __init__(self, pid):
        self.pid = pid
        self._descriptor = os.pidfd_open(pid)

    def poll(self):
        if self.returncode is None and select.select([self._descriptor], [], [], 0)[0]:
            self.returncode = 0
            os.close(self._descriptor)
        return self.returncode

    def wait(self, timeout=None):
        if self.returncode is None and not select.select([self._descriptor], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("kernel", timeout)
        return self.poll()

    def send_signal(self, number):
        if self.poll() is None:
            signal.pidfd_send_signal(self._descriptor, number)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)


def _serve(framework, listener, tests):
    """Fork a kernel for each request, until the first process of the tests ends."""
    del sys.path[0]  # the folder of this script
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # A kernel ends when its parent has ended.
    end_of_tests = os.pidfd_open(tests)
    gc.disable()  # It would visit all modules again and again while more of them are imported.
    for name in (framework, *IMPORTED_WITH[framework], *IMPORTED_BY_ALL):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    gc.enable()
    signal.signal(signal.SIGCHLD, lambda *_: _reap())
    while end_of_tests not in select.select([listener, end_of_tests], [], [])[0]:
        connection, _ = listener.accept()
        with connection, connection.makefile("rw", encoding="utf-8") as stream:
            request = json.loads(stream.readline())
            is_kernel = os.fork() == 0
            if is_kernel:
                os.setsid()  # before the test process reads the group, which it kills in the end
                print(os.getpid(), file=stream, flush=True)
        if is_kernel:
            listener.close()
            os.close(end_of_tests)
            _become_kernel(**request)
            return


def _reap():
    """Collect the exit status of each kernel that has ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


class RepeatableRandom(random.Random):
    """Draws the same numbers in each run of the tests."""

    def __init__(self, *_):
        super().__init__(0)


def _become_kernel(arguments, environment, folder):
    from ipykernel.kernelapp import launch_new_instance

    random.SystemRandom = RepeatableRandom  # The checks of a notebook take their seeds from it.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = arguments
    launch_new_instance()


if __name__ == "__main__":
    _serve(sys.argv[1], socket.socket(fileno=int(sys.argv[2])), int(sys.argv[3]))
