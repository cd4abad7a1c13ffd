"""``Ledger``: records, line by line, what one call moves, and what every version of each statement would have to move.

It knows no framework. Counters report each operation with the pieces of memory that it read and wrote; the ledger finds
the learner's line that runs and adds to its tally. For ``y = (x + 1) * 2`` on 4 MB, a counter reports

    record_new_memory(t, from x)    record_operation("add", reads x, writes t)
    record_new_memory(y, from t)    record_operation("mul", reads t, writes y)

and the line's tally gets two operations that read 4 MB and write 4 MB each. ``minimum_traffic`` continues the example.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType

from course_utils.counting.line_tally import EVERY_RUN, Line, LineTally, Sample
from course_utils.counting.minimum_traffic import BytesMoved, Memory, MinimumTraffic, Piece
from course_utils.counting.user_code import NO_STATEMENT, Statement, UserCode, statement_at


class OutOfTime(BaseException):
    """Counting has reached its time limit. It is not an ``Exception``, so a learner's ``except Exception`` does not
    catch it."""


class without_tracing:
    """A context without a trace function, which would make the counter's own lines several times slower."""

    def __enter__(self) -> None:
        self._trace = sys.gettrace()
        if self._trace is not None:
            sys.settrace(None)

    def __exit__(self, *_: object) -> None:
        if self._trace is not None:
            sys.settrace(self._trace)


class Recorder(ABC):
    """Records what the counters report during one call. A subclass assigns it to lines or to modules.

    Args:
        now: the clock that counters time operations with.
        deadline: the time by ``now`` at which recording ends with ``OutOfTime``.

    Attributes:
        is_recording: whether operations are recorded.
        on_toggle: functions that are called with the new value when ``is_recording`` changes.
        observing_s: seconds that the counters have taken so far, including the operations that they ran.
    """

    def __init__(self, now: Callable[[], float], deadline: float) -> None:
        self.now, self.is_recording, self.observing_s = now, True, 0.0
        self.on_toggle: list[Callable[[bool], None]] = []
        self._deadline = deadline
        self._written_in: Statement | None = None  # The statement of compiled code that runs now.

    @abstractmethod
    def current_line(self) -> LineTally:
        """Return the totals of the line or module that runs now.

        Raises:
            OutOfTime: the deadline has passed.
        """

    @abstractmethod
    def record_new_memory(
        self, tally: LineTally, piece: Piece, sources: Iterable[Piece], is_alive: Callable[[], bool]
    ) -> None:
        """Record memory that the next operation creates from ``sources``; call it before ``record_operation``."""

    @abstractmethod
    def record_alias(self, memory: int, is_alive: Callable[[], bool]) -> None:
        """Record that another tensor shares the memory, which is alive as long as any of its tensors."""

    def record_operation(
        self,
        tally: LineTally,
        name: str,
        seconds: float,
        read: Iterable[Piece],
        written: Iterable[Piece],
        operands: int,
    ) -> None:
        """Add an operation to ``tally``, which ``current_line`` returned; ``operands`` counts arguments and results."""
        tally.operands += operands
        tally.operation_seconds[name] += seconds
        tally.operation_counts[name] += 1
        if self._written_in is not None:
            tally.compiled_operations[name, self._written_in] += 1
        bytes_read, bytes_written = Counter[int](), Counter[int]()
        for pieces, moved, record in (
            (read, bytes_read, self._record_read),
            (written, bytes_written, self._record_write),
        ):
            for piece in dict.fromkeys(pieces):
                moved[piece.memory] += piece.size
                record(tally, piece)
        updates = (bytes_read & bytes_written).total()
        if bytes_read or bytes_written:
            tally.traffic[BytesMoved(bytes_read.total() - updates, bytes_written.total() - updates, updates)] += 1

    @abstractmethod
    def _record_read(self, tally: LineTally, piece: Piece) -> None:
        """Add a piece of memory that an operation reads to the minimum traffic."""

    @abstractmethod
    def _record_write(self, tally: LineTally, piece: Piece) -> None:
        """Add a piece of memory that an operation writes to the minimum traffic."""

    @contextmanager
    def trial(self, tally: LineTally) -> Iterator[None]:
        """Return a context for running operations again; its time does not count for the line."""
        start = self.now()
        yield
        tally.trial_s += self.now() - start

    def _require_time(self) -> None:
        if self.now() > self._deadline:
            raise OutOfTime


class Ledger(Recorder):
    """Records one call by lines.

    Args:
        user_code: whose lines are recorded separately.
        entry: the code that makes the call; frames further out are ignored.
        now, deadline: see ``Recorder``.

    Attributes:
        run: the number of the run of the current line, and ``sample``, what it is a sample of.
        tallies: line and sample → totals; the line is None for work outside of the learner's lines.
        minimum: the minimum traffic of the whole call, and ``minimum_of``, of each statement.
    """

    def __init__(self, user_code: UserCode, entry: CodeType, now: Callable[[], float], deadline: float) -> None:
        super().__init__(now, deadline)
        self.run, self.sample = 1, EVERY_RUN
        self.tallies: dict[tuple[Line | None, Sample], LineTally] = {}
        self.minimum, self.minimum_of = MinimumTraffic(), defaultdict[Statement, MinimumTraffic](MinimumTraffic)
        self._user_code, self._entry = user_code, entry
        self._memories: dict[int, Memory] = {}
        self._line: Line | None = None
        self._statement: Statement = NO_STATEMENT
        self._instruction: tuple[CodeType, int] | None = None

    def set_recording(self, recording: bool) -> None:
        """Start or stop recording operations."""
        if recording != self.is_recording:
            self.is_recording = recording
            for toggle in self.on_toggle:
                toggle(recording)

    def current_line(self) -> LineTally:
        """Return the totals of the line that runs now; for another thread's work, of the line that ran last."""
        self._require_time()
        frame, is_compiled, inner = self._user_code.find_frames(sys._getframe(1), self._entry)
        self._written_in = statement_at(inner.f_code, inner.f_lineno) if is_compiled and inner is not None else None
        if frame is not None:
            self._line, self._instruction = (frame.f_code, frame.f_lineno), (frame.f_code, frame.f_lasti)
            self._statement = statement_at(*self._line)
        tally = self.tallies.setdefault((self._line, self.sample), LineTally())
        tally.compiled_calls += is_compiled
        return tally

    def record_new_memory(
        self, tally: LineTally, piece: Piece, sources: Iterable[Piece], is_alive: Callable[[], bool]
    ) -> None:
        if any(source.size < piece.size and self._is_of_earlier_run(source) for source in sources):
            tally.grown_bytes += piece.size
            tally.growths += 1
        self._memories[piece.memory] = Memory(self._statement, self._instruction, self.run, is_alive)

    def _is_of_earlier_run(self, piece: Piece) -> bool:
        """Return whether an earlier run of the instruction that runs now created the memory."""
        memory = self._memories.get(piece.memory)
        if memory is None or (memory.creator, memory.instruction) != (self._statement, self._instruction):
            return False
        return memory.run < self.run

    def record_alias(self, memory: int, is_alive: Callable[[], bool]) -> None:
        if memory in self._memories:
            self._memories[memory].add_tensor(is_alive)

    def minimum_of_call(self) -> BytesMoved:
        """Return the bytes that every version of the whole call must move: its inputs, and what is alive after it."""
        return self.minimum.total(lambda memory: memory.creator is None or memory.is_alive())

    def close(self) -> None:
        """Release all memory. A counter and its ledger reference each other and would keep it alive for a while."""
        self.on_toggle.clear()
        self._memories.clear()
        self.minimum_of.clear()
        self.minimum = MinimumTraffic()

    def _record_read(self, tally: LineTally, piece: Piece) -> None:
        memory = self._memory_of(piece)
        if memory.creator is None:
            self.minimum.add_read(memory, piece)
        if memory.creator != self._statement and self.minimum_of[self._statement].add_read(memory, piece, self.run):
            tally.reread_bytes += piece.size

    def _record_write(self, tally: LineTally, piece: Piece) -> None:
        memory = self._memory_of(piece)
        self.minimum.add_write(memory, piece)
        self.minimum_of[self._statement].add_write(memory, piece)

    def _memory_of(self, piece: Piece) -> Memory:
        memory = self._memories.get(piece.memory)
        if memory is None:
            memory = self._memories[piece.memory] = Memory(None, None, 0, lambda: True)
        elif memory.creator != self._statement:
            memory.is_used_elsewhere = True
        return memory
