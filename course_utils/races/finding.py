"""Sentences about a race's result: what it shows, how near the limit it comes, and the text that never varies."""

from __future__ import annotations

from collections.abc import Iterator

from course_utils.core.wording import format_bytes, format_percent, format_ratio
from course_utils.races.point import Point
from course_utils.races.result import RaceResult


def finding(result: RaceResult) -> str:
    """The sentence that says what the race shows, with its figures."""
    wrong = [f"{name!r} is wrong {sizes}" for name, sizes in _wrong_contenders(result)]
    best = result.headline()
    if best is None:
        return "; ".join(wrong) + "." if wrong else _no_finding(result)
    parts = [*wrong, _outcome(best, result.baseline) + _faster_later(result, best), *_peaks(result, best)]
    nearest = result.nearest_to_limit()
    if nearest is not None:
        parts.append(f"at n = {nearest.size:,} {nearest.contender!r} {distance_to_limit(result, nearest)}")
    return "; ".join(parts) + "."


def distance_to_limit(result: RaceResult, point: Point) -> str:
    """How near ``point`` comes to the limit, as a phrase: a share of it, or if calls are the limit, a multiple."""
    share, bound = result.share(point), result.bounds.get(point.size)
    if share is None or bound is None:
        return "has no limit here"
    if bound.binding == "launch cost":
        return f"takes {bound.approx}{format_ratio(1 / share)} the least time that its calls need"
    return f"reaches {bound.approx}{format_percent(share)} of the machine's {bound.binding}"


def steady_text(result: RaceResult) -> str:
    """Contenders, sizes and whether the results agree: text that is the same in every run."""
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
    """Each contender whose result differs from the baseline's, and the sizes as a phrase."""
    for name in result.contenders:
        wrong = [each.size for each in result.points if (each.contender, each.status) == (name, "wrong")]
        reached = [each.size for each in result.points if each.contender == name]
        if wrong:
            yield name, f"at n = {wrong[0]:,}" + (" and above" if wrong[-1] == reached[-1] != wrong[0] else "")


def _peaks(result: RaceResult, best: Point) -> Iterator[str]:
    """The peak memory of ``best`` and of the baseline, if both were counted."""
    baseline = result.point(result.baseline, best.size)
    if baseline and best.peak is not None and baseline.peak is not None:
        peaks = format_bytes(best.peak), format_bytes(baseline.peak)
        yield f"{best.contender!r} has at most {peaks[0]} alive, {result.baseline!r} {peaks[1]}"


def _faster_later(result: RaceResult, best: Point) -> str:
    """From which larger size on a contender that is slower at ``best`` is faster, as the end of a sentence; else ''."""
    if best.verdict != "slower":
        return ""
    faster = [each.size for each in result.points if each.contender == best.contender and each.verdict == "faster"]
    return f", and is faster from n = {min(faster):,} on" if faster and min(faster) > best.size else ""


def _no_finding(result: RaceResult) -> str:
    if result.cancelled:
        return "Stopped before anything could be compared."
    if any(each.ratio is not None and each.contender != result.baseline for each in result.points):
        return "Too few runs for a comparison in the time available."
    return "Nothing could be compared."


def _outcome(best: Point, baseline: str) -> str:
    size = f"at n = {best.size:,}"
    if best.verdict == "faster":
        return f"{best.contender!r} is {best.ratio} as fast as {baseline!r} {size}"
    if best.verdict == "slower":
        return f"{best.contender!r} is slower than {baseline!r}: {best.ratio} as fast {size}"
    if best.verdict == "same":
        return f"{best.contender!r} and {baseline!r} are equally fast {size}"
    return f"{best.contender!r} and {baseline!r} are too close to call {size}: {best.ratio}"
