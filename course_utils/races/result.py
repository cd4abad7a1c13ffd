"""``RaceResult``: what a race found, where and when, as plain data. It runs nothing and draws nothing."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter

from course_utils import frameworks
from course_utils.core.errors import CourseError
from course_utils.core.wording import format_bytes, format_duration, format_percent, pluralize, significant
from course_utils.limits import Bound
from course_utils.races import ranking
from course_utils.timing import Ratio

_TIMED = ("measured", "extrapolated")


class NotInTheRace(CourseError):
    """A size or a contender was asked about that the race does not have."""


@dataclass(frozen=True)
class Point:
    """One contender at one size.

    Attributes:
        status: ``measured``; ``extrapolated`` (it would have taken too long: ``seconds`` is a prediction); ``wrong`` (its
            result differs); ``failed``; ``memory`` (ran out of it); ``too large`` (it would hold more memory than the race
            allows); ``skipped`` (the race ended before, or one measured size does not tell what it would take).
        seconds, low, high: median and quartiles per call, in seconds.
        ratio: how many times faster than the baseline at this size, where both were measured.
        samples: seconds per call, one a round, as measured.
        note: a sentence about anything but ``measured``.
        peak: bytes of new tensors alive at one time in one call, where that is counted; a prediction where it did not run.
    """

    size: int
    contender: str
    status: str
    seconds: float | None = None
    low: float | None = None
    high: float | None = None
    ratio: Ratio | None = None
    verdict: str = "unclear"
    rounds: int = 0
    first_call_s: float | None = None
    samples: tuple[float, ...] = ()
    note: str = ""
    peak: int | None = None


@dataclass(frozen=True)
class RaceResult:
    """What a race found, where and when: everything that a chart, a table or a recording shows.

    Attributes:
        axis: what the sizes count.
        bounds: size → the least time that the machine's limits allow, where the race has a cost and limits are known.
        versions: library → version.
        date: ISO date of the run.
        about: the contender that the race's question is about, "" where it asks which is the fastest.
        driver: the version of an accelerator's driver, "" where none is known.
        host: the processor that an accelerator is driven by, "" where the race ran on the CPU.
        memory: bytes that one call may have alive at one time, None where the race does not look at memory.
    """

    race: str
    baseline: str
    contenders: tuple[str, ...]
    sizes: tuple[int, ...]
    points: tuple[Point, ...]
    device: str
    machine: str
    threads: int
    versions: Mapping[str, str]
    date: str
    axis: str = "size n"
    bounds: Mapping[int, Bound] = field(default_factory=dict)
    stall_share: float = 0.0
    cancelled: bool = False
    about: str = ""
    driver: str = ""
    host: str = ""
    memory: int | None = None

    def point(self, contender: str, size: int) -> Point | None:
        """The point of ``contender`` at ``size``, None where the race has not got there."""
        return next((each for each in self.points if (each.contender, each.size) == (contender, size)), None)

    def timed(self, contender: str) -> list[Point]:
        """The points of ``contender`` that have a time, measured or extrapolated, by size."""
        timed = [each for each in self.points if each.contender == contender and each.status in _TIMED]
        return sorted(timed, key=lambda point: point.size)

    def headline(self, at: int | None = None) -> Point | None:
        """The point that answers the race's question, None where no interval does.

        Where the race is about one contender, the size at which that loses most, or its largest size where it nowhere
        loses; else the fastest contender at the largest size. Both against the baseline, and both at the size ``at``
        alone where one is given.
        """
        rivals = [each for each in self.points if each.contender != self.baseline and at in (None, each.size)]
        told = [(each.size, each.ratio.value, each) for each in rivals if each.ratio and each.ratio.low is not None]
        asked = [each for each in told if each[-1].contender == self.about]
        lost = [each for each in asked if each[-1].verdict == "slower"]
        if lost:
            return min(lost, key=itemgetter(1))[-1]
        return max(asked or told, key=itemgetter(0, 1), default=(0, 0.0, None))[-1]

    def fastest(self, at: int, among: tuple[str, ...] = (), tie: str | None = None) -> str | None:
        """The contender that is surely the fastest at the size ``at``; None where the intervals do not tell.

        Args:
            at: one of the race's sizes.
            among: the contenders to choose from, all of them unless given.
            tie: the answer where the two fastest are within a quarter of each other, as in ``tie="about the same"``.

        Raises:
            NotInTheRace: for a size or a contender that the race does not have.
        """
        self._require("size", at, self.sizes)
        for name in among:
            self._require("contender", name, self.contenders)
        there = [each for each in self.points if each.size == at and each.contender in (among or self.contenders)]
        return ranking.fastest(there, tie)

    def _require(self, what: str, wanted: object, known: tuple) -> None:
        if wanted not in known:
            raise NotInTheRace(f"The race {self.race!r} has no {what} {wanted!r}; choose one of {known}.")

    def share(self, point: Point) -> float | None:
        """The share of the limit that ``point`` reaches, 1.0 being the limit; None where no limit is known."""
        bound = self.bounds.get(point.size)
        if bound is None or point.status != "measured" or not point.seconds:
            return None
        return bound.seconds / point.seconds

    def nearest_to_limit(self) -> Point | None:
        """The fastest measured point at the largest size that has a limit."""
        timed = [(each.size, share, each) for each in self.points if (share := self.share(each)) is not None]
        return max(timed, key=itemgetter(0, 1), default=(0, 0.0, None))[-1]

    def finding(self) -> str:
        """The sentence that says what was found, with its figures."""
        wrong = [f"{name!r} is wrong {where}" for name, where in self._wrong()]
        best = self.headline()
        if best is None:
            return "; ".join(wrong) + "." if wrong else self._no_finding()
        told = [*wrong, _outcome(best, self.baseline) + self._won_elsewhere(best), *self._held(best)]
        near = self.nearest_to_limit()
        if near is not None:
            told.append(f"at n = {near.size:,} {near.contender!r} {self.against_limit(near)}")
        return "; ".join(told) + "."

    def _wrong(self) -> Iterator[tuple[str, str]]:
        """Each contender that returned something else than the baseline, and where."""
        for name in self.contenders:
            there = [each.size for each in self.points if (each.contender, each.status) == (name, "wrong")]
            reached = [each.size for each in self.points if each.contender == name]
            if there:
                yield name, f"at n = {there[0]:,}" + (" and above" if there[-1] == reached[-1] != there[0] else "")

    def _held(self, best: Point) -> Iterator[str]:
        """What ``best`` and the baseline hold in memory, where that was counted."""
        baseline = self.point(self.baseline, best.size)
        if baseline and best.peak is not None and baseline.peak is not None:
            peaks = format_bytes(best.peak), format_bytes(baseline.peak)
            yield f"at its peak it holds {peaks[0]}, {self.baseline!r} {peaks[1]}"

    def _won_elsewhere(self, best: Point) -> str:
        """Where a contender that loses at ``best`` wins after all, as the end of a sentence."""
        if best.verdict != "slower":
            return ""
        won = [each.size for each in self.points if each.contender == best.contender and each.verdict == "faster"]
        return f", and wins from n = {min(won):,} on" if won and min(won) > best.size else ""

    def _no_finding(self) -> str:
        if self.cancelled:
            return "Stopped before anything could be compared."
        if any(each.ratio is not None and each.contender != self.baseline for each in self.points):
            return "Too few runs for a comparison in the time that there was."
        return "Nothing could be compared."

    def against_limit(self, point: Point) -> str:
        """How near ``point`` comes to the limit, as a phrase: a share, or where calls are the limit, their multiple."""
        share, bound = self.share(point), self.bounds.get(point.size)
        if share is None or bound is None:
            return "has no limit here"
        if bound.binding == "launch cost":
            return f"takes {bound.mark}{significant(1 / share)} times as long as its calls must cost"
        return f"reaches {bound.mark}{format_percent(share)} of the machine's {bound.binding}"

    def steady_text(self) -> str:
        """What never varies from run to run: who raced, over which sizes, and whether the results agree."""
        lines = [f"Race {self.race}: {' · '.join(self.contenders)}, n = {self.sizes[0]:,} to {self.sizes[-1]:,}"]
        out = dict.fromkeys((each.contender, each.status) for each in self.points if each.status in ("wrong", "failed"))
        lines += [f"{contender}: {status}" for contender, status in out]
        if not out:
            ran = any(each.status == "measured" for each in self.points)
            lines.append("all results agree" if ran else "nothing could be run")
        return "\n".join(lines)

    def signature(self) -> str:
        """Machine, device, threads, versions and date, as every chart carries them."""
        place = [f"cpu, {pluralize(self.threads, 'thread')}"]
        if self.device != "cpu":
            place = [self.device, self.host and f"with {self.host}", self.driver and f"driver {self.driver}"]
        libraries = [f"{name} {number}" for name, number in self.versions.items() if name in frameworks.NAMES]
        return " · ".join(filter(None, [self.machine, *place, *libraries, self.date]))

    def to_json(self) -> str:
        """The whole result as a JSON object."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> RaceResult:
        """The result that ``to_json`` wrote.

        Raises:
            ValueError, TypeError, KeyError, AttributeError: for text that is no such result.
        """
        data = json.loads(text)
        points = tuple(
            Point(**{**each, "ratio": each["ratio"] and Ratio(**each["ratio"]), "samples": tuple(each["samples"])})
            for each in data.pop("points")
        )
        bounds = {int(size): Bound(**bound) for size, bound in data.pop("bounds").items()}
        contenders, sizes = tuple(data.pop("contenders")), tuple(data.pop("sizes"))
        return cls(points=points, bounds=bounds, contenders=contenders, sizes=sizes, **data)


def _outcome(best: Point, baseline: str) -> str:
    where = f"at n = {best.size:,}"
    if best.verdict == "faster":
        return f"{best.contender!r} is {best.ratio} as fast as {baseline!r} {where}"
    if best.verdict == "slower":
        return f"{best.contender!r} loses to {baseline!r}: {best.ratio} as fast {where}"
    if best.verdict == "same":
        return f"{best.contender!r} and {baseline!r} are equally fast {where}"
    return f"{best.contender!r} against {baseline!r} is too close to call {where}: {best.ratio}"


def describe_point(point: Point) -> str:
    """A point's time per call for a table: ``"12.3 µs"``, a prediction marked ``"≈ 3.1 s"``, or why there is none."""
    if point.seconds is None:
        return point.status
    return ("≈ " if point.status == "extrapolated" else "") + format_duration(point.seconds)
