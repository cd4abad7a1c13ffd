"""The course's one visual style: its colors, on light and on dark pages, and the CSS that all HTML shares."""

from __future__ import annotations

# Okabe and Ito's palette, which color-blind readers can tell apart, without yellow and black: those two vanish on a
# light and on a dark page. The first color is the baseline's.
SERIES = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
TEXT, MUTED, GRID, PAPER, ALARM = "#24292f", "#5f6670", "#dfe2e6", "#ffffff", "#b3261e"
LINES = (*SERIES, TEXT)
"""Colors of lines. A seventh line takes the text color, which turns light on a dark page."""

FONT = "var(--jp-ui-font-family, system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif)"


def mix(color: str, other: str, share: float) -> str:
    """Return ``color`` with ``share`` (0 to 1) of ``other`` mixed in; all colors are '#rrggbb'.

    >>> mix("#000000", "#ff0000", 0.5)
    '#800000'
    """
    pairs = ((int(color[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def text_color(line_color: str) -> str:
    """Return a line's color, dark enough for text on a light page (contrast above 4.5 to 1)."""
    if line_color == TEXT:
        return TEXT
    return mix(line_color, "#000000", 0.42 if line_color in ("#e69f00", "#56b4e9", "#cc79a7") else 0.24)


# Each color that a figure may have: its name, JupyterLab's own variable for it, and its value on light and on dark
# pages.
_THEME = {
    TEXT: ("text", "--jp-ui-font-color1", TEXT, "#e8eaed"),
    MUTED: ("muted", "--jp-ui-font-color2", MUTED, "#b1b7bf"),
    GRID: ("grid", "--jp-border-color2", GRID, "#53585f"),
    PAPER: ("paper", "--jp-layout-color0", PAPER, "#1b1d20"),
    ALARM: ("alarm", "", ALARM, "#ff9a91"),
}
for _number, _color in enumerate(SERIES):
    _THEME[_color] = (f"series-{_number}", "", _color, mix(_color, "#ffffff", 0.22))
    _THEME[text_color(_color)] = (f"letter-{_number}", "", text_color(_color), mix(_color, "#ffffff", 0.5))
# Colors of code on a card; the page's own colors for code are too pale there.
_CODE = [
    ("code-paper", "", "#f5f5f5", "#26292e"),
    ("code-keyword", "", "#0a6e2e", "#6fd08c"),
    ("code-number", "", "#0b6b52", "#7bd6c0"),
    ("code-string", "", "#a91d1d", "#ffa198"),
    ("code-comment", "", "#5a616b", "#a9afb7"),
    ("code-name", "", "#0046d5", "#8ab4f8"),
]


def css_variable(color: str) -> str:
    """Return the CSS variable of a color of the theme, which follows the page's theme; any other color unchanged."""
    return f"var(--unloop-{_THEME[color][0]})" if color in _THEME else color


def _rule(pages: str, column: int) -> str:
    """Return the CSS rule that sets all variables on some pages; ``column`` is 2 for the light colors, 3 for the dark
    ones.
    """
    lines = [f"--unloop-{row[0]}:{row[column]}" for row in (*_THEME.values(), *_CODE)]
    return f"{pages}{{{';'.join(lines)}}}"


def _page_rule(pages: str, column: int) -> str:
    """Return the CSS rule that adopts JupyterLab's own colors."""
    lines = [f"--unloop-{row[0]}:var({row[1]},{row[column]})" for row in _THEME.values() if row[1]]
    return f"{pages}{{{';'.join(lines)}}}"


# Only JupyterLab and Notebook 7 define colors of the page. Colab keeps their light colors on its dark pages, ipywidgets
# 7 brings paler colors to Notebook 6, and VS Code has none. There, the course sets all colors itself.
_DARK_PAGES = (
    'body[data-jp-theme-light="false"] .unloop,html[theme="dark"] .unloop,'
    "body.vscode-high-contrast .unloop,body.vscode-dark .unloop"
)
STYLE = (
    "<style>"
    + _rule(".unloop", 2)
    + _page_rule('body[data-jp-theme-light="true"] .unloop', 2)
    + _rule(_DARK_PAGES, 3)
    + _page_rule('body[data-jp-theme-light="false"] .unloop', 3)
    + f".unloop{{--unloop-font:{FONT};color:var(--unloop-text);font-family:var(--unloop-font)}}"
    + ".unloop svg{display:block;width:100%;height:auto;max-width:920px}.unloop svg *{stroke-linejoin:round}</style>"
)
"""CSS for anything inside class `unloop`: the variables `--unloop-text`, `-muted`, `-grid`, `-paper`, `-alarm`,
`-series-0`…
"""
