"""What a person sees of a ``Bill``: a table by line with bars, and the sentence. HTML alone, so that a saved page still shows it."""

import html
import math

from course_utils.ground.wording import counted, duration, percent, size_in_bytes
from course_utils.ui.card import card

_CSS = """<style>
.unloop-card table.unloop-bill{width:100%;border-collapse:collapse}
.unloop-card .unloop-bill td,.unloop-card .unloop-bill th{padding:3px 12px 3px 0;vertical-align:middle;white-space:nowrap}
.unloop-card .unloop-bill td.unloop-code{white-space:pre;overflow:hidden;text-overflow:ellipsis;max-width:340px;width:50%}
.unloop-card .unloop-bill .unloop-number{text-align:right}
.unloop-card .unloop-bill tr.unloop-first td{font-weight:600}
.unloop-card .unloop-bar{position:relative;height:12px;min-width:120px;border-radius:3px;background:var(--unloop-grid)}
.unloop-card .unloop-bar i,.unloop-card .unloop-bar b{position:absolute;left:0;top:0;bottom:0;border-radius:3px;min-width:1px}
.unloop-card .unloop-bar i{background:var(--unloop-series-0)}
.unloop-card .unloop-bar b{background:var(--unloop-series-1)}
</style>"""


def show(bill) -> None:
    """Show the bill; its text holds no figure that varies."""
    from IPython.display import display

    display({"text/plain": bill.steady_text(), "text/html": bill_html(bill)}, raw=True)


def bill_html(bill) -> str:
    """The bill as HTML."""
    head = f"<h3>{html.escape(bill.name)}: {duration(bill.measured_s)}</h3><p>{html.escape(bill.sentence())}</p>"
    rows = "".join(_row(bill, line) for line in bill.lines)
    table = (
        '<table class="unloop-bill"><thead><tr><th scope="col">line</th><th scope="col"></th>'
        '<th scope="col" class="unloop-number">seconds</th><th scope="col"></th><th scope="col">floor</th>'
        f'<th scope="col">reason</th></tr></thead><tbody>{rows}</tbody></table>'
    )
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in bill.notes)
    return _CSS + card(
        f'{head}{table}{notes}<p class="unloop-sign">{html.escape(bill.signature())}</p>', f"Bill of {bill.name}"
    )


def _row(bill, line) -> str:
    first = ' class="unloop-first"' if line is bill.costliest else ""
    return (
        f'<tr{first} title="{html.escape(_counts(line.counts))}"><td class="unloop-number">{line.number or ""}</td>'
        f'<td class="unloop-code"><code>{html.escape(line.source)}</code></td>'
        f'<td class="unloop-number">{duration(line.seconds)}</td><td>{_bar(bill, line)}</td>'
        f'<td class="unloop-number">{"" if math.isnan(line.floor_s) else duration(line.floor_s)}</td>'
        f"<td>{html.escape(line.reason)}</td></tr>"
    )


def _bar(bill, line) -> str:
    """Its share of the call, and in it the floor's."""
    whole = bill.measured_s or 1.0
    share, floor = line.seconds / whole, min(line.floor_s, line.seconds) / whole
    label = f"{percent(share)} of the call, of which the floor is {percent(floor)}"
    return (
        f'<div class="unloop-bar" role="img" aria-label="{label}"><i style="width:{100 * share:.1f}%"></i>'
        f'<b style="width:{100 * floor:.1f}%"></b></div>'
    )


def _counts(counts) -> str:
    told = [
        counted(counts.runs, "run"),
        counted(counts.ops, "operation"),
        f"{size_in_bytes(counts.reads)} read",
        f"{size_in_bytes(counts.writes)} written",
        f"{size_in_bytes(counts.fresh)} new",
        counted(counts.waits, "wait"),
    ]
    return ", ".join(told)
