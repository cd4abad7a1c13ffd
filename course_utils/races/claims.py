"""``Claim``: a statement that circulates, the course's verdict on it, and the code that tests it on a machine.

``claims.json`` holds all claims. It is generated from the lessons, so that the fact check also works without them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from course_utils.core.plain_data import from_data
from course_utils.races import recordings

FILE = Path(__file__).with_name("claims.json")
VERDICTS = ("right", "right with a footnote", "too strong", "wrong", "does not run")


@dataclass(frozen=True)
class Race:
    """Two contenders of a race at one size.

    Attributes:
        id: the race's name.
        contender: the contender that should be faster than ``rival``.
        at: one of the race's sizes.
        axis: what the size counts.
    """

    id: str
    contender: str
    rival: str
    at: int
    axis: str = "n"


@dataclass(frozen=True)
class Claim:
    """A statement, and its test.

    Attributes:
        id: of the form ``S<question>.<number>``.
        text: the statement, in the course's words.
        verdict: one of ``VERDICTS``.
        reason: the lesson's sentence after its verdict.
        lesson: the notebook's name without its suffix.
        cell: the id of the cell that tests the claim.
        framework: the framework of the lesson.
        setup: what the test needs from the lesson's earlier cells.
        code: the test; it prints the result, or its last line is a race, or both.
        prints: what the code prints on every machine if the verdict is true; "" if only ``race`` decides.
        race: the contenders whose order decides.
    """

    id: str
    text: str
    verdict: str
    reason: str
    lesson: str
    cell: str
    framework: str
    setup: str
    code: str
    prints: str = ""
    race: Race | None = None


@dataclass(frozen=True)
class Evidence:
    """What the test of a claim showed on one machine.

    Attributes:
        claim: the claim's id.
        outcome: ``agrees`` or ``disagrees`` with the course's verdict; ``unclear`` if the times don't decide; ``not run``.
        shows: the figure or the printed lines, or why the test was not run.
    """

    claim: str
    outcome: str
    shows: str


@lru_cache
def load_claims() -> tuple[Claim, ...]:
    """Return all claims of the course, by id."""
    return tuple(from_data(Claim, each) for each in json.loads(FILE.read_text(encoding="utf-8")))


@dataclass(frozen=True)
class RecordedOrder:
    """Which of a claim's two contenders was faster on a recorded machine, at each size of the race.

    Attributes:
        claim: the claim's id.
        machine: the machine's name.
        fastest: size → the faster contender, ``about the same``, or None if the recorded times don't decide.
    """

    claim: str
    machine: str
    fastest: dict[int, str | None]


def recorded_orders() -> list[RecordedOrder]:
    """Return the recorded orders of all claims that a race decides, by claim, for each machine's CPU."""
    results = [each for each in recordings.load() if each.device == "cpu"]
    return [
        RecordedOrder(
            claim.id,
            result.machine,
            {
                size: result.fastest(size, (claim.race.contender, claim.race.rival), "about the same")
                for size in result.sizes
            },
        )
        for claim in load_claims()
        if claim.race is not None
        for result in results
        if result.race == claim.race.id
    ]
