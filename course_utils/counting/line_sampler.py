"""``LineSampler``: chooses which runs of a line are counted, and estimates the work of all runs from these."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from operator import sub
from typing import NamedTuple

from course_utils.counting.line_tally import EVERY_RUN, Line, LineTally, Sample
from course_utils.counting.line_work import LineWork, line_work
from course_utils.counting.minimum_traffic import is_needed
from course_utils.counting.traffic_ledger import Ledger
from course_utils.counting.user_code import NO_STATEMENT, Statement, statement_at
from course_utils.timing.line_clock import LineTime

# The first ``2 * FIRST_RUNS`` runs of a line are all counted: see the table of ``LineSampler``.
FIRST_RUNS = 256
# Runs are sampled in blocks of this length, so that memory that one run passes to the next is seen.
BLOCK = 16

_Work = tuple[int, ...]
"""Launches, synchronizations, operands, allocated bytes and moved bytes."""

_NO_WORK = (0, 0, 0, 0, 0)


class _Run(NamedTuple):
    """A run of a line: its number, what it is a sample of, whether it is counted, and what was counted of that sample before it."""

    number: int
    sample: Sample
    is_counted: bool
    work: _Work


_OUTSIDE = _Run(1, EVERY_RUN, True, _NO_WORK)
"""Time outside of all lines is always counted."""


class LineSampler:
    """Chooses which runs of a line are counted. The choice depends only on a run's number, so counts are reproducible.

    Example: a line that runs 4096 times.

        ============ ======================= ======== ==============
        runs         counted                 weight   counted runs
        ============ ======================= ======== ==============
        0 - 511      all                     1        512
        512 - 1023   first 16 of each 32     2        256
        1024 - 2047  first 16 of each 64     4        256
        2048 - 4095  first 16 of each 128    8        256
        ============ ======================= ======== ==============

    The counts of 1280 runs, each multiplied by its weight, estimate all 4096. A loop's first line, such as ``for value in x:``,
    begins at one position in its code and continues at another one. Runs are numbered by position, because only the few
    beginnings may do all the work, as for a tensor ``x`` of torch.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._begun: Counter[tuple[Line | None, int]] = Counter()  # (line, start) → runs
        self._counted: Counter[tuple[Line | None, Sample]] = Counter()
        self._latest: dict[Line | None, _Run] = {}
        self._work_of_run: dict[tuple[Line | None, int], _Work] = {}
        self._varying: set[Line | None] = set()

    @property
    def is_partial(self) -> bool:
        """Return whether any run was left out."""
        return any(sample.weight > 1 for _, sample in self._counted)

    def begin_line(self, line: LineTime, start: int) -> _Run:
        """Start or stop recording as a line begins, and return its run."""
        run = self._begin_run(line.key, line.runs, start)
        self._record(run)
        return run

    def continue_run(self, line: LineTime, run: _Run | None) -> None:
        """Start or stop recording as a run of a line continues after a call; None stands for the time outside of all lines."""
        run = run or _OUTSIDE
        # If the line called itself, the work between two beginnings is not the work of one run.
        if run.sample.weight > 1 and run is not self._latest[line.key]:
            self._varying.add(line.key)
        self._record(run)

    def _record(self, run: _Run) -> None:
        if run.is_counted:
            self._ledger.sample, self._ledger.run = run.sample, run.number
        self._ledger.set_recording(run.is_counted)

    def _begin_run(self, line: Line | None, run_number: int, start: int) -> _Run:
        """Return how the run that begins is counted, and note whether the one before it did the same work as others."""
        before = self._latest.get(line)
        if before is not None and before.is_counted and before.sample.weight > 1:
            done = tuple(map(sub, self._work_of(line, before.sample), before.work))
            if self._work_of_run.setdefault((line, before.sample.start), done) != done:
                self._varying.add(line)
        self._begun[line, start] += 1
        number = self._begun[line, start]
        sample = Sample(start, 1 << max(0, (number // FIRST_RUNS).bit_length() - 1))
        is_counted = number % (BLOCK * sample.weight) < BLOCK
        self._counted[line, sample] += is_counted
        run = self._latest[line] = _Run(run_number, sample, is_counted, self._work_of(line, sample))
        return run

    def _work_of(self, line: Line | None, sample: Sample) -> _Work:
        """Return what was counted of these runs so far, as far as they stand for others."""
        tally = self._ledger.tallies.get((line, sample))
        if tally is None or sample.weight == 1 or line in self._varying:
            return _NO_WORK
        moved = sum(number * sum(each) for each, number in tally.traffic.items())
        return tally.launches, tally.syncs, tally.operands, tally.bytes, moved

    def _runs_per_counted_run(self, line: Line | None, sample: Sample) -> float:
        """Return how many runs each counted one represents. The last block is incomplete, so this is not quite the weight."""
        if sample.weight == 1:
            return 1.0
        same = {each: runs for (key, each), runs in self._counted.items() if (key, each.start) == (line, sample.start)}
        represented = sum(each.weight * runs for each, runs in same.items() if each.weight > 1)
        left = self._begun[line, sample.start] - same.get(Sample(sample.start, 1), 0)
        return sample.weight * left / represented if represented else float(sample.weight)

    def work_of_statements(self, times: list[LineTime], unseen: Mapping[Statement, float]) -> dict[Statement, LineWork]:
        """Return the work of each statement in all of its runs; ``unseen``: statement → its runs per counted run."""
        counted_s, counted = self._seconds_of_statements(times, unseen), Counter[tuple[Line | None, int]]()
        for (line, sample), number in self._counted.items():
            counted[line, sample.start] += number
        tallies: dict[Statement, list[tuple[LineTally, float]]] = {statement_of_line(line.key): [] for line in times}
        most_runs: dict[Statement, tuple[int, int]] = {}
        for (line, sample), tally in self._ledger.tallies.items():
            statement = statement_of_line(line)
            times_more = unseen.get(statement, 1.0)
            tallies[statement].append((tally, times_more * self._runs_per_counted_run(line, sample)))
            position = line, sample.start  # Other positions of the line may run far more often and do nothing.
            runs = round(times_more * self._begun[position]), max(1, counted[position])
            most_runs[statement] = max(most_runs.get(statement, (1, 1)), runs)
        varying, works = set(map(statement_of_line, self._varying)), {}
        for statement, weighted in tallies.items():
            traffic, most = self._ledger.minimum_of[statement], most_runs.get(statement, (1, 1))
            works[statement] = replace(
                line_work(weighted, traffic.total(is_needed, *most)),
                counted_s=counted_s[statement],
                is_extrapolated=statement in unseen or statement in varying,
            )
        return works

    def _seconds_of_statements(
        self, times: list[LineTime], unseen: Mapping[Statement, float]
    ) -> dict[Statement, float]:
        """Return the seconds of each statement while it was counted; 0 if some of its runs were left out."""
        left_out = {*unseen, *(statement_of_line(line) for line, sample in self._counted if sample.weight > 1)}
        seconds: dict[Statement, float] = defaultdict(float)
        for line in times:
            statement = statement_of_line(line.key)
            seconds[statement] += 0.0 if statement in left_out else line.spent
        for (key, _), tally in self._ledger.tallies.items():
            seconds[statement_of_line(key)] -= 0.0 if statement_of_line(key) in left_out else tally.trial_s
        return seconds


def statement_of_line(line: Line | None) -> Statement:
    """Return the statement that the line belongs to; ``NO_STATEMENT`` for time outside of all lines."""
    return NO_STATEMENT if line is None else statement_at(*line)
