"""``LineWork``: what one statement did during one call, as plain values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from course_utils.counting.line_tally import LineTally
from course_utils.counting.minimum_traffic import NO_BYTES, BytesMoved
from course_utils.counting.tally import INDEX_READ
from course_utils.counting.user_code import Statement
from course_utils.counting.work_inside_graphs import InnerWork, add_inner_work


@dataclass(frozen=True)
class LineWork:
    """What one statement did during one call, in all of its runs. Names shared with ``Counts`` have the same meaning.

    Attributes:
        runs: how often the statement started.
        ops: tensor operations run, including views and the operations inside a graph.
        launches: operator calls: each operation that runs outside a TensorFlow graph, and each call of a graph.
        reads, writes: bytes that operations read and wrote; a view moves none.
        bytes: bytes of new tensors, including those freed before the call ended.
        syncs: how often Python waited for a value, or a shape depended on one.
        transfers: how often torch was asked for a tensor on a device.
        traces: graphs traced or compiled.
        library_calls: Python functions that it called and that are not the learner's lines.
        python_calls: how many ``library_calls`` neither belong to a framework nor run on behalf of one; each resumption of a
            generator counts.
        page_faults: memory pages that the system provided; 0 if the system does not count them.
        flops: floating-point operations of matrix products and convolutions.
        dtype: the dtype that most of ``flops`` were computed in.
        traffic: the bytes that an operation moved → how many operations moved exactly that.
        minimum_traffic: bytes that every version of the statement must move: its inputs from other statements, and its
            results that something else uses.
        is_cut_short: whether counting stopped before the statement's end, so that it did at least what is counted.
        is_extrapolated: whether the counts are those of the runs that were counted, in proportion to all, and may be wrong:
            counting stopped before it had seen all runs, or it left out some, and the others did not all do the same work.
        reread_bytes: bytes of other statements' tensors that it reads and that an earlier run has read already.
        operation_seconds: an operation's name → seconds that such operations ran while they were counted. Counting
            slows them down, so this is a hint, not a measurement.
        operation_counts: an operation's name → how often it ran, without the operations inside a graph.
        arithmetic_seconds: an operation's name → the part of ``operation_seconds`` that remains if the cache holds all values,
            without the cost of the calls; 0 if that was not measured.
        inner_works: an operation inside a graph, or a kernel of compiled code → its work, as far as it is known.
        hidden_work: operations that run code which is not counted, such as a data pipeline's functions → how often.
        strided_s: the part of ``operation_seconds`` in operations on tensors whose values are not neighbors in memory, as
            in ``x.T``.
        counted_s: seconds of the statement while it was counted, with what counting adds; 0 if some of its runs were not
            counted.
        grown_bytes: bytes of new tensors that extend a copy of an earlier run's result, as ``x = torch.cat([x, row])``
            does; ``growths``: the number of these tensors.
        operands: tensors that operations took and returned.
        compiled_calls: calls of a graph or of compiled code, which is counted as a whole.
        xla_calls: the ``compiled_calls`` of code that XLA compiled.
        sync_causes: what copied values to Python, such as ``".item()"`` → how often.
        conversions: a type's name → how many objects of it were converted to tensors.
        conversion_seconds: a type's name → seconds that these conversions took while they were counted.
        optimizer_steps: an optimizer's class → its steps; ``"Adam, not fused"`` if torch has a fused version of the
            step.
        loaders: how often it began to iterate over a torch `DataLoader` that calls its dataset once per element.
        compiled_operations: an operation and the statement that it was written in → how often compiled code asked for
            it.
    """

    runs: int = 0
    ops: int = 0
    launches: int = 0
    reads: int = 0
    writes: int = 0
    bytes: int = 0
    syncs: int = 0
    transfers: int = 0
    traces: int = 0
    library_calls: int = 0
    python_calls: int = 0
    page_faults: int = 0
    flops: int = 0
    dtype: str = "float32"
    traffic: Mapping[BytesMoved, int] = field(default_factory=dict)
    minimum_traffic: BytesMoved = NO_BYTES
    operation_seconds: Mapping[str, float] = field(default_factory=dict)
    grown_bytes: int = 0
    growths: int = 0
    operands: int = 0
    compiled_calls: int = 0
    xla_calls: int = 0
    sync_causes: Mapping[str, int] = field(default_factory=dict)
    conversions: Mapping[str, int] = field(default_factory=dict)
    conversion_seconds: Mapping[str, float] = field(default_factory=dict)
    optimizer_steps: Mapping[str, int] = field(default_factory=dict)
    loaders: int = 0
    compiled_operations: Mapping[tuple[str, Statement], int] = field(default_factory=dict)
    counted_s: float = 0.0
    strided_s: float = 0.0
    operation_counts: Mapping[str, int] = field(default_factory=dict)
    arithmetic_seconds: Mapping[str, float] = field(default_factory=dict)
    inner_works: Mapping[str, InnerWork] = field(default_factory=dict)
    hidden_work: Mapping[str, int] = field(default_factory=dict)
    reread_bytes: int = 0
    is_cut_short: bool = False
    is_extrapolated: bool = False

    @property
    def count_prefix(self) -> str:
        """Return "at least " or "about ", which a sentence puts before a count that may be wrong, else ""."""
        return "at least " if self.is_cut_short else "about " * self.is_extrapolated


def line_work(weighted: list[tuple[LineTally, float]], minimum: BytesMoved) -> LineWork:
    """Return the work of one statement, from the tallies of its lines and the number of runs that each represents."""

    def total(name: str) -> int:
        return round(sum(weight * getattr(tally, name) for tally, weight in weighted))

    def float_totals(name: str) -> dict[Any, float]:
        totals: dict[Any, float] = defaultdict(float)
        for tally, weight in weighted:
            for key, number in getattr(tally, name).items():
                totals[key] += weight * number
        return dict(totals)

    def totals(name: str) -> dict[Any, int]:
        return {key: round(number) for key, number in float_totals(name).items()}

    inner_works: dict[str, InnerWork] = {}
    for tally, weight in weighted:
        add_inner_work(inner_works, tally.inner_works, weight)
    traffic, flops, sync_causes = totals("traffic"), totals("flops"), defaultdict[str, float](float)
    for tally, weight in weighted:
        for cause in (*tally.sync_causes, *(each for each in tally.inner_syncs if each == INDEX_READ)):
            sync_causes[cause] += weight
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
        dtype=main_dtype(flops),
        traffic=traffic,
        minimum_traffic=minimum,
        operation_seconds=float_totals("operation_seconds"),
        operation_counts=totals("operation_counts"),
        arithmetic_seconds=float_totals("arithmetic_seconds"),
        inner_works=inner_works,
        hidden_work=totals("hidden_work"),
        strided_s=sum(weight * tally.strided_s for tally, weight in weighted),
        grown_bytes=total("grown_bytes"),
        growths=total("growths"),
        reread_bytes=total("reread_bytes"),
        operands=total("operands"),
        compiled_calls=total("compiled_calls"),
        xla_calls=total("xla_calls"),
        sync_causes={cause: round(number) for cause, number in sync_causes.items()},
        conversions=totals("conversions"),
        conversion_seconds=float_totals("conversion_seconds"),
        optimizer_steps=totals("optimizer_steps"),
        loaders=total("loaders"),
        compiled_operations=totals("compiled_operations"),
    )


def main_dtype(flops: Mapping[str, int]) -> str:
    """Return the dtype of most floating-point operations."""
    return max(flops, key=flops.__getitem__, default="float32")
