"""``count_lines``: counts one call, statement by statement of the learner's code."""

from __future__ import annotations

import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from course_utils import frameworks
from course_utils.counting.attention_chains import AttentionLedger
from course_utils.counting.line_work import LineWork, line_work, main_dtype
from course_utils.counting.minimum_traffic import BytesMoved, is_needed
from course_utils.counting.traffic_ledger import Ledger, Line, LineTally, OutOfTime, Recorder
from course_utils.counting.user_code import NO_STATEMENT, Statement, UserCode, statement_at
from course_utils.timing.line_clock import LineClock, LineTime

# The first ``2 * FIRST_RUNS`` runs of a line are all counted: see the table of ``_LineSampler``.
FIRST_RUNS = 256
# Runs are sampled in blocks of this length, so that memory that one run passes to the next is seen.
BLOCK = 16


@dataclass(frozen=True)
class CountedLines:
    """What ``count_lines`` counted.

    Attributes:
        lines: statement → its work.
        minimum_traffic: the bytes that every version of the call must move.
        flops, dtype: the floating-point operations of its matrix products, and their most frequent dtype.
        sampled: whether some runs were left out and estimated from the others.
        complete: whether the call ended before counting stopped.
        cut_short: the statements whose work counting has not seen to its end.
        attention: the statement of a product with attention weights → the statements that the attention is written in.
    """

    lines: Mapping[Statement, LineWork]
    minimum_traffic: BytesMoved
    flops: int
    dtype: str
    sampled: bool
    complete: bool
    cut_short: frozenset[Statement]
    attention: Mapping[Statement, frozenset[Statement]]


def count_lines(
    call: Callable[[], Any],
    user_code: UserCode,
    now: Callable[[], float],
    limit_s: float,
    runs: Mapping[Statement, int] | None = None,
) -> CountedLines:
    """Return the counts of one call by statement, over all loaded frameworks. Lines that run very often are sampled.

    Args:
        call: what to count.
        user_code: which lines are the learner's.
        now: the clock that times operations and lines while they are counted.
        limit_s: seconds after which the call is ended; the counts until then are returned.
        runs: how often each statement runs in a complete call, as far as that is known.

    Raises:
        Exception: whatever ``call`` raises.
    """

    def entry() -> Any:
        return call()

    ledger = AttentionLedger(user_code, entry.__code__, now, now() + limit_s)
    sampler = _LineSampler(ledger)
    results: list[Any] = []
    running: set[Statement] | None = None  # The statements that ran when counting stopped.

    def count() -> None:
        nonlocal running
        try:
            with counting_by_ledger(ledger):
                results.append(entry())
        except OutOfTime as error:
            frames = traceback.walk_tb(error.__traceback__)
            running = {statement_at(frame.f_code, number) for frame, number in frames if user_code.owns(frame.f_code)}

    line_times = LineClock(user_code.runs_as_written, now, on_line=sampler.begin_line).run(count)
    unseen = {} if running is None else _unseen_runs(running, line_times, runs or {})
    lines = sampler.work_of_statements(line_times, {each: times for each, times in unseen.items() if times})
    flops = sum((tally.flops for tally in ledger.tallies.values()), Counter[str]())
    counted = CountedLines(
        lines=lines,
        minimum_traffic=ledger.minimum_of_call(),
        flops=sum(work.flops for work in lines.values()),
        dtype=main_dtype(flops),
        sampled=sampler.is_partial,
        complete=running is None,
        cut_short=frozenset(each for each, times in unseen.items() if not times),
        attention=dict(ledger.attention),
    )
    ledger.close()
    results.clear()  # The result stays alive until here, so that its memory counts as needed.
    return counted


@contextmanager
def counting_by_ledger(ledger: Recorder) -> Iterator[None]:
    """Record everything that the loaded frameworks do inside the block in ``ledger``."""
    with ExitStack() as counters:
        if frameworks.by_name("torch").is_loaded():
            from course_utils.counting import torch

            counters.enter_context(torch.counting_by_line(ledger))
        if frameworks.by_name("tensorflow").is_loaded():
            from course_utils.counting import tensorflow

            counters.enter_context(tensorflow.counting_by_line(ledger))
        yield


class _LineSampler:
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

    The counts of 1280 runs, each multiplied by its weight, estimate all 4096.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._counted: Counter[tuple[Line | None, int]] = Counter()  # (line, weight) → counted runs

    @property
    def is_partial(self) -> bool:
        """Return whether any run was left out."""
        return any(weight > 1 for _, weight in self._counted)

    def begin_line(self, line: LineTime, is_new_run: bool) -> None:
        """Start or stop recording as a line begins, or continues after a call."""
        weight = 1 << max(0, (line.runs // FIRST_RUNS).bit_length() - 1)
        is_counted = line.runs % (BLOCK * weight) < BLOCK
        if is_counted:
            self._counted[line.key, weight] += is_new_run
            self._ledger.weight, self._ledger.run = weight, line.runs
        self._ledger.set_recording(is_counted)

    def work_of_statements(self, times: list[LineTime], unseen: Mapping[Statement, float]) -> dict[Statement, LineWork]:
        """Return the work of each statement in all of its runs, of which ``unseen`` says how many times as many there are."""
        runs = {line.key: round(line.runs * unseen.get(_statement(line.key), 1.0)) for line in times}
        counted_s = self._seconds_of_statements(times, unseen)
        counted, represented = Counter[Line | None](), Counter[Line | None]()
        for (line, weight), number in self._counted.items():
            counted[line] += number
            represented[line] += weight * number
        tallies: dict[Statement, list[tuple[LineTally, float]]] = {_statement(line): [] for line in runs}
        most_runs: dict[Statement, tuple[int, int]] = {}
        for (line, weight), tally in self._ledger.tallies.items():
            # The last block is incomplete, so the weights represent slightly more or fewer runs than there were.
            correction = runs[line] / represented[line] if represented[line] and line in runs else 1.0
            statement = _statement(line)
            tallies[statement].append((tally, weight * correction))
            most_runs[statement] = max(most_runs.get(statement, (1, 1)), (runs.get(line, 1), max(1, counted[line])))
        works = {}
        for statement, weighted in tallies.items():
            traffic, most = self._ledger.minimum_of[statement], most_runs.get(statement, (1, 1))
            work = line_work(weighted, traffic.total(is_needed, *most))
            works[statement] = replace(
                work,
                counted_s=counted_s[statement],
                reread_bytes=traffic.reread_bytes(*most),
                is_extrapolated=statement in unseen,
            )
        return works

    def _seconds_of_statements(
        self, times: list[LineTime], unseen: Mapping[Statement, float]
    ) -> dict[Statement, float]:
        """Return the seconds of each statement while it was counted; 0 if some of its runs were left out."""
        left_out = {*unseen, *(_statement(line) for line, weight in self._counted if weight > 1)}
        seconds: dict[Statement, float] = defaultdict(float)
        for line in times:
            statement = _statement(line.key)
            seconds[statement] += 0.0 if statement in left_out else line.spent
        for (key, _), tally in self._ledger.tallies.items():
            seconds[_statement(key)] -= 0.0 if _statement(key) in left_out else tally.trial_s
        return seconds


def _unseen_runs(
    running: set[Statement], times: list[LineTime], runs: Mapping[Statement, int]
) -> dict[Statement, float]:
    """Return how many times as often as counted each statement runs in a complete call, if it was running when counting
    stopped, or runs more often.
    """
    counted = Counter[Statement]()
    for line in times:
        statement = _statement(line.key)
        counted[statement] = max(counted[statement], line.runs)
    unseen = running | {statement for statement, number in runs.items() if counted[statement] < number}
    # Few runs represent no others.
    return {each: runs.get(each, 0) / counted[each] if counted[each] >= BLOCK else 0.0 for each in unseen}


def _statement(line: Line | None) -> Statement:
    return NO_STATEMENT if line is None else statement_at(*line)
