"""Waiting in tests on a busy machine: for a condition instead of a fixed time, and by work instead of wall time."""

import time


def wait_until(condition, timeout_s=60.0):
    """Return once ``condition()`` is true; a busy machine may take longer than an idle one."""
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, f"not true within {timeout_s} s"
        time.sleep(0.01)


class WorkTime:
    """Seconds of work since it was made: what this process computed and what contenders of ``sleeping`` slept.

    Tests compare it with promised seconds: wall time also counts what other processes on a busy machine compute.
    """

    def __init__(self):
        self.sleeps = []
        self.start = time.process_time()

    def sleeping(self, seconds):
        def contender(n):
            self.sleeps.append(seconds)
            time.sleep(seconds)

        return contender

    def restart(self):
        self.__init__()

    def seconds(self):
        return sum(self.sleeps) + time.process_time() - self.start
