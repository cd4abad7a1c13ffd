"""A race as the data of its chart on the web: its points in words and numbers, on every machine that has run it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from course_utils.core.wording import format_duration
from course_utils.races import Point, RaceResult, describe_point, recordings
from course_utils.races.finding import finding
from course_utils.ui import race_chart
from course_utils.ui.theme import css_variable

_SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "wedge")
"""Vega's names of shapes, in the order of ``theme.MARKERS``."""


def script(shown: RaceResult, recorded: Sequence[RaceResult]) -> str:
    """Return the data as an HTML element that the page's script reads.

    Args:
        shown: the result that the chart shows first.
        recorded: the recordings of the same race, from which the reader can choose.
    """
    results = [(_machine(shown), shown)]
    results += [(f"{_machine(each)}, recorded {each.date}", each) for each in recorded if each != shown]
    data = {"race": shown.race, "results": [_result_data(label, each) for label, each in results]}
    # A contender's name may contain "</script>", which would end the element.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f'<script type="application/json">{text}</script>'


def recordings_of(race: str) -> list[RaceResult]:
    """Return the recordings of a race on all machines, newest first."""
    return sorted((each for each in recordings.load() if each.race == race), key=lambda each: each.date, reverse=True)


def _machine(result: RaceResult) -> str:
    return f"{result.machine} · {result.device}"


def _result_data(label: str, result: RaceResult) -> dict[str, Any]:
    return {
        "label": label,
        "finding": finding(result),
        "alt": race_chart.alternative_text(result),
        "signature": result.signature(),
        "axis": result.axis,
        "sizes": result.sizes,
        "contenders": [_contender_data(result, name) for name in result.contenders],
        "points": [_point_data(result, point) for point in result.points],
        "limit": [
            {
                "size": size,
                "s": _short(bound.seconds),
                "words": f"{bound.approx}{format_duration(bound.seconds)}, {bound.binding}",
            }
            for size, bound in sorted(result.bounds.items())
        ],
    }


def _contender_data(result: RaceResult, name: str) -> dict[str, str]:
    color = css_variable(race_chart.color_of(result, name)).removeprefix("var(").removesuffix(")")
    return {"name": name, "color": color, "shape": _SHAPES[result.contenders.index(name) % len(_SHAPES)]}


def _point_data(result: RaceResult, point: Point) -> dict[str, Any]:
    data: dict[str, Any] = {"name": point.contender, "size": point.size, "words": describe_point(point)}
    if point.status in ("measured", "extrapolated"):
        data |= {
            "s": _short(point.seconds),
            "low": _short(point.low),
            "high": _short(point.high),
            "status": point.status,
        }
    details = "; ".join(_details(result, point))
    return data | ({"details": details} if details else {})


def _short(seconds: float | None) -> float | None:
    """Return the seconds rounded to four digits: a chart shows no more, and a lesson has hundreds of points."""
    return None if seconds is None else float(f"{seconds:.4g}")


def _details(result: RaceResult, point: Point) -> Iterator[str]:
    """Yield the point's quartiles, and its ratio with the baseline."""
    if point.low is not None and point.high is not None:
        yield f"half of the calls took {format_duration(point.low)} to {format_duration(point.high)}"
    if point.ratio is not None and point.contender != result.baseline:
        yield f"{point.ratio} as fast as {result.baseline!r}"
    if point.status == "extrapolated":
        yield "extrapolated, not measured"
