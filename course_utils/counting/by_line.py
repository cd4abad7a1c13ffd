"""``count_lines``: counts one call, statement by statement of the learner's code."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from course_utils import frameworks
from course_utils.counting.attention_chains import AttentionLedger
from course_utils.counting.line_sampler import BLOCK, LineSampler, statement_of_line
from course_utils.counting.line_work import LineWork, main_dtype
from course_utils.counting.minimum_traffic import BytesMoved
from course_utils.counting.traffic_ledger import OutOfTime, Recorder
from course_utils.counting.user_code import Statement, UserCode, statement_at
from course_utils.timing.line_clock import LineClock, LineTime


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
    sampler = LineSampler(ledger)
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

    clock = LineClock(user_code.runs_as_written, now, on_line=sampler.begin_line, on_return=sampler.continue_run)
    line_times = clock.run(count)
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


def _unseen_runs(
    running: set[Statement], times: list[LineTime], runs: Mapping[Statement, int]
) -> dict[Statement, float]:
    """Return statement → its runs in a complete call per counted run, for each statement that was running when counting
    stopped or runs more often than it was counted.
    """
    counted = Counter[Statement]()
    for line in times:
        statement = statement_of_line(line.key)
        counted[statement] = max(counted[statement], line.runs)
    unseen = running | {statement for statement, number in runs.items() if counted[statement] < number}
    # Few runs represent no others.
    return {each: runs.get(each, 0) / counted[each] if counted[each] >= BLOCK else 0.0 for each in unseen}
