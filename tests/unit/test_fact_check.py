"""The fact check runs the test of each claim, and shows whether this machine agrees with the course's verdict."""

import re
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from course_utils import CourseError, fact_check, frameworks, race
from course_utils.authoring import claims
from course_utils.frameworks import across_frameworks
from course_utils.races import Race, claim_runner
from course_utils.races.claims import load_claims
from course_utils.ui.fact_check_view import FactCheck, facts_html

pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = {claim.id: claim for claim in load_claims()}
PRINTED, RACED = CLAIMS["S2.4"], CLAIMS["S0.6"]
RACE = """from course_utils import race
race("undecided", {"one": abs, "two": abs}, lambda n, device: (n,), [1])"""


def test_each_claim_of_the_five_questions_is_tested_once():
    numbers = {question: range(1, last + 1) for question, last in enumerate((8, 9, 9, 7, 6))}
    expected = [f"S{question}.{number}" for question in numbers for number in numbers[question]]
    assert [claim.id for claim in load_claims()] == expected


@pytest.mark.slow
def test_claims_are_quoted_as_the_lessons_state_them():
    assert list(load_claims()) == claims.collect(ROOT)  # `make readme` writes the claims' file.


def test_each_reason_is_complete():
    assert not [claim.id for claim in load_claims() if not claim.reason.endswith((".", ")"))]


def outcome(claim):
    return claim_runner.check_claim(claim, budget_s=1.0).outcome


def test_printed_text_decides():
    evidence = claim_runner.check_claim(PRINTED, budget_s=1.0)
    assert (evidence.outcome, evidence.shows) == ("agrees", PRINTED.prints.strip())
    assert outcome(replace(PRINTED, prints="something else")) == "disagrees"


@pytest.mark.slow
def test_order_of_two_contenders_decides():
    swapped = replace(RACED.race, contender=RACED.race.rival, rival=RACED.race.contender)
    evidence = claim_runner.check_claim(RACED, budget_s=1.0)
    assert evidence.outcome == "agrees"
    assert re.search(r"where / element loop at n = 256: \d[\d.,]*× as fast \[.+×, .+×\]", evidence.shows)
    assert outcome(replace(RACED, race=swapped)) == "disagrees"
    assert outcome(replace(RACED, prints="something else")) == "disagrees"


def test_undecided_race_gets_more_time_step_by_step(monkeypatch):
    budgets, result = [], race("undecided", {"one": abs, "two": abs}, lambda n, device: (n,), [1]).run(budget_s=0.1)
    unclear = replace(result, points=tuple(replace(each, verdict="unclear") for each in result.points))
    monkeypatch.setattr(Race, "run", lambda self, budget_s: budgets.append(budget_s) or unclear)
    claim = replace(RACED, code=RACE, prints="", race=replace(RACED.race, contender="two", rival="one", at=1))
    assert outcome(claim) == "unclear"
    assert budgets == [1.0, 3.0, 8.0]


def test_claims_are_tested_with_one_thread(monkeypatch):
    claim = replace(PRINTED, setup="import torch", code="print(torch.get_num_threads())", prints="1")
    monkeypatch.setattr(claim_runner.claims, "load_claims", lambda: (claim,))
    with across_frameworks.threads(2):
        (evidence,) = claim_runner.check_claims_here("torch", budget_s=1.0)
    assert (evidence.outcome, evidence.shows) == ("agrees", "1")


def test_code_that_fails_is_no_evidence():
    evidence = claim_runner.check_claim(replace(PRINTED, setup="import missing_package"), budget_s=1.0)
    assert evidence.outcome == "not run"
    assert "missing_package" in evidence.shows


def test_framework_that_is_missing_is_named(monkeypatch):
    monkeypatch.setattr(frameworks, "installed_versions", dict)
    evidence = list(claim_runner.check_claims())
    assert {each.claim for each in evidence} == set(CLAIMS)
    assert {each.outcome for each in evidence} == {"not run"}
    assert any("TensorFlow isn't installed" in each.shows for each in evidence)


@pytest.mark.slow
def test_tests_end_when_the_time_is_up():
    evidence = list(claim_runner.check_claims(budget_s=0.001, limit_s=0.002))
    assert {each.claim for each in evidence} == set(CLAIMS)
    assert all("larger limit_s" in each.shows for each in evidence)


def test_limit_below_the_budget_is_refused():
    with pytest.raises(CourseError, match="`budget_s` must be above 0 and below `limit_s`; got 2 and 1"):
        fact_check(budget_s=2, limit_s=1)


def test_table_fits_its_card_and_menus_can_hide_every_row():
    evidence = {id: claim_runner.Evidence(id, "agrees", "<b>") for id in CLAIMS}
    evidence["S2.4"] = claim_runner.Evidence("S2.4", "disagrees", "something else")
    facts = FactCheck(load_claims(), evidence, "a machine")
    page = facts_html(facts)
    assert facts.disagreeing == ["S2.4"]
    assert ">&lt;b&gt;</pre>" in page
    # The columns share the width, and long code breaks. An element's own style counts on a page that isn't trusted, too.
    assert '<table style="table-layout:fixed;width:100%">' in page
    assert page.count("overflow-wrap:anywhere") == 3 * len(CLAIMS)
    for row in re.findall(r'<tr class="([^"]+)">', page):
        assert all(f'option[value="{name}"]:checked' in page for name in row.split())


def claims_and_reasons(page):
    cells = re.findall(r"<td[^>]*>(.*?)</td>", page, re.DOTALL)
    return cells[0::3], cells[1::3]


def test_stored_table_states_each_claim_and_reason_as_now():
    evidence = {id: claim_runner.Evidence(id, "agrees", "") for id in CLAIMS}
    lesson = nbformat.read(ROOT / "notebooks/19_fact_check.ipynb", as_version=4)
    (stored,) = next(each for each in lesson.cells if each.id == "run").outputs
    now = facts_html(FactCheck(load_claims(), evidence, "a machine"))
    assert claims_and_reasons(stored.data["text/html"]) == claims_and_reasons(now)
