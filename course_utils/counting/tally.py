"""The running totals that the counters of all frameworks add to during a call."""

from __future__ import annotations

from dataclasses import dataclass, field

from course_utils.counting.operation_kinds import computes

SCALAR_READS = (".item()", "float()", "int()", "a branch on a tensor", ".numpy() of one value", "an f-string")
"""Causes of a synchronization that read one value. ``PRINTED`` returns none; all others read a whole tensor."""

INDEX_READ = "range(n) or values[n] with a tensor n of one element"
"""The cause of a read of one value that the Python API does not show."""

PRINTED = "print()"
NUMERICS_CHECK = "tf.debugging.check_numerics()"
MASKED_READ = "x[mask]"
MASKED_WRITE = "a tensor written through a mask"
FILLED_BY_TENSOR = "masked_fill with a tensor as its value"
MEMORY_ACCESS = (".data_ptr()", ".untyped_storage()", ".storage()")
REBUILT = "a list of tensors, read one by one"


@dataclass
class Tally:
    """The mutable form of ``Counts``, which documents the names; ``sync_causes`` has one entry per synchronization."""

    ops: int = 0
    launches: int = 0
    bytes: int = 0
    peak: int = 0
    syncs: int = 0
    transfers: int = 0
    traces: int = 0
    xla_graphs: int = 0
    threads: int = 0
    view_ops: int = 0
    views: int = 0
    unseen_results: int = 0
    kernels: int = 0
    programs: int = 0
    accesses: int = 0
    loaded: int = 0
    stored: int = 0
    sync_causes: list[str] = field(default_factory=list)
    inner_syncs: list[str] = field(default_factory=list)
    custom_operators: list[str] = field(default_factory=list)
    computations: list[str] = field(default_factory=list)

    def record_operation(self, name: str, views: int, runs: int = 1) -> None:
        """Count one operation of torch that Python started, or ``runs`` of them in one call, and the ``views`` that it made."""
        self.launches += runs
        self.ops += runs  # A bounded tally stops the call here, so the launches are complete before.
        self.view_ops += views > 0
        self.views += views
        if not views and computes(name):
            self.computations.append(name)

    def record_sync(self, cause: str) -> None:
        """Count one synchronization with its cause."""
        self.syncs += 1
        self.sync_causes.append(cause)

    def record_conversion(self, type_name: str) -> None:
        """Count a conversion of a Python object to a tensor; only a ``LineTally`` stores the number."""
