"""``count_lines``: what one call does, line by line of the learner's code."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from course_utils import frameworks
from course_utils.counting.ledger import Key, Ledger, LineTally, OutOfTime
from course_utils.counting.line_work import LineWork
from course_utils.counting.minimum_traffic import BytesMoved, is_wanted
from course_utils.counting.user_code import NO_STATEMENT, Statement, UserCode, statement_at
from course_utils.timing.line_clock import LineClock, LineTime

ENOUGH = 256  # runs of a line are all counted; of the others the fewer the more there are,
BLOCK = 16  # and so many in a row: what one run leaves to the next is seen

Line = Key | None


@dataclass(frozen=True)
class CountedLines:
    """What ``count_lines`` found.

    Attributes:
        lines: place → what happened there.
        least: what any way to write the call must move.
        flops, dtype: its matrix products.
        sampled: whether of some lines only part of the runs was counted, and the rest taken to be like it.
        complete: whether the call came to its end while it was counted.
    """

    lines: Mapping[Statement, LineWork]
    least: BytesMoved
    flops: int
    dtype: str
    sampled: bool
    complete: bool


def count_lines(call: Callable[[], Any], own: UserCode, now: Callable[[], float], most_s: float) -> CountedLines:
    """Make the call once and count line by line, in every framework that is loaded.

    What it raises passes through. Of a line that runs very often some runs are counted, and stand for the others.

    Args:
        call: what to count.
        own: which lines are the learner's.
        now: a clock; it tells how long operations run while they are counted.
        most_s: seconds after which the call is ended; what was counted until then is returned.
    """

    def bottom() -> Any:
        return call()

    ledger = Ledger(own, bottom.__code__, now, now() + most_s)
    sample = _Sample(ledger)
    results: list[Any] = []
    complete = True

    def count() -> None:
        nonlocal complete
        try:
            with ExitStack() as counters:
                if frameworks.by_name("torch").is_loaded():
                    from course_utils.counting import pytorch

                    counters.enter_context(pytorch.counting_by_line(ledger))
                if frameworks.by_name("tensorflow").is_loaded():
                    from course_utils.counting import tensorflow

                    counters.enter_context(tensorflow.counting_by_line(ledger))
                results.append(bottom())
        except OutOfTime:
            complete = False

    lines = sample.lines(LineClock(own.entered, lambda: 0.0, on_line=sample.begin).run(count))
    flops = sum((work.flops for work in ledger.works.values()), Counter[str]())
    found = CountedLines(
        lines=lines,
        least=ledger.least(),
        flops=sum(counts.flops for counts in lines.values()),
        dtype=_most(flops),
        sampled=sample.is_partial,
        complete=complete,
    )
    ledger.close()
    results.clear()  # until here, so that what the call returns counts as left behind
    return found


class _Sample:
    """Decides which runs of a line are counted, by their number alone, so that the counts are the same each time."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._counted: Counter[tuple[Line, int]] = Counter()  # a line, and for how many runs one stands → runs counted

    @property
    def is_partial(self) -> bool:
        """Whether any run was left out."""
        return any(weight > 1 for _, weight in self._counted)

    def begin(self, line: LineTime, anew: bool) -> None:
        """A line begins, or goes on after a call."""
        runs = line.runs
        weight = (
            1 if runs < ENOUGH else 1 << ((runs // ENOUGH).bit_length() - 1)
        )  # twice as many with each doubling of runs
        is_counted = runs % (BLOCK * weight) < BLOCK
        if is_counted:
            self._counted[line.key, weight] += anew
            self._ledger.weight, self._ledger.run = weight, runs
        self._ledger.open(is_counted)

    def lines(self, times: list[LineTime]) -> dict[Statement, LineWork]:
        """What each statement did in all of its runs."""
        runs = {line.key: line.runs for line in times}
        counted, stands_for = Counter[Line](), Counter[Line]()
        for (key, weight), number in self._counted.items():
            counted[key] += number
            stands_for[key] += weight * number
        parts: dict[Statement, list[tuple[LineTally, float]]] = {_place(key): [] for key in runs}
        share: dict[Statement, tuple[int, int]] = {}
        for (key, weight), work in self._ledger.works.items():
            exactly = runs[key] / stands_for[key] if stands_for[key] else 1.0
            parts[_place(key)].append((work, weight * exactly))
            share[_place(key)] = max(share.get(_place(key), (1, 1)), (runs[key], max(1, counted[key])))
        return {
            place: _told(works, self._ledger.needs_of[place].least(is_wanted, *share.get(place, (1, 1))))
            for place, works in parts.items()
        }


def _place(key: Line) -> Statement:
    return NO_STATEMENT if key is None else statement_at(*key)


def _told(parts: list[tuple[LineTally, float]], least: BytesMoved) -> LineWork:
    """One statement's counts, of the works of its lines, and for how many such each stands."""

    def total(name: str) -> int:
        return round(sum(factor * getattr(work, name) for work, factor in parts))

    def totals(name: str, whole: bool = True) -> dict[Any, Any]:
        found: dict[Any, float] = defaultdict(float)
        for work, factor in parts:
            for key, number in getattr(work, name).items():
                found[key] += factor * number
        return {key: round(number) for key, number in found.items()} if whole else dict(found)

    traffic, flops, sync_causes = totals("traffic"), totals("flops"), Counter[str]()
    for work, factor in parts:
        for name, number in Counter(work.sync_causes).items():
            sync_causes[name] += round(factor * number)
    return LineWork(
        ops=total("ops"),
        launches=total("launches"),
        reads=sum((moved.reads + moved.updates) * number for moved, number in traffic.items()),
        writes=sum((moved.writes + moved.updates) * number for moved, number in traffic.items()),
        bytes=total("bytes"),
        syncs=total("syncs"),
        transfers=total("transfers"),
        traces=total("traces"),
        flops=sum(flops.values()),
        dtype=_most(flops),
        traffic=traffic,
        minimum_traffic=least,
        operation_seconds=totals("operation_seconds", whole=False),
        grown_bytes=total("grown_bytes"),
        operands=total("operands"),
        compiled_calls=total("compiled_calls"),
        sync_causes=sync_causes,
        conversions=totals("conversions"),
        conversion_seconds=totals("conversion_seconds", whole=False),
        optimizer_steps=totals("optimizer_steps"),
        compiled_operations=totals("compiled_operations"),
    )


def _most(flops: Mapping[str, int]) -> str:
    return max(flops, key=flops.__getitem__, default="float32")
