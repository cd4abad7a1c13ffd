"""The account of one call, line by line: what each line moved, and what of it any way to write the line would have to move.

It knows no framework: counters tell it of operations and of the pieces of memory that these read and wrote.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import CodeType

from course_utils.counting.minimum_traffic import BytesMoved, Memory, MinimumTraffic, Piece
from course_utils.counting.tally import Tally
from course_utils.counting.user_code import NO_STATEMENT, Statement, UserCode, statement_at

Key = tuple[CodeType, int]
"""A line of code: finer than a ``Statement``, which is a whole statement."""


class OutOfTime(BaseException):
    """The count has taken as long as it may. Not an Exception, so that a learner's ``except Exception`` lets it pass."""


class untraced:
    """Keep Python from telling of the counter's own lines, which a trace function would slow down many times over."""

    def __enter__(self) -> None:
        self._trace = sys.gettrace()
        if self._trace is not None:
            sys.settrace(None)

    def __exit__(self, *_: object) -> None:
        if self._trace is not None:
            sys.settrace(self._trace)


@dataclass
class LineTally(Tally):
    """Running totals of one line, over all of its runs; ``LineWork`` documents the names."""

    traffic: Counter[BytesMoved] = field(default_factory=Counter)
    flops: Counter[str] = field(default_factory=Counter)
    operation_seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    grown_bytes: int = 0
    operands: int = 0
    compiled_calls: int = 0
    conversions: Counter[str] = field(default_factory=Counter)
    conversion_seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    optimizer_steps: Counter[str] = field(default_factory=Counter)
    compiled_operations: Counter[tuple[str, Statement]] = field(default_factory=Counter)

    def record_conversion(self, type_name: str) -> None:
        self.conversions[type_name] += 1


class Ledger:
    """Takes down what happens during one call.

    Args:
        own: which lines are to be told apart.
        bottom: the code that makes the call: what lies further out is not looked at.
        now: the clock that tells how long operations ran.
        until: the moment by ``now`` at which counting ends with ``OutOfTime``.

    Attributes:
        is_open: whether operations are to be taken down; where not, they run as if nobody looked.
        doors: told whenever that changes: each counter's own.
        run: which run of its line it is that is taken down, and ``weight``: for how many it stands.
        works: line (None for what was done outside of any) and weight → what was done.
        needs: of the whole call, and ``needs_of`` of each statement.
        observing_s: seconds that the counters have taken so far, including the operations that they ran.
    """

    def __init__(self, own: UserCode, bottom: CodeType, now: Callable[[], float], until: float) -> None:
        self.now, self.is_open = now, True
        self.observing_s = 0.0
        self.doors: list[Callable[[bool], None]] = []
        self.weight = self.run = 1
        self.works: dict[tuple[Key | None, int], LineTally] = {}
        self.needs, self.needs_of = MinimumTraffic(), defaultdict[Statement, MinimumTraffic](MinimumTraffic)
        self._own, self._bottom, self._until = own, bottom, until
        self._memories: dict[int, Memory] = {}
        self._key: Key | None = None
        self._place: Statement = NO_STATEMENT
        self._written_in: Statement | None = None
        self._at: tuple[CodeType, int] | None = None

    def open(self, wanted: bool) -> None:
        """Begin or stop taking down operations."""
        if wanted != self.is_open:
            self.is_open = wanted
            for door in self.doors:
                door(wanted)

    def here(self) -> LineTally:
        """The account of the line that runs now. Of what another thread does, that of the line that ran last.

        Raises:
            OutOfTime: when counting has taken as long as it may.
        """
        if self.now() > self._until:
            raise OutOfTime
        frame, compiled, inner = self._own.standing(sys._getframe(1), self._bottom)
        self._written_in = statement_at(inner.f_code, inner.f_lineno) if compiled and inner is not None else None
        if frame is not None:
            self._key, self._at = (frame.f_code, frame.f_lineno), (frame.f_code, frame.f_lasti)
            self._place = statement_at(*self._key)
        work = self.works.setdefault((self._key, self.weight), LineTally())
        work.compiled_calls += compiled
        return work

    def operation(
        self, work: LineTally, name: str, seconds: float, read: Iterable[Piece], written: Iterable[Piece], tensors: int
    ) -> None:  # fmt: skip
        """An operation of the line that ``here`` told last has run; it took and gave back so many ``tensors``."""
        work.operands += tensors
        work.operation_seconds[name] += seconds
        if self._written_in is not None:
            work.compiled_operations[name, self._written_in] += 1
        needs = self.needs_of[self._place]
        moved = Counter[int](), Counter[int]()
        for piece in dict.fromkeys(read):
            memory = self._known(piece)
            moved[0][piece.memory] += piece.size
            if memory.maker is None:
                self.needs.read(memory, piece)
            if memory.maker != self._place:
                needs.read(memory, piece)
        for piece in dict.fromkeys(written):
            memory = self._known(piece)
            moved[1][piece.memory] += piece.size
            self.needs.wrote(memory, piece)
            needs.wrote(memory, piece)
        updates = (moved[0] & moved[1]).total()
        if moved[0] or moved[1]:
            work.traffic[BytesMoved(moved[0].total() - updates, moved[1].total() - updates, updates)] += 1

    def made(self, work: LineTally, piece: Piece, from_pieces: Iterable[Piece], is_alive: Callable[[], bool]) -> None:
        """The operation has made new memory, from what is in ``from_pieces``; to be told before the operation itself."""
        for other in from_pieces:
            memory = self._memories.get(other.memory)
            if memory is None or memory.maker != self._place:
                continue
            if memory.at == self._at and memory.run < self.run and other.size < piece.size:
                work.grown_bytes += piece.size
        self._memories[piece.memory] = Memory(self._place, self._at, self.run, is_alive)

    def _known(self, piece: Piece) -> Memory:
        memory = self._memories.get(piece.memory)
        if memory is None:
            memory = self._memories[piece.memory] = Memory(None, None, 0, lambda: True)
        elif memory.maker != self._place:
            memory.touched_elsewhere = True
        return memory

    def least(self) -> BytesMoved:
        """The least that the whole call must move: what it was given, and what it leaves behind."""
        return self.needs.least(lambda memory: memory.maker is None or memory.is_alive())

    def close(self) -> None:
        """Let go of all memory that is watched: a counter and its ledger hold each other, and would keep it for a while."""
        self.doors.clear()
        self._memories.clear()
        self.needs_of.clear()
        self.needs = MinimumTraffic()
