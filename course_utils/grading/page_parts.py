"""The parts that all pages of a report share: the frame with its colors, tables, and safe file names.

A page loads nothing and runs no script, and its content policy forbids both, because it shows text of learners.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

# These are the colors of course_utils.ui.theme, which a file of this room may not import.
_CSS = """
:root{color-scheme:light dark;--text:#24292f;--muted:#5f6670;--grid:#dfe2e6;--paper:#fff;--alarm:#b3261e;--good:#0a6e2e;
--code:#f5f5f5;--link:#0046d5}
@media (prefers-color-scheme:dark){:root{--text:#e8eaed;--muted:#b1b7bf;--grid:#53585f;--paper:#1b1d20;--alarm:#ff9a91;
--good:#6fd08c;--code:#26292e;--link:#8ab4f8}}
body{margin:2rem auto;max-width:62rem;padding:0 1rem;background:var(--paper);color:var(--text);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2rem}h3{font-size:1rem;margin:1.2rem 0 .2rem}
a{color:var(--link)}p,li{max-width:48rem;overflow-wrap:anywhere}.muted{color:var(--muted)}
.scroll{overflow-x:auto}table{border-collapse:collapse}caption{text-align:left;color:var(--muted)}
th,td{border-bottom:1px solid var(--grid);padding:.3rem .8rem .3rem 0;text-align:left;vertical-align:top;
min-width:3rem}td:first-child,td:last-child{overflow-wrap:anywhere;min-width:9rem}
code{white-space:nowrap}
th{font-weight:600}td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
pre{background:var(--code);padding:.6rem .8rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0}
.right{color:var(--good);font-weight:600}.wrong,.stopped,.refused{color:var(--alarm);font-weight:600}
.untried{color:var(--muted);font-weight:600}
"""


class Html(str):
    """Text that is HTML already, so that ``escape`` leaves it as it is."""


def escape(value: object) -> str:
    """Return ``value`` as HTML: everything but ``Html`` is shown as text."""
    if isinstance(value, Html):
        return str(value)
    return html.escape(str(value).encode("utf-8", "replace").decode("utf-8").replace("\0", "\N{REPLACEMENT CHARACTER}"))


def page(title: str, *parts: Html) -> str:
    """Return a whole page with ``title`` as its heading."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_CSS}</style></head>\n<body><main>\n<h1>{escape(title)}</h1>\n"
        + "\n".join(parts)
        + "\n</main></body></html>\n"
    )


def element(tag: str, content: object, css: str = "") -> Html:
    """Return ``content`` in an element, with an optional class."""
    attribute = f' class="{css}"' if css else ""
    return Html(f"<{tag}{attribute}>{escape(content)}</{tag}>")


def link(target: str, text: str) -> Html:
    """Return a link to another file of the report."""
    return Html(f'<a href="{html.escape(_percent_encode(target))}">{escape(text)}</a>')


def items(texts: Iterable[object]) -> Html:
    """Return a list with bullets."""
    return element("ul", Html("".join(element("li", text) for text in texts)))


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], numbers: Sequence[int] = ()) -> Html:
    """Return a table; ``numbers`` are the positions of the columns that are aligned on the right."""

    def css(index: int) -> str:
        return "number" if index in numbers else ""

    head = "".join(
        f'<th scope="col"{" class=number" if index in numbers else ""}>{escape(name)}</th>'
        for index, name in enumerate(columns)
    )
    body = "".join(
        f"<tr>{''.join(element('td', cell, css(index)) for index, cell in enumerate(row))}</tr>\n" for row in rows
    )
    return Html(f'<div class="scroll"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>')


def file_names(students: Iterable[str]) -> dict[str, str]:
    """Return student → the name of the student's page; names differ even if case is ignored.

    >>> file_names(["Doe, Jane", "../index", "index", "<b>"])
    {'Doe, Jane': 'Doe, Jane.html', '../index': '_index.html', 'index': 'index-2.html', '<b>': '_b_.html'}
    """
    used = {"index"}
    names = {}
    for student in students:
        stem = re.sub(r"[^\w ,.()'-]+", "_", student)
        stem = stem.encode("utf-8")[:100].decode("utf-8", "ignore").lstrip(". -").rstrip(". ") or "student"
        name, number = stem, 2
        while name.casefold() in used:
            name, number = f"{stem}-{number}", number + 1
        used.add(name.casefold())
        names[student] = f"{name}.html"
    return names


def _percent_encode(path: str) -> str:
    from urllib.parse import quote

    return quote(path)
