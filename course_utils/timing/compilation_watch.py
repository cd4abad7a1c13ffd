"""``CompilationWatch``: finds the blocks of a comparison in which a framework compiled code, so that they can be left
out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from course_utils.core.wording import format_duration, pluralize

MAX_COMPILING_BLOCKS = 5  # Code that still compiles after this many blocks compiles in every call.


class CompilationWatch:
    """Counts the blocks of each contender that compiled code, and their wall seconds.

    Code is compiled at its first call, and again if it was compiled for another number of threads, another gradient
    mode or other shapes. That may take longer than a comparison's budget, and it is not part of a later call.

    Args:
        compilation_count: returns how many pieces of code were compiled in this process so far.
    """

    def __init__(self, compilation_count: Callable[[], int]) -> None:
        self._count = compilation_count
        self._before = 0
        self._blocks: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    @property
    def seconds(self) -> float:
        """Return the wall seconds of all blocks that were left out."""
        return sum(self._seconds.values())

    def start_block(self) -> None:
        """Remember the count; call it before each block."""
        self._before = self._count()

    def is_left_out(self, name: str, wall_s: float) -> bool:
        """Return whether the block of ``name`` that just ended, after ``wall_s``, compiled code and is to be left out."""
        if self._count() == self._before:
            return False
        self._blocks[name] += 1
        if self._blocks[name] > MAX_COMPILING_BLOCKS:
            return False
        self._seconds[name] += wall_s
        return True

    def note(self, name: str) -> str:
        """Return a sentence about the compilations of ``name``, "" if there were none."""
        blocks = pluralize(self._blocks[name], "call")
        if self._blocks[name] > MAX_COMPILING_BLOCKS:
            return f"{name!r} compiled code in {blocks} and did not stop, so its times include compiling."
        if not self._blocks[name]:
            return ""
        return (
            f"{name!r} compiled code in {blocks} ({format_duration(self._seconds[name])} in all), which its times "
            "leave out. Code is compiled again when threads, gradient mode or shapes change."
        )
