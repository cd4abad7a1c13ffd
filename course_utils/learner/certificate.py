"""The certificate of the capstone: one printed page of what a learner's progress file holds, and nothing else."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from course_utils import tasks
from course_utils.core.errors import CourseError
from course_utils.core.wording import format_percent, format_ratio, format_short_ratio, pluralize

CAPSTONE = "18_capstone"
WHOLE = "segment_maps"
"""The task that the certificate is about."""

# Screen and paper look alike: black on white, 190 mm wide, which leaves the margins of an A4 page.
_STYLE = """<style>
@page{size:A4;margin:12mm 10mm}
html{background:#fff;color:#1c2126}
body{font:10pt/1.35 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;max-width:190mm;margin:0 auto;padding:6mm 0}
h1{font-size:21pt;margin:0 0 1mm;font-weight:600}h2{font-size:11pt;margin:4.5mm 0 1mm}p{margin:1mm 0}
.name{border-bottom:1px solid #1c2126;min-height:8mm;font-size:15pt;margin:3mm 0 2mm}
.factor{font-size:17pt;font-weight:600;color:#8a3c00}
table{border-collapse:collapse;width:100%;font-size:8.6pt}td,th{text-align:left;padding:.55mm 2mm .55mm 0;vertical-align:top}
th{color:#4d545c;font-weight:normal;border-bottom:1px solid #c9cdd2}td{border-bottom:1px solid #eceef0}
.lessons{columns:2;column-gap:8mm;font-size:8.6pt}.lessons p{margin:.3mm 0;break-inside:avoid;display:flex;justify-content:space-between}
blockquote{margin:1mm 0;padding-left:4mm;border-left:2px solid #c9cdd2}.small{font-size:8pt;color:#4d545c}
@media print{body{padding:0}}
</style>"""


class CertificateMissing(CourseError):
    """The capstone is not passed yet."""


def is_earned(tables: Mapping[str, Any]) -> bool:
    """Return whether the whole pipeline has passed its check."""
    entry = tables["tasks"].get(WHOLE)
    return entry is not None and entry["points"] >= entry["of"] > 0


def certificate_html(tables: Mapping[str, Any], name: str = "") -> str:
    """Return the certificate as an HTML page that prints on one A4 page.

    Args:
        tables: the learner's progress, as ``progress_file.read`` returns it.
        name: the learner's name; without it the page has a line to write on.

    Raises:
        CertificateMissing: the whole pipeline has not passed its check.
    """
    if not is_earned(tables):
        raise CertificateMissing(
            f"The certificate needs the last exercise of lesson 18: solve {WHOLE}, and run check({WHOLE})."
        )
    entry = tables["tasks"][WHOLE]
    body = (
        "<h1>Unloop: capstone</h1><p>Slow loop in, hardware limit out.</p>"
        f'<p class="name">{html.escape(name)}</p>'
        f"<p>passed the capstone, a segmentation pipeline, on {html.escape(entry['date'])}.</p>"
        f"{_result(tables)}{_report(tables)}{_stages(tables)}{_lessons(tables)}"
        '<p class="small">The course measured each figure on the machine that is named next to it. A figure is the '
        "speed-up over the exercise’s slow loop, on one thread of a CPU, with a 95 % interval from paired rounds if "
        "the check ran enough of them. (A check ends early if an answer is far above what is required.) A dash means "
        "that the course has no such measurement. The learner’s own computer stores and writes this page.</p>"
    )
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Unloop: capstone</title>{_STYLE}<body>{body}</body></html>\n'


def _result(tables: Mapping[str, Any]) -> str:
    """Return the reported attempt, else the fastest one, else the best check."""
    report = tables["reports"].get(WHOLE)
    attempts = tables["attempts"].get(WHOLE, [])
    if report is None and not attempts:
        entry = tables["tasks"][WHOLE]
        machine = html.escape(entry.get("machine") or "–")
        return f'<p class="factor">{_ratio(entry)} as fast as the loops</p><p class="small">{machine}</p>'
    attempt = report["attempt"] if report else max(attempts, key=lambda each: each["ratio"])
    interval = f"95 % interval {format_ratio(attempt['low'])} to {format_ratio(attempt['high'])}"
    share = f", {format_percent(attempt['share'])} of the machine’s limit" if attempt["share"] else ""
    return (
        f'<p class="factor">{format_ratio(attempt["ratio"])} as fast as the loops</p>'
        f"<p>{interval}{share}; what binds: {html.escape(attempt['reason'])}; {pluralize(len(attempts), 'measured attempt')}</p>"
        f'<p class="small">{html.escape(attempt["machine"])}, {html.escape(attempt["date"])}</p>'
    )


def _report(tables: Mapping[str, Any]) -> str:
    report = tables["reports"].get(WHOLE)
    if report is None:
        return ""
    sentences = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in report["sentences"])
    return f"<h2>The report, in the learner’s words</h2><blockquote>{sentences}</blockquote>"


def _stages(tables: Mapping[str, Any]) -> str:
    rows = ""
    machines: dict[str, str] = {}
    for task_id in tasks.ids(CAPSTONE):
        if task_id == WHOLE:
            continue  # The heading already shows the factor of the whole pipeline.
        entry = tables["tasks"].get(task_id)
        if entry is None or entry["points"] < entry["of"]:
            rows += (
                f"<tr><td>{task_id}</td><td colspan=3>not solved: the course’s version may stand in for it</td></tr>"
            )
            continue
        machine = entry.get("machine")
        number = machines.setdefault(machine, str(len(machines) + 1)) if machine else "–"
        rows += f"<tr><td>{task_id}</td><td>{entry['date']}</td><td>{_ratio(entry)}</td><td>{number}</td></tr>"
    head = "<tr><th>stage</th><th>solved on</th><th>fastest check (95 % interval)</th><th>machine</th></tr>"
    notes = "".join(
        f'<p class="small">{number}: {html.escape(each)}</p>' for each, number in list(machines.items())[:4]
    )
    return f"<h2>The stages</h2><table>{head}{rows}</table>{notes}"


def _lessons(tables: Mapping[str, Any]) -> str:
    lines = ""
    for lesson in tasks.lessons():
        names = tasks.ids(lesson)
        entries = [tables["tasks"][each] for each in names if each in tables["tasks"]]
        solved = sum(entry["points"] >= entry["of"] > 0 for entry in entries)
        number, _, title = lesson.partition("_")
        lines += (
            f"<p><span>{number} · {title.replace('_', ' ')}</span><span>{solved} of {len(names)} exercises</span></p>"
        )
    judged = tables["settled"]
    predictions = (
        f"{sum(judged.values())} of {pluralize(len(judged), 'prediction')} right" if judged else "no predictions"
    )
    practice = pluralize(len(tables["practice"]), "practice task")
    return (
        f'<h2>The course</h2><div class="lessons">{lines}</div><p>{predictions}; {practice} solved in the lessons</p>'
    )


def _ratio(entry: Mapping[str, Any]) -> str:
    """Return the best measured ratio of a task with its interval, or a dash."""
    if entry["ratio"] is None:
        return "–"
    interval = entry.get("interval")
    if not interval:
        return format_short_ratio(entry["ratio"])
    return f"{format_ratio(entry['ratio'])} ({format_ratio(interval[0])}–{format_ratio(interval[1])})"
