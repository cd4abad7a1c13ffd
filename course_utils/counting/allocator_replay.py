"""``replay``: what PyTorch's caching allocator would hold for a list of allocations and frees, computed from its rules.

The rules are those of the CUDA allocator (c10/core/AllocatorConfig.h, c10/cuda/CUDACachingAllocator.cpp in PyTorch 2.13)
with one stream and without a memory limit: no segment returns to the device. An example of a trace with three events:

    ("alloc", "a", 3000000)    a new segment of 20 MB; `a` gets 3,000,320 bytes of it, and the rest is free
    ("alloc", "b", 3000000)    the free rest is split again
    ("free", "a", 3000000)     a hole in front of `b`
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from course_utils.core.errors import CourseError

KIB, MIB = 2**10, 2**20
Event = tuple[str, str, int]
"""``("alloc", name, bytes)`` or ``("free", name, bytes)``."""

_ROUND, _SMALL, _LARGE = 512, MIB, 10 * MIB
_SMALL_SEGMENT, _LARGE_SEGMENT, _ROUND_SEGMENT = 2 * MIB, 20 * MIB, 2 * MIB


class TraceInvalid(CourseError):
    """A trace has an event that cannot happen."""


@dataclass(eq=False)
class Segment:
    """Memory that the pool got from the device at the event ``since``; it grows only if it is expandable.

    Attributes:
        sizes: (event, bytes) for each change of the segment's size.
    """

    small: bool
    since: int
    sizes: list[tuple[int, int]] = field(default_factory=list)

    @property
    def size(self) -> int:
        return self.sizes[-1][1] if self.sizes else 0


@dataclass(eq=False)
class Block:
    """A part of a segment; ``name`` is None if it is free."""

    segment: Segment
    start: int
    size: int
    name: str | None = None


@dataclass(frozen=True)
class Life:
    """A tensor's time in the pool: the events of its allocation and its free, and its block."""

    name: str
    since: int
    until: int
    segment: Segment
    start: int
    size: int


@dataclass(frozen=True, repr=False)
class Replay:
    """The pool after a trace. As the last line of a cell it shows its timeline.

    Attributes:
        held: bytes of all segments.
        requested: bytes that the living tensors asked for.
        largest_free: bytes of the largest free block.
        segments, lives: all segments, and the time of each tensor in its block.
        events: how many events the trace has.
        expandable: whether segments can grow.
    """

    held: int
    requested: int
    largest_free: int
    segments: tuple[Segment, ...]
    lives: tuple[Life, ...]
    events: int
    expandable: bool

    @property
    def wasted(self) -> int:
        """Return the bytes that the pool holds and no living tensor asked for."""
        return self.held - self.requested

    def __repr__(self) -> str:
        numbers = (self.held, self.requested, self.wasted, self.largest_free)
        held, requested, wasted, largest = (f"{number / MIB:.1f} MB" for number in numbers)
        return f"held {held} · living tensors {requested} · wasted {wasted} · largest free block {largest}"


def replay(trace: Iterable[Event], expandable: bool = False) -> Replay:
    """Return the state of an empty pool after the events of ``trace``.

    Args:
        trace: the events, as ``memory_trace`` returns them.
        expandable: whether the pool works as with ``expandable_segments:True``.

    Raises:
        TraceInvalid: an event has another form, a size below 1, or a name that is allocated twice or is not alive when
            it is freed.

    >>> replay([("alloc", "a", 3_000_000)]).held // 2**20
    20
    """
    pool = _Pool(expandable)
    for event in trace:
        pool.apply(event)
    return pool.result()


class _Pool:
    def __init__(self, expandable: bool) -> None:
        self._expandable = expandable
        self._blocks: dict[Segment, list[Block]] = {}
        self._living: dict[str, tuple[int, Block, int]] = {}
        self._lives: list[Life] = []
        self._now = 0

    def apply(self, event: Event) -> None:
        match event:
            case ("alloc", str(name), int(size)) if size >= 1:
                if name in self._living:
                    raise TraceInvalid(f"Event {self._now} allocates {name!r}, which is alive; free it first.")
                self._living[name] = self._now, self._allocate(name, -(-size // _ROUND) * _ROUND), size
            case ("free", str(name), _):
                if name not in self._living:
                    raise TraceInvalid(f"Event {self._now} frees {name!r}, which isn't alive; allocate it first.")
                self._end(name)
            case _:
                raise TraceInvalid(
                    f"Event {self._now} is {event!r}; write ('alloc', name, bytes) with 1 byte or more, or "
                    "('free', name, bytes)."
                )
        self._now += 1

    def result(self) -> Replay:
        requested = sum(size for _, _, size in self._living.values())
        free = [block.size for blocks in self._blocks.values() for block in blocks if block.name is None]
        lives = [*self._lives, *(self._life(name) for name in self._living)]
        held = sum(segment.size for segment in self._blocks)
        return Replay(
            held, requested, max(free, default=0), tuple(self._blocks), tuple(lives), self._now, self._expandable
        )

    def _life(self, name: str) -> Life:
        since, block, _ = self._living[name]
        return Life(name, since, self._now, block.segment, block.start, block.size)

    def _allocate(self, name: str, size: int) -> Block:
        small = size <= _SMALL
        block = self._find_free(small, size) or self._grow(small, size)
        rest = block.size - size
        if rest >= _ROUND if small or self._expandable else rest > _SMALL:
            blocks = self._blocks[block.segment]
            blocks.insert(blocks.index(block) + 1, Block(block.segment, block.start + size, rest))
            block.size = size
        block.name = name
        return block

    def _find_free(self, small: bool, size: int) -> Block | None:
        """Return the smallest free block that fits, and of equal ones the first."""
        free = [
            block
            for segment, blocks in self._blocks.items()
            for block in blocks
            if segment.small == small and block.name is None and block.size >= size
        ]
        return min(free, key=lambda block: block.size, default=None)

    def _grow(self, small: bool, size: int) -> Block:
        """Return a free block that fits, in new memory of the device."""
        unit = _SMALL_SEGMENT if small else _LARGE_SEGMENT
        segment = next((each for each in self._blocks if each.small == small), None) if self._expandable else None
        if segment is None:
            segment = Segment(small, self._now)
            self._blocks[segment] = []
        blocks = self._blocks[segment]
        last = blocks[-1] if blocks and blocks[-1].name is None else None
        if last is None:
            last = Block(segment, segment.size, 0)
            blocks.append(last)
        if self._expandable:
            added = -(-(size - last.size) // unit) * unit
        else:
            added = unit if small or size < _LARGE else -(-size // _ROUND_SEGMENT) * _ROUND_SEGMENT
        segment.sizes.append((self._now, segment.size + added))
        last.size += added
        return last

    def _end(self, name: str) -> None:
        self._lives.append(self._life(name))
        _, block, _ = self._living.pop(name)
        block.name = None
        blocks = self._blocks[block.segment]
        place = blocks.index(block)
        for left in (place, place - 1):
            if 0 <= left < len(blocks) - 1 and blocks[left].name is None and blocks[left + 1].name is None:
                blocks[left].size += blocks.pop(left + 1).size
