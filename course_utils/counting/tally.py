"""The running totals that the counters of all frameworks write to while a call lasts."""

from __future__ import annotations

from dataclasses import dataclass, field

SCALAR_READS = (".item()", "float()", "int()", "a branch on a tensor", ".numpy() of one value")
"""The ways by which one value comes to Python; PRINTED, below, shows values and hands none on; all other ways take a whole tensor."""

PRINTED = "print()"
MASKED = "a tensor written through a mask"
REBUILT = "torch.tensor() of tensors"


@dataclass
class Tally:
    """Mutable twin of ``Counts``; ``sync_causes`` has one entry for each time."""

    ops: int = 0
    launches: int = 0
    bytes: int = 0
    peak: int = 0
    syncs: int = 0
    transfers: int = 0
    traces: int = 0
    threads: int = 0
    sync_causes: list[str] = field(default_factory=list)

    def record_sync(self, name: str) -> None:
        """A value came to Python by the way called ``name``."""
        self.syncs += 1
        self.sync_causes.append(name)

    def record_conversion(self, kind: str) -> None:
        """Values came from Python into a new tensor, out of an object of the type ``kind``; only lines keep this."""
