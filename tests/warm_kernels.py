"""Starts nbval's kernels on Linux as forks of a process that has imported the notebook's framework.

Importing TensorFlow costs more than most pages. The kernels of all other tests start like a learner's. This module is
both the test's side and, as a script, the warm process.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from functools import cache, partial
from unittest import mock

LAUNCH = "jupyter_client.provisioning.local_provisioner.launch_kernel"
FRAMEWORKS = ("torch", "tensorflow")
IMPORTED_BY_ALL = ("ipykernel.kernelapp", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg")


def use_for(collector):
    """Let a notebook's collector start its kernel in this way, if the notebook uses one of the frameworks."""
    metadata = json.loads(collector.path.read_text(encoding="utf-8"))["metadata"]
    framework = metadata.get("unloop", {}).get("framework")
    if sys.platform != "linux" or framework not in FRAMEWORKS:
        return
    set_up = collector.setup

    def set_up_with_fork():
        with mock.patch(LAUNCH, partial(_launch_kernel, framework)):
            set_up()

    collector.setup = set_up_with_fork


def _launch_kernel(framework, command, *, env, cwd, **_):
    arguments = command[command.index("-m") + 1 :]
    return ForkedKernel(_warm_process(framework)({"arguments": arguments, "environment": env, "folder": cwd}))


@cache
def _warm_process(framework):
    """A function that sends a request to the warm process of this test process, and returns the new kernel's id."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, __file__, framework, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            start_new_session=True,
            env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "MPLBACKEND": "module://matplotlib_inline.backend_inline"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    stream = ours.makefile("rw", encoding="utf-8")

    def fork(request):
        print(json.dumps(request), file=stream, flush=True)
        answer = stream.readline()
        if not answer:
            raise RuntimeError(f"The process that imports {framework} ended with code {process.wait()}.")
        return int(answer)

    return fork


class ForkedKernel:
    """What jupyter_client uses of a ``Popen``, for a process that is not a child of this one. Its exit code is unknown."""

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


def _serve(framework, control):
    """Fork a kernel for each request, until the test process ends."""
    del sys.path[0]  # the folder of this script
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # A kernel ends when its parent has ended.
    for name in (framework, *IMPORTED_BY_ALL):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, lambda *_: _reap())
    with control.makefile("rw", encoding="utf-8") as stream:
        for line in stream:
            if os.fork() == 0:
                os.setsid()  # before the test process reads the group, which it kills in the end
                print(os.getpid(), file=stream, flush=True)
                break
        else:
            return
    control.close()
    _become_kernel(**json.loads(line))


def _reap():
    """Let the system forget each kernel that has ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _become_kernel(arguments, environment, folder):
    from ipykernel.kernelapp import launch_new_instance

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = arguments
    launch_new_instance()


if __name__ == "__main__":
    _serve(sys.argv[1], socket.socket(fileno=int(sys.argv[2])))
