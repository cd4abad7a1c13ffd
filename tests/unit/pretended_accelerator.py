"""An accelerator in virtual time: its host's clock moves only when something is told to take time. It proves nothing by itself.

The host gives it work that it does behind the host's back, one piece after the other on each of its streams. What the real
one does that a clock must see is here: launches that cost the host time, kernels that cost the device time, a flush, waits
that cost a little even when there is nothing to wait for, and marks on the main stream. Real seconds play no part.
"""

from contextlib import nullcontext

LAUNCH_S = 5e-6
FLUSH_S = 25e-6
WAIT_S = 2e-6  # for a device that has nothing to do
MARK_S = 1e-6  # of the host, to record one


class PretendedAccelerator:
    """Host and device on one timeline.

    Args:
        has_marks: whether it can be asked for its own time, or the host's clock is all there is.
        flush_s: seconds that the device needs to flush its caches.

    Attributes:
        time: the host's clock, in seconds.
        log: what was done, in order: ``"flush"``, ``"wait"``, ``"mark"``, and what contenders write here.
    """

    def __init__(self, has_marks=True, flush_s=FLUSH_S):
        self.time = 0.0
        self.log = []
        self._has_marks, self._flush_s = has_marks, flush_s
        self._free_at = {"main": 0.0}

    def now(self):
        return self.time

    def compute(self, seconds):
        """The host is busy."""
        self.time += seconds

    def launch(self, kernel_s, stream="main", count=1):
        """The host hands over ``count`` kernels; the device does each when the stream comes to it and it has come there."""
        started, self.time = self.time, self.time + count * LAUNCH_S
        free_at = max(self._free_at.get(stream, 0.0), started + LAUNCH_S)
        self._free_at[stream] = max(free_at + count * kernel_s, self.time + kernel_s)

    def launches(self, count, kernel_s):
        """A contender that launches so many kernels, one after the other."""

        def contender():
            self.log.append("call")
            self.launch(kernel_s, count=count)

        return contender

    def wait(self):
        """Until every stream is done."""
        self.log.append("wait")
        self.time = max(self.time, *self._free_at.values()) + WAIT_S

    # What a stopwatch asks of it

    def device_scope(self):
        return nullcontext()

    def flush_caches(self):
        self.log.append("flush")
        self.launch(self._flush_s)

    def event_pair(self):
        return (Mark(self), Mark(self)) if self._has_marks else None

    def main_is_free_at(self):
        return self._free_at["main"]


class Mark:
    """A moment of the main stream."""

    def __init__(self, accelerator):
        self._accelerator = accelerator

    def record(self):
        self._accelerator.log.append("mark")
        self._accelerator.compute(MARK_S)
        self.at = max(self._accelerator.now(), self._accelerator.main_is_free_at())

    def synchronize(self):
        self._accelerator.time = max(self._accelerator.time, self.at) + WAIT_S

    def elapsed_time(self, end):
        return 1e3 * (end.at - self.at)
