"""``RaceResult``: the measurements of a race, where and when they were made, as plain data, with methods that evaluate
them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from course_utils import frameworks
from course_utils.core.errors import CourseError
from course_utils.core.plain_data import from_data, to_data
from course_utils.core.wording import pluralize
from course_utils.limits import Bound
from course_utils.races import ranking
from course_utils.races.point import Point

_TIMED = ("measured", "extrapolated")
_LIMIT_MARGIN = 1.05  # A point below this share of its limit does not show that the limit is wrong.


class NotInTheRace(CourseError):
    """A race was asked about a size or a contender that it does not have."""


@dataclass(frozen=True)
class RaceResult:
    """The measurements of a race: everything that a chart, a table or a recording shows.

    Attributes:
        race: the race's name.
        baseline: the contender that ratios are relative to.
        axis: what the sizes count.
        bounds: size → the least time that the machine's limits allow, if the race has a cost and limits are known.
        versions: library → version.
        date: ISO date of the run.
        stall_share: largest share of timed blocks that the machine delayed, over all sizes.
        about: the contender that the race's question is about, "" if the question is which one is the fastest.
        driver: version of the accelerator's driver, "" if there is none.
        host: the processor of an accelerator's machine, "" if the race ran on the CPU.
        memory: bytes that one call may have alive at one time, None if the race has no memory budget.
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
        """Return the point of ``contender`` at ``size``, None if the race has not reached it."""
        return next((each for each in self.points if (each.contender, each.size) == (contender, size)), None)

    def seconds(self, contender: str, size: int) -> float:
        """Return the seconds per call of ``contender`` at ``size``; NaN if they were not measured there."""
        point = self.point(contender, size)
        return point.seconds if point and point.status == "measured" and point.seconds else math.nan

    def timed(self, contender: str) -> list[Point]:
        """Return the points of ``contender`` that have a time, measured or extrapolated, by size."""
        timed = [each for each in self.points if each.contender == contender and each.status in _TIMED]
        return sorted(timed, key=lambda point: point.size)

    def headline(self, at: int | None = None) -> Point | None:
        """Return the point that answers the race's question; None if no point with an interval does.

        If the race is about one contender, this is the point at which it is slowest relative to the baseline, or its
        point at the largest size if it is nowhere clearly slower. Otherwise, it is the fastest contender's point at the
        largest size. Sizes at which a contender without an interval seems to be the fastest are left out.

        Args:
            at: the only size to look at; all sizes unless given.
        """
        rivals = [each for each in self.points if each.contender != self.baseline and at in (None, each.size)]
        compared = [(each.size, each.ratio.value, each) for each in rivals if each.ratio and each.ratio.low is not None]
        of_about = [each for each in compared if each[-1].contender == self.about]
        slower = [each for each in of_about if each[-1].verdict == "slower" and not ranking.is_tie(each[1])]
        if slower:
            return min(slower, key=itemgetter(1))[-1]
        leading = [each for each in compared if not _is_behind(each[-1], rivals)]
        return max(of_about or leading, key=itemgetter(0, 1), default=(0, 0.0, None))[-1]

    def fastest(self, at: int, among: tuple[str, ...] = (), tie: str | None = None) -> str | None:
        """Return the contender that is certainly the fastest at the size ``at``; None if the run doesn't decide.

        Args:
            at: one of the race's sizes.
            among: the contenders to choose from, all of them unless given.
            tie: the answer if the two fastest are within a quarter of each other, as in ``tie="about the same"``.

        Raises:
            NotInTheRace: for a size or a contender that the race does not have.
        """
        self._require("size", at, self.sizes)
        for name in among:
            self._require("contender", name, self.contenders)
        among = among or self.contenders
        points = [each for each in self.points if each.size == at and each.contender in among]
        return ranking.fastest(points, tie) if len(points) == len(among) else None  # A stopped run lacks some.

    def _require(self, what: str, wanted: object, known: tuple) -> None:
        if wanted not in known:
            raise NotInTheRace(f"The race {self.race!r} has no {what} {wanted!r}; choose one of {known}.")

    def share(self, point: Point) -> float | None:
        """Return the share of the limit that ``point`` reaches, 1.0 at the limit; None if no limit is known."""
        bound = self.bounds.get(point.size)
        if bound is None or point.status != "measured" or not point.seconds:
            return None
        return bound.seconds / point.seconds

    def beats_limit(self, point: Point) -> bool:
        """Return whether ``point`` is clearly faster than its limit, which was then measured too low."""
        share = self.share(point)
        return share is not None and share > _LIMIT_MARGIN

    def nearest_to_limit(self) -> Point | None:
        """Return the fastest measured point at the largest size that has a limit."""
        points = [(each.size, share, each) for each in self.points if (share := self.share(each)) is not None]
        return max(points, key=itemgetter(0, 1), default=(0, 0.0, None))[-1]

    def signature(self) -> str:
        """Return machine, device, threads on a CPU, the frameworks' versions and date, as the race's chart shows them."""
        place = [f"cpu, {pluralize(self.threads, 'thread')}"]
        if self.device != "cpu":
            place = [self.device, self.host and f"with {self.host}", self.driver and f"driver {self.driver}"]
        libraries = [f"{name} {number}" for name, number in self.versions.items() if name in frameworks.NAMES]
        return " · ".join(filter(None, [self.machine, *place, *libraries, self.date]))

    def to_json(self) -> str:
        """Return the whole result as a JSON object."""
        return json.dumps(to_data(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> RaceResult:
        """Return the result that ``to_json`` wrote.

        Raises:
            ValueError: for text that is not such a result.
        """
        return from_data(cls, json.loads(text))


def _is_behind(point: Point, rivals: Sequence[Point]) -> bool:
    """Return whether a rival that ran too few times for an interval seems faster than ``point`` at its size."""
    unsure = [each.ratio for each in rivals if each.size == point.size and each.status == "measured" and each.ratio]
    ratios = [each.value for each in unsure if each.low is None]
    return point.ratio is not None and any(
        ratio > point.ratio.value and not ranking.is_tie(ratio / point.ratio.value) for ratio in ratios
    )
