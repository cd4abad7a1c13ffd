"""``MinimumTraffic``: the bytes that every version of some code must move, however it is written.

Example: the statement ``y = (x + 1) * 2`` works on a tensor ``x`` of 4 MB that an earlier statement created.

    ============ ========= ================
    operation    reads     writes
    ============ ========= ================
    ``x + 1``    x, 4 MB   t, 4 MB, new
    ``t * 2``    t, 4 MB   y, 4 MB, new
    ============ ========= ================

The two operations move 16 MB. The statement itself creates and frees ``t``, so a fused version needs no memory for it.
Every version reads ``x`` and writes ``y``, which a later statement uses: the minimum is 4 MB read and 4 MB written. A
byte counts once, however often it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from types import CodeType
from typing import NamedTuple

from course_utils.counting.user_code import Statement

# If a statement has more pieces of memory, those that nothing uses any more are dropped.
_MOST_PIECES = 20_000


class Piece(NamedTuple):
    """A part of a tensor's memory.

    Attributes:
        memory: identifies the memory.
        part: identifies the part; equal for equal bytes.
        size: bytes of the part.
        whole: bytes of the whole memory.
    """

    memory: int
    part: Hashable
    size: int
    whole: int


class BytesMoved(NamedTuple):
    """The bytes that one operation only reads, only writes, and updates in place."""

    reads: int
    writes: int
    updates: int


NO_BYTES = BytesMoved(0, 0, 0)


class SharedMemory:
    """What a memory of a statement and one of a module have in common: several tensors may hold it."""

    creator: object
    is_alive: Callable[[], bool]

    def add_tensor(self, is_alive: Callable[[], bool]) -> None:
        """Let the memory be alive as long as one more tensor, too, unless it existed before the call."""
        if self.creator is not None:
            self.is_alive = _AnyAlive.of(self.is_alive, is_alive)


@dataclass
class Memory(SharedMemory):
    """The memory of a tensor.

    Attributes:
        creator: the statement that created it; None if it existed before the call.
        instruction: the bytecode instruction of the creator, as code and offset.
        run: the run of the creator's line.
        is_alive: returns whether anything still holds it.
        is_used_elsewhere: whether another statement has read or written it.
    """

    creator: Statement | None
    instruction: tuple[CodeType, int] | None
    run: int
    is_alive: Callable[[], bool]
    is_used_elsewhere: bool = False


_Parts = dict[Hashable, int]
_Entry = tuple[Memory, int, _Parts]


class MinimumTraffic:
    """Adds up the memory that some code reads or writes and other code also uses; each byte counts once."""

    def __init__(self) -> None:
        self._first_runs: dict[int, int] = {}  # A memory → the run that read it first.
        self._read: dict[int, _Entry] = {}
        self._written: dict[int, _Entry] = {}

    def add_read(self, memory: Memory, piece: Piece, run: int = 1) -> bool:
        """Record a read, in the ``run``-th run of the code, of a piece that other code has written; return whether another run
        read its memory first.
        """
        self._add(self._read, memory, piece)
        return self._first_runs.setdefault(id(memory), run) != run

    def add_write(self, memory: Memory, piece: Piece) -> None:
        """Record a write; whether other code needs it is known only later."""
        self._add(self._written, memory, piece)
        if len(self._written) > _MOST_PIECES:
            self._written = {key: entry for key, entry in self._written.items() if is_needed(entry[0])}

    def total(self, needed: Callable[[Memory], bool], runs: int = 1, counted_runs: int = 1) -> BytesMoved:
        """Return the bytes that must be moved.

        Args:
            needed: whether other code needs a memory that was written.
            runs, counted_runs: how often the code ran, and how many of these runs were recorded. If each recorded run
                touched another part of a memory, the bytes are scaled up to all runs, at most to the whole memory.
        """

        def size(entry: _Entry) -> int:
            _, whole, parts = entry
            recorded = sum(parts.values())
            touches_new_parts = 2 * len(parts) >= counted_runs
            return min(whole, recorded * runs // counted_runs if touches_new_parts else recorded)

        read = {key: size(entry) for key, entry in self._read.items()}
        written = {key: size(entry) for key, entry in self._written.items() if needed(entry[0])}
        updates = sum(min(size, written[key]) for key, size in read.items() if key in written)
        return BytesMoved(sum(read.values()) - updates, sum(written.values()) - updates, updates)

    def _add(self, account: dict[int, _Entry], memory: Memory, piece: Piece) -> None:
        parts = account.setdefault(id(memory), (memory, piece.whole, {}))[2]
        if len(parts) < _MOST_PIECES:
            parts[piece.part] = piece.size


def is_needed(memory: Memory) -> bool:
    """Return whether anything but the statement that created ``memory`` uses it."""
    return memory.creator is None or memory.is_used_elsewhere or memory.is_alive()


class _AnyAlive:
    """A function that returns whether anything holds a memory that several tensors share.

    Args:
        is_alive: whether the first tensor is alive.
    """

    def __init__(self, is_alive: Callable[[], bool]) -> None:
        self._tensors = [is_alive]

    def __call__(self) -> bool:
        return any(is_alive() for is_alive in self._tensors)

    @classmethod
    def of(cls, known: Callable[[], bool], added: Callable[[], bool]) -> _AnyAlive:
        """Return ``known`` with one more tensor."""
        shared = known if isinstance(known, cls) else cls(known)
        shared._tensors.append(added)
        return shared
