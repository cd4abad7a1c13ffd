"""How a test waits on a busy machine: for a sight rather than so many seconds, and by work done rather than by the clock."""

import time


def seen(sight, within=60.0):
    """Wait until ``sight()`` is true: a busy machine takes longer, and that is no fault."""
    end = time.monotonic() + within
    while not sight():
        assert time.monotonic() < end, "it was never seen"
        time.sleep(0.01)


class Worked:
    """Seconds of work since it was made: what this process computed and what ``pausing`` contenders slept.

    Promises in seconds are held to work, not to the clock: a busy neighbour drives the clock on.
    """

    def __init__(self):
        self.pauses = []
        self.start = time.process_time()

    def pausing(self, seconds):
        def contender(n):
            self.pauses.append(seconds)
            time.sleep(seconds)

        return contender

    def restart(self):
        self.__init__()

    def seconds(self):
        return sum(self.pauses) + time.process_time() - self.start
