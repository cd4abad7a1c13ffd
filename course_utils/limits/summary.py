"""From what each framework reached to ``Peaks``: the best of them, and which figures are uncertain."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from course_utils.limits.cost import MIXES
from course_utils.limits.passes import agree, typical
from course_utils.limits.peaks import Peaks

Rates = dict[str, list[float]]


@dataclass
class Found:
    """What one framework's process told: figure → the best rate of each pass, and where it was measured."""

    framework: str
    machine: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    rates: Rates = field(default_factory=dict)


def best(found: Iterable[Found]) -> dict[str, float]:
    """Figure → the typical rate in the framework that is best at it; what only one pass told counts where nothing else does.

    Starting an operation is each framework's own affair, and not among them.
    """
    chosen: dict[str, tuple[bool, float]] = {}
    for each in found:
        for name, rates in each.rates.items():
            if not name.startswith("start "):
                chosen[name] = max(chosen.get(name, (False, 0.0)), (len(rates) > 1, typical(rates)))
    return {name: rate for name, (_, rate) in chosen.items()}


def peaks(found: Sequence[Found], device: str, threads: int) -> Peaks:
    """The peaks of a machine of which ``found`` tells: each framework's starts, and by all together a ladder at least."""
    rates = best(found)
    told = {name: [each.rates[name] for each in found if name in each.rates] for name in rates}
    uncertain = [name for name, each in told.items() if not any(agree(rates) for rates in each)]
    for each in found:
        starts = {name: rates for name, rates in each.rates.items() if name.startswith("start ")}
        uncertain += [f"{name} {each.framework}" for name, rates in starts.items() if not agree(rates)]
    ladders = {
        mix: tuple(sorted((int(name.split()[1]), rate) for name, rate in rates.items() if name.startswith(f"{mix} ")))
        for mix in MIXES
    }
    return Peaks(
        device=device,
        threads=threads,
        ladders={mix: rungs for mix, rungs in ladders.items() if rungs},
        starts_s={
            each.framework: {
                name.split()[1]: 1 / typical(rates) for name, rates in each.rates.items() if name.startswith("start ")
            }
            for each in found
        },
        matmul={name.split()[1]: rate for name, rate in rates.items() if name.startswith("matmul ")},
        frameworks=tuple(each.framework for each in found),
        date=datetime.datetime.now().isoformat(" ", timespec="minutes"),
        versions={name: number for each in found for name, number in each.versions.items()},
        machine=found[0].machine,
        uncertain=tuple(uncertain),
    )
