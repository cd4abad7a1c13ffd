"""Merges the rates that each framework reached into ``Peaks``: the best ones, and which figures are uncertain."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from course_utils.limits.cost import MIXES
from course_utils.limits.peaks import BandwidthCurve, Peaks
from course_utils.limits.sampling import typical_rate, was_reached_twice

Rates = dict[str, list[float]]


@dataclass
class FrameworkRates:
    """The result of one framework's process: figure → the best rate of each pass, and where it was measured."""

    framework: str
    machine: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    rates: Rates = field(default_factory=dict)


def best_rates(measured: Iterable[FrameworkRates]) -> dict[str, float]:
    """Return figure → the typical rate in the best framework; a rate from a single pass counts only if no framework has
    rates of two passes.

    Launch costs are left out, because each framework has its own.
    """
    best: dict[str, tuple[bool, float]] = {}
    for each in measured:
        for name, rates in each.rates.items():
            if not _is_launch(name):
                best[name] = max(best.get(name, (False, 0.0)), (len(rates) > 1, typical_rate(rates)))
    return {name: rate for name, (_, rate) in best.items()}


def merge_peaks(measured: Sequence[FrameworkRates], device: str, threads: int) -> Peaks:
    """Return the peaks of the machine on which the frameworks were measured; at least one must have a copy bandwidth."""
    rates = best_rates(measured)
    uncertain = [
        name
        for name, rate in rates.items()
        if not was_reached_twice(rate, chain.from_iterable(each.rates.get(name, ()) for each in measured))
    ]
    launches_s: dict[str, dict[str, float]] = {}
    for each in measured:
        # The best pass counts: nothing makes a launch quicker by chance, and a busy machine makes it several times slower.
        best = {name: max(passes) for name, passes in each.rates.items() if _is_launch(name)}
        launches_s[each.framework] = {_which(name): 1 / rate for name, rate in best.items()}
        uncertain += [
            f"{name} {each.framework}" for name, rate in best.items() if not was_reached_twice(rate, each.rates[name])
        ]
    bandwidths = {
        mix: make_monotonic({int(_which(name)): rate for name, rate in rates.items() if name.startswith(f"{mix} ")})
        for mix in MIXES
    }
    return Peaks(
        device=device,
        threads=threads,
        bandwidths={mix: curve for mix, curve in bandwidths.items() if curve},
        launches_s=launches_s,
        matmul={_which(name): rate for name, rate in rates.items() if name.startswith("matmul ")},
        frameworks=tuple(each.framework for each in measured),
        date=datetime.datetime.now().isoformat(" ", timespec="minutes"),
        versions={name: number for each in measured for name, number in each.versions.items()},
        machine=measured[0].machine,
        step_s=1 / rates["steps"] if "steps" in rates else 0.0,
        uncertain=tuple(uncertain),
    )


def make_monotonic(rates: Mapping[int, float]) -> BandwidthCurve:
    """Return the rates in order of size, each raised to the highest rate of any larger size.

    A smaller working set is never slower once the operation runs; if it seems slower, other processes disturbed it.
    """
    best_above = 0.0
    curve = []
    for size, rate in sorted(rates.items(), reverse=True):
        best_above = max(best_above, rate)
        curve.append((size, best_above))
    return tuple(reversed(curve))


def _is_launch(figure: str) -> bool:
    return figure.startswith("launch ")


def _which(figure: str) -> str:
    """Return the second word of a figure's name: its size, dtype or mix."""
    return figure.split()[1]
