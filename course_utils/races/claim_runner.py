"""Tests claims: ``python -m course_utils.races.claim_runner FRAMEWORK`` answers with one ``Evidence`` per line.

Each framework gets a process of its own, because measurements are unreliable in a process that has loaded both.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from threading import Timer
from time import perf_counter
from typing import Any

from course_utils import frameworks
from course_utils.core.measurement_budgets import FIRST_LOOK_S
from course_utils.core.plain_data import from_data, to_data
from course_utils.core.processes import ChildProcess, ChildProcessFailed, start_answering
from course_utils.core.wording import format_ratio
from course_utils.frameworks import across_frameworks
from course_utils.races import claims
from course_utils.races.claims import Claim, Evidence
from course_utils.races.lesson_runner import execute_cell, mute_apparatus

BUDGET_S = FIRST_LOOK_S / 4
LIMIT_S = 45 * FIRST_LOOK_S
_BUDGETS = 1, 3, 8  # An undecided race runs again, with the next of these multiples of its budget.
_LINES = 4  # The most printed lines that a table shows.


def check_claims(budget_s: float = BUDGET_S, limit_s: float = LIMIT_S) -> Iterator[Evidence]:
    """Test all claims on this machine's CPU, and yield the evidence for each claim as soon as it is available.

    Args:
        budget_s: seconds for each race; this does not limit code that only prints.
        limit_s: seconds for all tests; each framework gets a share in proportion to its claims, and the time that the
            earlier one left.
    """
    left_s, to_test = limit_s, len(claims.load_claims())
    for framework in frameworks.NAMES:
        of_framework = [each for each in claims.load_claims() if each.framework == framework]
        if framework not in frameworks.installed_versions():
            reason = f"{frameworks.by_name(framework).title} isn't installed: pip install {framework}"
            yield from (Evidence(each.id, "not run", reason) for each in of_framework)
        elif of_framework:
            start = perf_counter()
            yield from _check_in_child(framework, of_framework, budget_s, left_s * len(of_framework) / to_test)
            left_s -= perf_counter() - start
        to_test -= len(of_framework)


def _check_in_child(framework: str, of_framework: list[Claim], budget_s: float, limit_s: float) -> Iterator[Evidence]:
    tested = set()
    with ChildProcess(["-m", __name__, framework, "--budget", str(budget_s)]) as child:
        timer = Timer(limit_s, child.kill)
        timer.start()
        try:
            for answer in child.answers():
                evidence = from_data(Evidence, answer)
                tested.add(evidence.claim)
                yield evidence
        except ChildProcessFailed as failed:
            late = f"not tested within {limit_s:.0f} s; call fact_check with a larger limit_s"
            reason = late if timer.finished.is_set() else f"the process stopped: {failed.last_line or 'no message'}"
            yield from (Evidence(each.id, "not run", reason) for each in of_framework if each.id not in tested)
        finally:
            timer.cancel()


def check_claims_here(framework: str, budget_s: float) -> Iterator[Evidence]:
    """Yield the evidence for each claim of a framework, measured in this process with one thread per operation."""
    importlib.import_module(framework)
    # TensorFlow accepts no other number of threads after its first operation.
    with across_frameworks.threads(1):
        for claim in claims.load_claims():
            if claim.framework == framework:
                yield check_claim(claim, budget_s)


def check_claim(claim: Claim, budget_s: float) -> Evidence:
    """Return the evidence for one claim, measured in this process."""
    printed, namespace = io.StringIO(), {"__name__": "__main__"}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            execute_cell(claim.setup, f"<{claim.lesson}: before {claim.cell}>", namespace)
        with contextlib.redirect_stdout(printed):
            last = execute_cell(claim.code, f"<{claim.lesson}: {claim.cell}>", namespace)
        lines = printed.getvalue().strip().splitlines()
        shown = "\n".join([*lines[:_LINES], "…"] if len(lines) > _LINES else lines)
        same = printed.getvalue().split() == claim.prints.split()
        if claim.race is None or not same:
            return Evidence(claim.id, "agrees" if same else "disagrees", shown)
        raced = _race(claim, claim.race, last, budget_s)
        return replace(raced, shows=f"{shown}\n{raced.shows}".lstrip())
    except Exception as error:  # noqa: BLE001 - the code of a lesson, on any machine
        return Evidence(claim.id, "not run", f"{type(error).__name__}: {error}")


def _race(claim: Claim, order: claims.Race, race: Any, budget_s: float) -> Evidence:
    pair = {name: race.contenders[name] for name in (order.rival, order.contender)}
    duel = replace(race, contenders=pair, baseline=order.rival, sizes=(order.at,), about="", memory=None)
    for budget in (times * budget_s for times in _BUDGETS):
        point = duel.run(budget_s=budget).point(order.contender, order.at)
        if point is not None and point.verdict != "unclear":
            break
    heading = f"{order.contender} / {order.rival} at {order.axis} = {order.at:,}"
    if point is None or point.ratio is None or point.ratio.low is None or point.ratio.high is None:
        return Evidence(claim.id, "unclear", f"{heading}: too few rounds in {budget:g} s")
    ratio = point.ratio
    figure = f"{format_ratio(ratio.value)} as fast [{format_ratio(ratio.low)}, {format_ratio(ratio.high)}]"
    outcome = {"faster": "agrees", "slower": "disagrees"}.get(point.verdict, "unclear")
    return Evidence(claim.id, outcome, f"{heading}: {figure}")


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("framework", choices=frameworks.NAMES)
    parser.add_argument("--budget", type=float, default=BUDGET_S)
    arguments = parser.parse_args()
    mute_apparatus()
    answer = start_answering()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # Some tests write files.
        for evidence in check_claims_here(arguments.framework, arguments.budget):
            answer(to_data(evidence))
        os.chdir("/")


if __name__ == "__main__":
    _main()
