"""The view of a ``Report``: the list of attempts, what was measured, and a form for the three sentences."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.core.wording import format_duration, format_percent, format_ratio
from course_utils.learner.capstone_report import Report
from course_utils.learner.report_sentences import PARTS
from course_utils.ui.card import card
from course_utils.ui.page_output import publish
from course_utils.ui.task_card import markdown

_HEAD = "<tr><th>times as fast</th><th>95 % interval</th><th>one call</th><th>of the limit</th><th>binds</th><th>date</th></tr>"


def show_report(report: Report) -> None:
    """Show the report with its form; without widgets, its text."""
    publish(ReportView(report).widget, repr(report))


class ReportView:
    """The widgets of a report. ``widget`` is what to display."""

    def __init__(self, report: Report) -> None:
        import ipywidgets as widgets

        self.report = report
        self.fields = [
            widgets.Textarea(
                description=part,
                placeholder="One sentence",
                rows=2,
                style={"description_width": "180px"},
                layout=widgets.Layout(width="auto", max_width="840px"),
            )
            for part in PARTS
        ]
        for field, sentence in zip(self.fields, report.sentences):
            field.value = sentence
        self.button = widgets.Button(description="Store my report", layout=widgets.Layout(width="auto"))
        self.button.on_click(lambda _button: self.store())
        self.message = widgets.HTML()
        parts: list[Any] = [widgets.HTML(report_html(report))]
        for part, fact, field in zip(PARTS, report.facts, self.fields):
            parts += [widgets.HTML(card(markdown(fact), part)), field]
        self.widget = widgets.VBox([*parts, self.button, self.message])

    def store(self) -> None:
        """Check and store the sentences, and show what is wrong with them."""
        try:
            self.report = self.report.accept(*(field.value for field in self.fields))
        except CourseError as error:
            self._say(str(error), "alert")
        else:
            self._say("Your report is stored. progress.certificate() writes your certificate.", "status")

    def _say(self, sentence: str, role: str) -> None:
        self.message.value = card(f'<p role="{role}">{html.escape(sentence)}</p>', "Result")


def report_html(report: Report) -> str:
    """Return the attempts as a table, the fastest first; the latest one is bold."""
    rows = "".join(_row(each, each is report.attempt) for each in report.attempts)
    note = f'<p class="unloop-sign">{html.escape(report.attempt["machine"])}. The latest attempt is bold.</p>'
    return card(
        f"<h3>Your attempts at {html.escape(report.task.id)}</h3><table>{_HEAD}{rows}</table>{note}", "Attempts"
    )


def _row(attempt: Mapping[str, Any], is_latest: bool) -> str:
    share = format_percent(attempt["share"]) if attempt["share"] else "–"
    interval = f"{format_ratio(attempt['low'])} to {format_ratio(attempt['high'])}"
    cells = [format_ratio(attempt["ratio"]), interval, format_duration(attempt["seconds"]), share]
    cells += [attempt["reason"], attempt["date"]]
    shown = [f"<strong>{html.escape(cell)}</strong>" if is_latest else html.escape(cell) for cell in cells]
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in shown)}</tr>"
