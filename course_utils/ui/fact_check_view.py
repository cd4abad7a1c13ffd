"""``fact_check``: every claim that the course judges, with what its test showed on this machine."""

from __future__ import annotations

import datetime
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt

from course_utils import frameworks
from course_utils.core.errors import CourseError
from course_utils.core.wording import pluralize
from course_utils.frameworks import devices
from course_utils.races.claim_runner import BUDGET_S, LIMIT_S, check_claims
from course_utils.races.claims import VERDICTS, Claim, Evidence, RecordedOrder, load_claims, recorded_orders
from course_utils.ui.card import card
from course_utils.ui.page_output import show_live

_OUTCOMES = {
    "agrees": "✓ as judged",
    "disagrees": "✗ not as judged here",
    "unclear": "? this run cannot decide",
    "not run": "– not run",
}
_MARKDOWN = MarkdownIt("js-default")  # escapes HTML
_FILTERS = ("verdict", "framework", "lesson", "outcome")
# The columns share the page's width. JupyterLab keeps an element's own style on a page that it does not trust yet, and drops
# the style sheet below.
_WIDTHS = {"Claim": "26%", "Verdict": "42%", "Your machine": "32%"}
_TABLE = "table-layout:fixed;width:100%"
_CELL = "text-align:left;vertical-align:top;overflow-wrap:anywhere"
CSS = """<style>
.unloop-card.unloop-facts{max-width:1100px}.unloop-facts td{vertical-align:top;padding:6px 14px 6px 0;border-top:1px solid var(--unloop-grid);white-space:normal}
.unloop-facts pre{white-space:pre-wrap!important;font-size:12px!important}.unloop-facts label{margin-right:16px}
.unloop-facts select{color:inherit;background:var(--unloop-paper);border:1px solid var(--unloop-grid);border-radius:4px;padding:2px}
.unloop-facts .unloop-disagrees{font-weight:600}
</style>"""


@dataclass(frozen=True)
class FactCheck:
    """All claims with their evidence; displays itself as the last line of a cell.

    Attributes:
        claims: the claims, by id.
        evidence: claim id → what its test showed.
        signature: machine, versions and date.
    """

    claims: tuple[Claim, ...]
    evidence: dict[str, Evidence]
    signature: str

    def number(self, *verdicts: str) -> int:
        """Return how many claims have one of the ``verdicts``."""
        return sum(each.verdict in verdicts for each in self.claims)

    @property
    def disagreeing(self) -> list[str]:
        """Return the ids of the claims whose test on this machine disagrees with the course's verdict."""
        return [each.id for each in self.claims if self.evidence[each.id].outcome == "disagrees"]

    def recorded_orders(self) -> list[RecordedOrder]:
        """Return which contender was faster on recorded machines, at each size, for each claim that a race decides."""
        return recorded_orders()

    def __str__(self) -> str:
        return f"Fact check: {pluralize(len(self.claims), 'claim')}, each with its verdict and its test."


def fact_check(budget_s: float = BUDGET_S, limit_s: float = LIMIT_S) -> FactCheck:
    """Return the result of every claim's test on this machine; the tests take about a minute.

    Args:
        budget_s: seconds for each race; a race that decides nothing runs again, for up to eight times as long.
        limit_s: seconds for all tests; the claims that are left are shown as not run.

    Raises:
        CourseError: a number of seconds is not positive.
    """
    if not 0 < budget_s < limit_s:
        raise CourseError(f"`budget_s` must be above 0 and below `limit_s`; got {budget_s!r} and {limit_s!r}.")
    claims = load_claims()
    evidence: dict[str, Evidence] = {}
    progress = _Progress(len(claims))
    for each in check_claims(budget_s, limit_s):
        evidence[each.claim] = each
        progress.show(len(evidence), each.claim)
    progress.close()
    versions = [f"{name} {number}" for name, number in frameworks.installed_versions().items() if number]
    signature = " · ".join([devices.describe(), "cpu, 1 thread", *versions, datetime.date.today().isoformat()])
    return FactCheck(claims, evidence, signature)


class _Progress:
    """A bar that closes when all claims are tested, so that a stored page holds none."""

    def __init__(self, total: int) -> None:
        import ipywidgets as widgets

        self._total = total
        self._bar = widgets.IntProgress(max=total, description="Testing")
        self._text = widgets.Label()
        self._box = widgets.HBox([self._bar, self._text])
        show_live(self._box)

    def show(self, done: int, claim: str) -> None:
        self._bar.value, self._text.value = done, f"{claim}: {done} of {self._total}"

    def close(self) -> None:
        self._box.close()


def show(facts: FactCheck) -> None:
    """Show the table, with filters that need neither a kernel nor JavaScript."""
    from IPython.display import display

    display({"text/plain": str(facts), "text/html": facts_html(facts)}, raw=True)


def facts_html(facts: FactCheck) -> str:
    """Return the table as HTML, with menus that filter its rows."""
    values = {
        "verdict": [each for each in VERDICTS if facts.number(each)],
        "framework": sorted({each.framework for each in facts.claims}),
        "lesson": sorted({each.lesson for each in facts.claims}),
        "outcome": [each for each in _OUTCOMES if any(found.outcome == each for found in facts.evidence.values())],
    }
    menus = "".join(_menu(name, options) for name, options in values.items())
    rows = "".join(_row(each, facts.evidence[each.id]) for each in facts.claims)
    head = "".join(
        f'<th scope="col" style="text-align:left;width:{width}">{title}</th>' for title, width in _WIDTHS.items()
    )
    table = f'<table style="{_TABLE}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    rules = "".join(_rule(name, option) for name, options in values.items() for option in options)
    sign = f'<p class="unloop-sign">{html.escape(facts.signature)}</p>'
    return f"{CSS}<style>{rules}</style>{card(f'<p>{menus}</p>{table}{sign}', 'Fact check', 'unloop-facts')}"


def _menu(name: str, options: list[str]) -> str:
    chosen = "".join(f'<option value="{_slug(name, each)}">{html.escape(_words(each))}</option>' for each in options)
    title = "Your machine" if name == "outcome" else name.title()
    return f'<label style="margin-right:16px">{title} <select><option value="">all</option>{chosen}</select></label>'


def _rule(name: str, option: str) -> str:
    """Return the CSS rule that hides the other rows while the option is chosen."""
    slug = _slug(name, option)
    return f'.unloop-facts:has(option[value="{slug}"]:checked) tbody tr:not(.{slug}){{display:none}}'


def _row(claim: Claim, evidence: Evidence) -> str:
    classes = " ".join(_slug(*each) for each in zip(_FILTERS, _filter_values(claim, evidence)))
    lesson = f'<a href="{claim.lesson}.ipynb">lesson {claim.lesson.partition("_")[0]}</a><br><code>{claim.cell}</code>'
    here = f'<span class="unloop-{evidence.outcome.replace(" ", "-")}">{_OUTCOMES[evidence.outcome]}</span>'
    shown = f'<pre style="white-space:pre-wrap;word-break:normal;background:none">{html.escape(evidence.shows)}</pre>'
    cells = (
        f"<b>{claim.id}</b> {_MARKDOWN.renderInline(claim.text)}<br>{lesson}",
        f"<b>{claim.verdict}</b><br>{_MARKDOWN.renderInline(claim.reason)}",
        f"{here}{shown}",
    )
    row = "".join(f'<td style="{_CELL}">{each}</td>' for each in cells)
    return f'<tr class="{classes}">{row}</tr>'


def _filter_values(claim: Claim, evidence: Evidence) -> Iterator[str]:
    yield from (claim.verdict, claim.framework, claim.lesson, evidence.outcome)


def _slug(name: str, value: str) -> str:
    return f"unloop-{name}-{re.sub(r'[^a-z0-9]+', '-', value.lower())}"


def _words(value: str) -> str:
    return _OUTCOMES.get(value, value.replace("_", " "))
