"""For tests on a busy machine: waits for conditions instead of fixed times, work time instead of wall time, and
attempts."""

import functools
import time
from contextlib import suppress

import pytest

ATTEMPTS = 3  # The machine may be busy during one of them.


def in_one_of_three_attempts(test):
    """Return a test that passes if ``test`` does in one of three attempts: for tests that compare times.

    `make check` leaves it out, like all slow tests.
    """

    @pytest.mark.slow
    @functools.wraps(test)
    def repeated(*args, **kwargs):
        for _ in range(ATTEMPTS - 1):
            with suppress(AssertionError):
                return test(*args, **kwargs)
        return test(*args, **kwargs)

    return repeated


def wait_until(condition, timeout_s=60.0):
    """Return once ``condition()`` is true; a busy machine may take longer than an idle one."""
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, f"not true within {timeout_s} s"
        time.sleep(0.01)


class WorkTime:
    """Seconds of work since its creation: this process's computing time plus the time that contenders of ``sleeping``
    slept.

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
