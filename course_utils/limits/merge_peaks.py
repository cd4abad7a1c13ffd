"""From what each framework reached to ``Peaks``: the best of them, and which figures are uncertain."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from course_utils.limits.cost import MIXES
from course_utils.limits.peaks import Ladder, Peaks
from course_utils.limits.sampling import AGREEMENT, rates_agree, typical_rate

Rates = dict[str, list[float]]


@dataclass
class FrameworkRates:
    """What one framework's process told: figure → the best rate of each pass, and where it was measured."""

    framework: str
    machine: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    rates: Rates = field(default_factory=dict)


def best_rates(found: Iterable[FrameworkRates]) -> dict[str, float]:
    """Figure → the typical rate in the framework that is best at it; what only one pass told counts where nothing else does.

    Starting an operation is each framework's own affair, and not among them.
    """
    chosen: dict[str, tuple[bool, float]] = {}
    for each in found:
        for name, rates in each.rates.items():
            if not name.startswith("start "):
                chosen[name] = max(chosen.get(name, (False, 0.0)), (len(rates) > 1, typical_rate(rates)))
    return {name: rate for name, (_, rate) in chosen.items()}


def merge_peaks(found: Sequence[FrameworkRates], device: str, threads: int) -> Peaks:
    """The peaks of a machine of which ``found`` tells: each framework's starts, and by all together a ladder at least."""
    rates = best_rates(found)
    uncertain = [name for name, rate in rates.items() if not _reached_twice(rate, name, found)]
    for each in found:
        starts = {name: rates for name, rates in each.rates.items() if name.startswith("start ")}
        uncertain += [f"{name} {each.framework}" for name, rates in starts.items() if not rates_agree(rates)]
    ladders = {
        mix: make_monotonic({int(name.split()[1]): rate for name, rate in rates.items() if name.startswith(f"{mix} ")})
        for mix in MIXES
    }
    return Peaks(
        device=device,
        threads=threads,
        ladders={mix: rungs for mix, rungs in ladders.items() if rungs},
        starts_s={
            each.framework: {
                name.split()[1]: 1 / typical_rate(rates)
                for name, rates in each.rates.items()
                if name.startswith("start ")
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


def make_monotonic(rungs: Mapping[int, float]) -> Ladder:
    """The rungs from small to large, none of them slower than a larger one.

    Less memory is never slower once the operation has started: where it seems to be, the machine was busy with other things.
    """
    best_above = 0.0
    ladder = []
    for size, rate in sorted(rungs.items(), reverse=True):
        best_above = max(best_above, rate)
        ladder.append((size, best_above))
    return tuple(reversed(ladder))


def _reached_twice(rate: float, name: str, found: Sequence[FrameworkRates]) -> bool:
    """Whether two passes came to ``rate``, be it in two frameworks."""
    return sum(abs(each - rate) <= AGREEMENT * rate for one in found for each in one.rates.get(name, ())) > 1
