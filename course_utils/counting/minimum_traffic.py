"""What memory some lines need that is not theirs alone, whatever way they are written."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from types import CodeType
from typing import NamedTuple

from course_utils.counting.user_code import Statement

_MOST = 20_000  # pieces of memory that are remembered of a line before those that are gone are forgotten


class Piece(NamedTuple):
    """Part of a tensor's memory.

    Attributes:
        memory: which memory it is part of.
        part: which part of it; equal for the same bytes.
        size: bytes of the part.
        whole: bytes of all the memory.
    """

    memory: int
    part: Hashable
    size: int
    whole: int


class BytesMoved(NamedTuple):
    """Bytes that one operation only reads, only writes, and changes in place."""

    reads: int
    writes: int
    updates: int


NO_BYTES = BytesMoved(0, 0, 0)


@dataclass
class Memory:
    """Memory of a tensor: which line made it, in which instruction and which of its runs, and who else has touched it."""

    maker: Statement | None
    at: tuple[CodeType, int] | None
    run: int
    is_alive: Callable[[], bool]
    touched_elsewhere: bool = False


_Parts = dict[Hashable, int]
_Entry = tuple[Memory, int, _Parts]


class MinimumTraffic:
    """Memory that some lines together read and wrote and that is not theirs alone, each byte once."""

    def __init__(self) -> None:
        self._read: dict[int, _Entry] = {}
        self._written: dict[int, _Entry] = {}

    def read(self, memory: Memory, piece: Piece) -> None:
        """A piece was read that something else had written."""
        self._add(self._read, memory, piece)

    def wrote(self, memory: Memory, piece: Piece) -> None:
        """A piece was written; whether for others, shows later."""
        self._add(self._written, memory, piece)
        if len(self._written) > _MOST:
            self._written = {key: entry for key, entry in self._written.items() if is_wanted(entry[0])}

    def least(self, wanted: Callable[[Memory], bool], of_runs: int = 1, counted: int = 1) -> BytesMoved:
        """The least that must be moved, if of what was written only what is ``wanted`` counts.

        Where ``counted`` runs ``of_runs`` were seen, and each touched other parts of a memory, the others will have, too.
        """

        def size(entry: _Entry) -> int:
            seen = sum(entry[2].values())
            return min(entry[1], seen * of_runs // counted if 2 * len(entry[2]) >= counted else seen)

        read = {key: size(entry) for key, entry in self._read.items()}
        written = {key: size(entry) for key, entry in self._written.items() if wanted(entry[0])}
        updates = sum(min(size, written[key]) for key, size in read.items() if key in written)
        return BytesMoved(sum(read.values()) - updates, sum(written.values()) - updates, updates)

    def _add(self, account: dict[int, _Entry], memory: Memory, piece: Piece) -> None:
        parts = account.setdefault(id(memory), (memory, piece.whole, {}))[2]
        if len(parts) < _MOST:
            parts[piece.part] = piece.size


def is_wanted(memory: Memory) -> bool:
    """Whether anything but the line that made it has a use for it."""
    return memory.maker is None or memory.touched_elsewhere or memory.is_alive()
