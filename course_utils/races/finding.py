"""Sentences about a race's result: what it shows, how near the limit it comes, and the text that never varies."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from course_utils.core.wording import format_bytes, format_percent, format_ratio
from course_utils.limits.bounds import LAUNCHES, STEPS
from course_utils.races.point import Point
from course_utils.races.ranking import TIE_WORDS, is_tie
from course_utils.races.result import RaceResult
from course_utils.timing import Ratio

_NO_RATES = (LAUNCHES, STEPS)  # limits of which a share would say little: a version takes a multiple of their time


def finding(result: RaceResult) -> str:
    """Return the sentence that says what the race shows, with its figures."""
    wrong = [f"{name!r} is wrong {sizes}" for name, sizes in _wrong_contenders(result)]
    best = result.headline()
    if best is None:
        return "; ".join(wrong) + "." if wrong else _no_finding(result)
    nearest = result.nearest_to_limit()
    limit = "" if nearest is None else distance_to_limit(result, nearest)
    outcome = _outcome(result, best)
    if nearest is not None and nearest == best and _is_faster(best):
        outcome, limit = f"{outcome} and {limit}", ""
    parts = [*wrong, outcome, *_peaks(result, best)]
    if nearest is not None and limit:
        parts.append(f"at n = {nearest.size:,} {nearest.contender!r} {limit}")
    sentence = "; ".join(parts) + "."
    return sentence[0].upper() + sentence[1:]


def distance_to_limit(result: RaceResult, point: Point) -> str:
    """Return how near ``point`` comes to the limit, as a phrase: a share of it, or a multiple if calls or dependent
    steps are the limit, or if the point beats it. The limit counts the least work; a version may do more work than that.
    """
    share, bound = result.share(point), result.bounds.get(point.size)
    if share is None or bound is None:
        return "has no limit here"
    if result.beats_limit(point):
        return f"is {bound.approx}{format_ratio(share)} as fast as the measured {bound.binding} allows"
    if bound.binding in _NO_RATES:
        return f"takes {bound.approx}{format_ratio(1 / share)} as long as the limit ({bound.binding})"
    return f"reaches {bound.approx}{format_percent(share)} of the limit ({bound.binding})"


def steady_text(result: RaceResult) -> str:
    """Return contenders, sizes and whether the results agree, as text that is the same in every run."""
    lines = [f"Race {result.race}: {' · '.join(result.contenders)}, n = {result.sizes[0]:,} to {result.sizes[-1]:,}"]
    failures = dict.fromkeys(
        (each.contender, each.status) for each in result.points if each.status in ("wrong", "failed")
    )
    lines += [f"{contender}: {status}" for contender, status in failures]
    if not failures:
        ran = any(each.status == "measured" for each in result.points)
        lines.append("all results agree" if ran else "nothing could be run")
    return "\n".join(lines)


def _wrong_contenders(result: RaceResult) -> Iterator[tuple[str, str]]:
    """Yield each contender whose result differs from the baseline's, and the sizes as a phrase."""
    for name in result.contenders:
        wrong = [each.size for each in result.points if (each.contender, each.status) == (name, "wrong")]
        reached = [each.size for each in result.points if each.contender == name]
        if wrong:
            yield name, f"at n = {wrong[0]:,}" + (" and above" if wrong[-1] == reached[-1] != wrong[0] else "")


def _peaks(result: RaceResult, best: Point) -> Iterator[str]:
    """Yield the peak memory of ``best`` and of the baseline, if both were counted."""
    baseline = result.point(result.baseline, best.size)
    if baseline and best.peak is not None and baseline.peak is not None:
        peaks = format_bytes(best.peak), format_bytes(baseline.peak)
        yield f"{best.contender!r} has at most {peaks[0]} alive, {result.baseline!r} {peaks[1]}"


def _no_finding(result: RaceResult) -> str:
    if result.cancelled:
        return "Stopped before anything could be compared."
    if any(each.ratio is not None and each.contender != result.baseline for each in result.points):
        return "Too few runs for a comparison in the time available; press Run while few other programs run."
    return "Nothing could be compared."


def _is_faster(best: Point) -> bool:
    """Return whether the outcome names one faster contender, as the subject of a sentence that can continue."""
    return best.verdict == "faster" and best.ratio is not None and not is_tie(best.ratio.value)


def _outcome(result: RaceResult, best: Point) -> str:
    names, size, ratio = (best.contender, result.baseline), f"at n = {best.size:,}", best.ratio
    if ratio is None or best.verdict == "unclear":
        return f"it is unclear whether {names[0]!r} or {names[1]!r} is faster {size}: the first is {ratio} as fast"
    if best.verdict == "same" or is_tie(ratio.value):
        same = f"{names[0]!r} and {names[1]!r} are about the same ({TIE_WORDS}) {size}: the first is {ratio} as fast"
        return same + _faster_elsewhere(result, best, "but")
    if best.verdict == "faster":
        return f"{names[0]!r} is {ratio} as fast as {names[1]!r} {size}"
    return (
        f"{names[0]!r} takes {inverse(ratio)} as long as {names[1]!r} {size}{_faster_elsewhere(result, best, 'but is')}"
    )


def inverse(ratio: Ratio) -> Ratio:
    """Return the reciprocal: how many times as long instead of how many times as fast."""
    low, high = (None if each is None else 1 / each for each in (ratio.high, ratio.low))
    return Ratio(1 / ratio.value, low, high)


def _faster_elsewhere(result: RaceResult, slow: Point, joined: str) -> str:
    """Return where a contender that is not faster at ``slow`` is fastest, as the end of a sentence that ``joined`` joins
    on; '' if it is nowhere faster.
    """
    faster = [
        (each.ratio.value, each)
        for each in result.points
        if each.contender == slow.contender and each.verdict == "faster" and each.ratio and not is_tie(each.ratio.value)
    ]
    if not faster:
        return ""
    best = max(faster, key=itemgetter(0))[1]
    return f", {joined} {best.ratio} as fast at n = {best.size:,}"
