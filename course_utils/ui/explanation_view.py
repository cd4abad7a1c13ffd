"""Shows an ``Explanation`` as HTML: the headline, and a table by line with bars. A saved page still shows it.

JupyterLab removes the style sheet from a page that it does not trust yet, such as a lesson before its first run. So
essential content is in the text, or in a cell's own style.
"""

from __future__ import annotations

import html
import math
import re

from course_utils.core.wording import format_bytes, format_duration, pluralize
from course_utils.explaining.explanation import Explanation, Line, share_in_words
from course_utils.explaining.explanation_text import floor_text
from course_utils.ui.card import card, with_code

DESCRIBED = 0.1  # A line that takes at least this share of the call is described in words.

CSS = """<style>
.unloop .unloop-card.unloop-wide{max-width:920px}
.unloop .unloop-card table.unloop-lines{width:100%;table-layout:auto;border-collapse:collapse;margin:10px 0 4px}
.unloop .unloop-card .unloop-lines td,.unloop .unloop-card .unloop-lines th{text-align:left;background:none;padding:3px 14px 3px 0;vertical-align:top;white-space:nowrap;
 border-bottom:1px solid var(--unloop-grid);line-height:1.45}
.unloop .unloop-card .unloop-lines td.unloop-source{white-space:pre-wrap;overflow-wrap:anywhere;width:50%}
.unloop .unloop-card .unloop-lines td.unloop-source code{background:none;padding:0}
.unloop-card .unloop-lines small{color:var(--unloop-muted);font-size:12px;white-space:normal}
.unloop .unloop-card .unloop-lines .unloop-number{text-align:right}
.unloop-card .unloop-lines tr.unloop-first td,.unloop .unloop-card .unloop-lines tr.unloop-first code{font-weight:600}
.unloop-card .unloop-lines tr.unloop-first small{font-weight:normal}
.unloop .unloop-card .unloop-lines td.unloop-source small code{font-size:inherit;font-weight:inherit}
.unloop-bar{display:inline-block;position:relative;height:11px;width:110px;margin-right:5px;vertical-align:-1px;border-radius:3px;background:var(--unloop-grid)}
.unloop-bar i,.unloop-bar b{position:absolute;left:0;top:0;bottom:0;border-radius:3px}
.unloop-bar i,.unloop-key.unloop-time{background:var(--unloop-series-0)}
.unloop-bar b,.unloop-key.unloop-floor{background:var(--unloop-series-1)}
.unloop-key{display:inline-block;width:11px;height:11px;border-radius:3px;margin:0 5px 0 12px;vertical-align:-1px}
.unloop-key:first-child{margin-left:0}
</style>"""

_NUMBER, _NUMBERS = ' class="unloop-number"', ("line", "seconds", "floor")
_LEFT = ' style="text-align:left"'
_MODULE_HEADS = ("module", "seconds", "share of the call", "floor", "reason")
_HEADS = ("line", "", "seconds", "share of the call", "floor", "reason")


def show(explanation: Explanation) -> None:
    """Show the explanation as HTML, and as a text whose figures never vary."""
    from IPython.display import display

    display({"text/plain": repr(explanation), "text/html": explanation_html(explanation)}, raw=True)


def explanation_html(explanation: Explanation) -> str:
    """Return the explanation as HTML."""
    rows = ""
    shown, hidden = explanation.shown_lines()
    for heading, lines in explanation.groups(shown):
        if heading:
            rows += f'<tr><th colspan="6" scope="rowgroup"{_LEFT}>{html.escape(heading)}</th></tr>'
        rows += "".join(_row(explanation, line) + _part_rows(explanation, line) for line in lines)
    if hidden:
        seconds = sum(line.seconds for line in hidden)
        rows += (
            f'<tr><td></td><td class="unloop-source"{_LEFT}>{len(hidden)} other lines</td>'
            f'<td class="unloop-number">{_unbroken(format_duration(seconds))}</td>'
            f"<td{_LEFT}>{_bar(explanation.measured_s, seconds)}</td><td></td><td></td></tr>"
        )
    heads = "".join(f'<th scope="col"{_NUMBER if head in _NUMBERS else _LEFT}>{head}</th>' for head in _HEADS)
    content = (
        f"<h3>{_with_units(html.escape(explanation.title))}</h3>{_first_call(explanation)}<p>{with_code(explanation.headline())}</p>"
        f'<table class="unloop-lines"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{_legend(explanation)}'
        + _module_table(explanation)
        + "".join(f"<p>{with_code(note)}</p>" for note in explanation.notes)
        + f'<p class="unloop-sign">{html.escape(explanation.signature())}</p>'
    )
    return CSS + card(content, f"Explanation of {html.escape(explanation.name)}", "unloop-wide")


def _row(explanation: Explanation, line: Line) -> str:
    words = ""
    if line.seconds >= DESCRIBED * explanation.measured_s:
        lesson = f" · lesson {line.lesson}" if line.lesson else ""
        words = f"<br><small>{with_code(line.finding + lesson)}</small>"
    first = ' class="unloop-first"' if line is explanation.costliest else ""
    floor = floor_text(line.floor_s) if line.counts.launches else ""
    return (
        f'<tr{first} title="{html.escape(_counts(line))}"><td class="unloop-number">{line.number or ""}</td>'
        f'<td class="unloop-source"{_LEFT}><code>{html.escape(line.source)}</code>{words}</td>'
        f'<td class="unloop-number">{_unbroken(format_duration(line.seconds))}</td><td{_LEFT}>{_bar(explanation.measured_s, line.seconds, line.floor_s)}</td>'
        f'<td class="unloop-number">{_unbroken(floor)}</td><td{_LEFT}>{html.escape(line.reason)}</td></tr>'
    )


def _first_call(explanation: Explanation) -> str:
    if explanation.first_call_s is None:
        return ""
    return f"<p>First call: {format_duration(explanation.first_call_s)}, once, to compile.</p>"


def _part_rows(explanation: Explanation, line: Line) -> str:
    """Return a row for each piece of work inside compiled code."""
    rows = ""
    for part in filter(lambda each: each.seconds, line.parts):  # Overhead shorter than the spread of the times is 0.
        rows += (
            f'<tr><td></td><td class="unloop-source"{_LEFT}><small>&emsp;{html.escape(part.label)}</small></td>'
            f'<td class="unloop-number"><small>{_unbroken(format_duration(part.seconds))}</small></td>'
            f"<td{_LEFT}>{_bar(explanation.measured_s, part.seconds)}</td><td></td><td></td></tr>"
        )
    return rows


def _module_table(explanation: Explanation) -> str:
    """Return a table of the model's submodules, indented by depth."""
    rows = "".join(
        f'<tr title="{html.escape(module.finding)}"><td class="unloop-source"{_LEFT}>{"&emsp;" * module.depth}'
        f"<code>{html.escape(module.name)}</code> <small>{html.escape(module.kind)}</small></td>"
        f'<td class="unloop-number">{_unbroken(format_duration(module.seconds))}</td>'
        f"<td{_LEFT}>{_bar(explanation.modules_call_s, module.seconds, module.floor_s)}</td>"
        f'<td class="unloop-number">{_unbroken(floor_text(module.floor_s))}</td><td{_LEFT}>{module.reason}</td></tr>'
        for module in explanation.shown_modules()
    )
    heads = "".join(f'<th scope="col"{_NUMBER if head in _NUMBERS else _LEFT}>{head}</th>' for head in _MODULE_HEADS)
    title = explanation.modules_title()
    table = f'<table class="unloop-lines"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    return (f"<p>{title}</p>" if title else "") + table if rows else ""


def _bar(whole_s: float, seconds: float, floor_s: float = math.nan) -> str:
    """Return a bar for a share of the call's seconds, with the floor's share inside it unless the floor is NaN."""
    whole = whole_s or 1.0
    share, floor = seconds / whole, min(floor_s, seconds) / whole
    label = f"{share_in_words(share)} of the call"
    if not math.isnan(floor):
        label += f", and the floor {share_in_words(floor)}"
    parts = f'<i style="width:{100 * share:.1f}%"></i>'
    if floor >= 0.001:
        parts += f'<b style="width:{100 * floor:.1f}%"></b>'
    bar = f'<span class="unloop-bar" role="img" aria-label="{label}">{parts}</span>'
    return f"{bar} <small>{_unbroken(share_in_words(share))}</small>"


def _unbroken(figure: str) -> str:
    """Return a figure that stays on one line with its unit."""
    return figure.replace(" ", "\u00a0")


def _with_units(title: str) -> str:
    """Return a title whose durations stay on one line with their units."""
    return re.sub(r"(?<=\d) (?=[nµm]?s\b)", "\u00a0", title)


def _legend(explanation: Explanation) -> str:
    floor = (
        "the limits of this machine are not known"
        if math.isnan(explanation.floor_s)
        else (
            "the floor, the least time of any version of the line on this machine; "
            f"the floor of the whole call is {format_duration(explanation.floor_s)}"
        )
    )
    return (
        '<p style="font-size:12px;color:var(--unloop-muted)"><span class="unloop-key unloop-time"></span>the time of the line; '
        f'<span class="unloop-key unloop-floor"></span>{floor}</p>'
    )


def _counts(line: Line) -> str:
    counts = line.counts
    phrases = [
        pluralize(counts.ops, "operation"),
        f"{format_bytes(counts.reads)} read",
        f"{format_bytes(counts.writes)} written",
        f"{format_bytes(counts.bytes)} allocated",
        pluralize(counts.syncs, "synchronization"),
        pluralize(counts.transfers, "transfer"),
    ]
    runs = [pluralize(counts.runs, "run")] if line.number else []  # Only runs of lines are counted.
    return (
        ", ".join([*runs, *(counts.count_prefix + phrase for phrase in phrases)])
        + " (compiled; counted as written)" * line.is_compiled
    )
