"""An accelerator in simulated time: the host's clock advances only by the costs below, so no test depends on real
seconds.

The host queues work, which the device executes asynchronously, in order on each stream. The simulation has all that a
stopwatch must handle: launches that cost the host time, kernels that cost the device time, a flush, waits that cost
time even if the device is idle, and events on the main stream.
"""

from contextlib import nullcontext

LAUNCH_S = 5e-6
FLUSH_S = 25e-6
WAIT_S = 2e-6  # Host time of a wait for an idle device.
MARK_S = 1e-6  # Host time of recording an event.


class SimulatedAccelerator:
    """Host and device on one timeline.

    Args:
        has_marks: whether it has events; otherwise only the host's clock can be read.
        flush_s: seconds that the device needs to flush its caches.

    Attributes:
        time: the host's clock, in seconds.
        log: what happened, in order: ``"flush"``, ``"wait"``, ``"mark"``, and entries of contenders.
    """

    def __init__(self, has_marks=True, flush_s=FLUSH_S):
        self.time = 0.0
        self.log = []
        self._has_marks, self._flush_s = has_marks, flush_s
        self._free_at = {"main": 0.0}

    def now(self):
        return self.time

    def compute(self, seconds):
        """Keep the host busy."""
        self.time += seconds

    def launch(self, kernel_s, stream="main", count=1):
        """Queue ``count`` kernels; each starts after its launch and after all earlier kernels of the stream."""
        started, self.time = self.time, self.time + count * LAUNCH_S
        free_at = max(self._free_at.get(stream, 0.0), started + LAUNCH_S)
        self._free_at[stream] = max(free_at + count * kernel_s, self.time + kernel_s)

    def launches(self, count, kernel_s):
        """Return a contender that launches ``count`` kernels one by one."""

        def contender():
            self.log.append("call")
            self.launch(kernel_s, count=count)

        return contender

    def wait(self):
        """Block the host until every stream is idle."""
        self.log.append("wait")
        self.time = max(self.time, *self._free_at.values()) + WAIT_S

    # The methods of ``Accelerator``

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
    """An event on the main stream."""

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
