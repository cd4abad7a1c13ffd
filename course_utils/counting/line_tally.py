"""``LineTally``: the running totals of one line's work, over those of its runs that are counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from types import CodeType
from typing import NamedTuple

from course_utils.counting.minimum_traffic import BytesMoved
from course_utils.counting.tally import Tally
from course_utils.counting.user_code import Statement
from course_utils.counting.work_inside_graphs import InnerWork

Line = tuple[CodeType, int]
"""A line of code; a ``Statement`` may have several."""


class Sample(NamedTuple):
    """Runs of a line that are counted together.

    Attributes:
        start: the position in the line's code at which they begin.
        weight: how many runs each of them represents.
    """

    start: int
    weight: int


EVERY_RUN = Sample(0, 1)
"""For a line of which no run is left out."""


@dataclass
class LineTally(Tally):
    """Running totals of one line, over its counted runs; ``LineWork`` documents the names."""

    traffic: Counter[BytesMoved] = field(default_factory=Counter)
    flops: Counter[str] = field(default_factory=Counter)
    operation_seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    strided_s: float = 0.0
    arithmetic_seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    trial_s: float = 0.0
    inner_works: dict[str, InnerWork] = field(default_factory=dict)
    operation_counts: Counter[str] = field(default_factory=Counter)
    hidden_work: Counter[str] = field(default_factory=Counter)
    grown_bytes: int = 0
    growths: int = 0
    reread_bytes: int = 0
    operands: int = 0
    compiled_calls: int = 0
    xla_calls: int = 0
    conversions: Counter[str] = field(default_factory=Counter)
    conversion_seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    optimizer_steps: Counter[str] = field(default_factory=Counter)
    loaders: int = 0
    compiled_operations: Counter[tuple[str, Statement]] = field(default_factory=Counter)

    def record_conversion(self, type_name: str) -> None:
        self.conversions[type_name] += 1
