"""``markdown_table``: the results of many races as one Markdown table, as it is stored for each machine."""

from __future__ import annotations

from collections.abc import Iterable

from course_utils import frameworks
from course_utils.core.wording import format_percent
from course_utils.races.point import describe_point
from course_utils.races.result import RaceResult

_HEADS = ("Race", "With", "n", "Baseline", "Rival", "Rival's speed (95 %)", "n", "Fastest of all", "Of the limit")
_KEY = """How to read it:

- **Rival's speed** compares the fastest rival with the baseline at the largest n at which both were timed. In a race about one
  contender, this contender is the rival; if the baseline is clearly faster at some n, the row shows its largest lead. Below 1×
  the baseline is faster: such races show where a technique doesn't pay.
- **Of the limit** is the least time that the physical limit allows, as a share of the time of the fastest contender, at the
  largest n of the race. The parentheses name what sets the limit. A ≈ marks a limit that did not settle because the machine
  was busy when it was measured.
- **–**: the race has no limit, or too few rounds for an interval."""


def markdown_table(results: Iterable[RaceResult]) -> str:
    """Return ratios and shares of the limit, one row per race, with the signatures of the machines."""
    results = list(results)
    rows = ["| " + " | ".join(_HEADS) + " |", "|---" * len(_HEADS) + "|"]
    rows += [_row(each) for each in results]
    signatures = "\n".join(f"- {signature}" for signature in dict.fromkeys(each.signature() for each in results))
    return f"# Races\n\nMade by `unloop record`. Measured on:\n\n{signatures}\n\n{_KEY}\n\n" + "\n".join(rows) + "\n"


def _row(result: RaceResult) -> str:
    framework = next((name for name in frameworks.NAMES if name in result.versions), "–")
    return f"| {' | '.join((result.race, framework, *_comparison_cells(result), *_limit_cells(result)))} |"


def _comparison_cells(result: RaceResult) -> tuple[str, ...]:
    best = result.headline()
    baseline = None if best is None else result.point(result.baseline, best.size)
    if best is None or baseline is None:
        return ("–",) * 4
    return (
        f"{best.size:,}",
        f"{result.baseline}: {describe_point(baseline)}",
        f"{best.contender}: {describe_point(best)}",
        str(best.ratio),
    )


def _limit_cells(result: RaceResult) -> tuple[str, ...]:
    nearest = result.nearest_to_limit()
    share = None if nearest is None else result.share(nearest)
    if nearest is None or share is None:
        return ("–",) * 3
    bound = result.bounds[nearest.size]
    return (
        f"{nearest.size:,}",
        f"{nearest.contender}: {describe_point(nearest)}",
        f"{bound.approx}{format_percent(share)} ({bound.binding})",
    )
