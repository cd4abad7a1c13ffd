"""``card``: HTML in a frame, in the page's own colors, light or dark."""

from __future__ import annotations

import html
import re

from course_utils.ui.theme import STYLE

# By default a widget is as wide as its longest line of code, and the card would be cut off on the right.
# Notebook 6 has a rule for code, `div.output_area pre`; the rules here name one more class, so they take precedence.
CSS = """<style>
.unloop-card{border:1px solid var(--unloop-grid);border-radius:10px;padding:14px 18px;max-width:840px;margin:4px 0;
 background:var(--unloop-paper);font-size:14px;line-height:1.5}
.widget-html-content:has(>.unloop>.unloop-card){min-width:0}
.unloop-card h3{margin:0 0 6px;font-size:17px;font-weight:600;line-height:1.3}
.unloop-card h4{margin:12px 0 4px;font-size:13px;font-weight:600;color:var(--unloop-muted)}
.unloop-card p,.unloop-card ul{margin:4px 0}.unloop-card ul{padding-left:20px}
.unloop-card .unloop-points{float:right;color:var(--unloop-muted);font-size:13px}
.unloop .unloop-card code{font-family:var(--jp-code-font-family,ui-monospace,Menlo,Consolas,monospace);
 font-size:13px;color:inherit;background:var(--unloop-code-paper);border-radius:4px;padding:0 4px}
.unloop .unloop-card pre{font-family:var(--jp-code-font-family,ui-monospace,Menlo,Consolas,monospace);font-size:13px;
 color:inherit;background:var(--unloop-code-paper);border-radius:6px;padding:10px 12px;
 margin:4px 0;overflow-x:auto;line-height:1.4;white-space:pre;word-break:normal;overflow-wrap:normal}
.unloop-card .k,.unloop-card .kn,.unloop-card .ow{color:var(--unloop-code-keyword);font-weight:600}
.unloop-card .kc,.unloop-card .mi,.unloop-card .mf{color:var(--unloop-code-number)}
.unloop-card .s1,.unloop-card .s2,.unloop-card .sd{color:var(--unloop-code-string)}
.unloop-card .c1{color:var(--unloop-code-comment);font-style:italic}
.unloop-card .nf{color:var(--unloop-code-name)}
.unloop-card table{border-collapse:collapse;font-size:13px;margin:4px 0}
.unloop-card td,.unloop-card th{padding:2px 14px 2px 0;text-align:left;background:none;font-variant-numeric:tabular-nums}
.unloop-card th{color:var(--unloop-muted);font-weight:normal}
.unloop-card th[scope=rowgroup]{padding-top:10px;font-weight:600}
.unloop-card .unloop-sign{color:var(--unloop-muted);font-size:12px;margin-top:8px}
</style>"""


def card(content: str, label: str, kind: str = "") -> str:
    """Return ``content`` in a card, with the extra CSS class ``kind``; a screen reader calls the card ``label``."""
    section = f'<section class="unloop-card {kind}" aria-label="{label}">{content}</section>'
    return f'{STYLE}{CSS}<div class="unloop">{section}</div>'


def with_code(sentence: str) -> str:
    """Return a sentence as HTML, with text between backticks as code.

    >>> with_code("mostly in `mm`, a < b")
    'mostly in <code>mm</code>, a &lt; b'
    """
    return re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(sentence))
