"""A clock that moves only when ``spend`` is called, for measurements with known results."""

from itertools import repeat


class VirtualClock:
    """A stopwatch in virtual time; ``spend(seconds)`` moves it and counts the call."""

    def __init__(self):
        self.time = 0.0
        self.calls = 0

    def now(self):
        return self.time

    def spend(self, seconds):
        self.time += seconds
        self.calls += 1

    def block(self, function, args, calls):
        start = self.time
        for _ in repeat(None, calls):
            function(*args)
        return self.time - start
