"""A race's result in words: the table of all its figures and the remarks on contenders that were not simply timed.

HTML for the page, and nothing that can be clicked.
"""

import html

from course_utils import races
from course_utils.ui import figures, race_chart


def table(result) -> str:
    """All points, one row a size and one column a contender, as an HTML table behind a disclosure triangle."""
    heads = "".join(
        f'<th scope="col"><span aria-hidden="true" style="color:{figures.variable(race_chart.colour_of(result, name))}">'
        f"{race_chart.symbol_of(result, name)}</span> {html.escape(name)}</th>"
        for name in result.contenders
    )
    rows = "".join(
        f'<tr><th scope="row">{size:,}</th>'
        + "".join(_cell(result, name, size) for name in result.contenders)
        + _bound(result, size)
        for size in result.sizes
    )
    limit = '<th scope="col">physical limit</th>' if result.bounds else ""
    return (
        f'{figures.STYLE}{_STYLE}<details class="unloop unloop-table"><summary>All figures</summary><table>'
        f'<thead><tr><th scope="col">n</th>{heads}{limit}</tr></thead><tbody>{rows}</tbody></table></details>'
    )


def remarks(result) -> str:
    """One line for each contender that came out wrong, failed, or was otherwise not simply timed; '' if none."""
    said: dict[tuple[str, str], races.Point] = {}
    for point in result.points:
        if point.note:
            said.setdefault((point.contender, point.status), point)
    lines = "".join(
        f'<li style="color:var(--unloop-{"alarm" if point.status in ("wrong", "failed", "memory") else "muted"})">'
        f"{html.escape(point.note)}</li>"
        for point in said.values()
    )
    return f'<ul style="margin:4px 0;padding-left:1.4em;line-height:1.5">{lines}</ul>' if lines else ""


def _cell(result, name: str, size: int) -> str:
    point = result.point(name, size)
    if point is None:
        return "<td>…</td>"
    ratio = ""
    if point.ratio is not None and name != result.baseline:
        ratio = f"<small>{html.escape(str(point.ratio))}</small>"
    return f'<td title="{html.escape(point.note)}">{html.escape(races.describe_point(point))}{ratio}</td>'


def _bound(result, size: int) -> str:
    if not result.bounds:
        return "</tr>"
    bound = result.bounds[size]
    return f"<td>{races.duration(bound.seconds)}<small>{html.escape(bound.binding)}</small></td></tr>"


_STYLE = (
    "<style>.unloop-table summary{cursor:pointer;color:var(--unloop-muted);padding:2px 0}"
    ".unloop-table table{border-collapse:collapse;margin:6px 0;font-variant-numeric:tabular-nums}"
    ".unloop-table th,.unloop-table td{text-align:right;padding:4px 12px;border-bottom:1px solid var(--unloop-grid);"
    "background:transparent;color:var(--unloop-text)}"
    ".unloop-table small{display:block;color:var(--unloop-muted)}</style>"
)
