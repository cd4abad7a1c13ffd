"""What is known of a line when its reason is looked for: its seconds, and what each kind of its work would take at best."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

from course_utils.counting.line_work import LineWork
from course_utils.counting.minimum_traffic import BytesMoved
from course_utils.counting.user_code import Statement
from course_utils.limits import Cost, Peaks, bound
from course_utils.limits.cost import DTYPES

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_WRITTEN = (ast.operator, ast.unaryop, ast.cmpop, ast.Call, ast.Subscript)
TENSORS = 4  # of a launch; one that takes or gives back more works on a list, and on each of them in turn


@dataclass(frozen=True)
class LineMeasurements:
    """One line.

    Attributes:
        seconds: what it takes.
        counts: what it did.
        floor_s: the least that any way to write it takes.
        starting_s: its launches, each at the least that one takes.
        asking_s: its waits, each at the least that a launch takes; where no limits are known, they may be all of it.
        moving_s: what its operations moved, at this machine's bandwidth.
        computing_s: its products, at this machine's peak.
        operating_s: seconds inside of its operations, at most all.
        providing_s: what the system took to provide new memory.
        with_numpy: whether the line names NumPy.
        has_comprehension: whether Python goes from value to value within the line.
        written: operations and calls that are written out in the line.
    """

    seconds: float
    counts: LineWork
    floor_s: float
    starting_s: float
    sync_s: float
    moving_s: float
    computing_s: float
    operating_s: float
    page_fault_s: float
    with_numpy: bool
    has_comprehension: bool
    written: int

    @property
    def working_s(self) -> float:
        """What its operations take where each is as fast as this machine allows."""
        return max(self.moving_s, self.computing_s)

    @property
    def outside_s(self) -> float:
        """Seconds outside of its operations: Python's own, and other libraries'."""
        return self.seconds - self.operating_s


def evidence(
    place: Statement, seconds: float, counts: LineWork, peaks: Peaks | None, framework: str | None, fault_s: float,
    names: Mapping[str, Any],
) -> LineMeasurements:  # fmt: skip
    """What is known of the line at ``place``; without ``peaks`` nothing has a floor."""
    operating_s = min(seconds, sum(counts.operation_seconds.values()))
    if peaks is None:
        floor_s = starting_s = moving_s = computing_s = 0.0
        sync_s = seconds
    else:
        floor_s = floor(counts.minimum_traffic, counts.flops, counts.dtype, counts.launches, peaks, framework)
        launch_s = peaks.launch_s(Cost(), framework)
        starting_s = max(counts.launches, counts.operands / TENSORS) * launch_s
        sync_s = counts.syncs * launch_s
        moving_s = sum(number * peaks.memory_s(Cost(*move)) for move, number in counts.traffic.items())
        computing_s = counts.flops / peaks.matmul[counts.dtype] if counts.dtype in peaks.matmul else 0.0
    return LineMeasurements(
        seconds, counts, floor_s, starting_s, sync_s, moving_s, computing_s, operating_s,
        page_fault_s=min(seconds, fault_s * counts.page_faults),
        with_numpy=_names_numpy(place, names),
        has_comprehension=any(isinstance(node, _COMPREHENSIONS) for node in _nodes(place)),
        written=sum(isinstance(node, _WRITTEN) for node in _nodes(place)),
    )  # fmt: skip


def floor(least: BytesMoved, flops: int, dtype: str, launches: int, peaks: Peaks, framework: str | None) -> float:
    """Seconds that work takes at the least, started once."""
    products = flops if dtype in DTYPES else 0
    cost = Cost(*least, flops=products, launches=min(1, launches), dtype=dtype if products else "float32")
    return bound(cost, peaks, framework).seconds if launches else 0.0


def _names_numpy(place: Statement, names: Mapping[str, Any]) -> bool:
    return any(
        isinstance(names.get(name), ModuleType) and names[name].__name__.partition(".")[0] == "numpy"
        for name in _names(place)
    )


def _names(place: Statement) -> frozenset[str]:
    return frozenset(node.id for node in _nodes(place) if isinstance(node, ast.Name))


@lru_cache(maxsize=256)
def _nodes(place: Statement) -> tuple[ast.AST, ...]:
    """What a statement is made of; a loop or a branch, its head."""
    for node in ast.walk(_tree(place.file)):
        if isinstance(node, ast.stmt) and node.lineno == place.number:
            parts = [part for field, part in ast.iter_fields(node) if field not in ("body", "orelse", "finalbody")]
            flat = [each for part in parts for each in (part if isinstance(part, list) else [part])]
            return tuple(inner for each in flat if isinstance(each, ast.AST) for inner in ast.walk(each))
    return ()


@lru_cache(maxsize=64)
def _tree(file: str) -> ast.AST:
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return ast.Module([], [])
