"""The course's one visual style: palette, words for figures, and matplotlib figures turned into pictures.

A figure is drawn once, in the light colours, and handed out two ways: `svg` for a live page, where the colours follow the
page's theme, and `png` on a light card of its own for pages that show no widgets. It knows nothing of races or machines.
"""

import base64
import html
import io
import logging
import math
import re
import uuid

from course_utils.core.wording import format_bytes, format_tick_duration

# Okabe and Ito's palette, which colour-blind readers can tell apart, less its yellow and black: those two vanish on a
# light and on a dark page. The first is the baseline's.
SERIES = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
TEXT, MUTED, GRID, PAPER, ALARM = "#24292f", "#5f6670", "#dfe2e6", "#ffffff", "#b3261e"
# A seventh line takes the ink of the page, which turns light where the page is dark.
LINES = (*SERIES, TEXT)

FONT = "var(--jp-ui-font-family, system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif)"


def blend(colour: str, other: str, share: float) -> str:
    """`colour` with `share` (0 to 1) of `other` mixed in; both and the result are '#rrggbb'."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def lettering(colour: str) -> str:
    """A line's colour dark enough to be read as text on a light page (contrast above 4.5 to 1)."""
    if colour == TEXT:
        return TEXT
    return blend(colour, "#000000", 0.42 if colour in ("#e69f00", "#56b4e9", "#cc79a7") else 0.24)


# Each colour that may stand in a figure: its name, JupyterLab's own for it, and what it is elsewhere, light and dark.
_THEME = {
    TEXT: ("text", "--jp-ui-font-color1", TEXT, "#e8eaed"),
    MUTED: ("muted", "--jp-ui-font-color2", MUTED, "#b1b7bf"),
    GRID: ("grid", "--jp-border-color2", GRID, "#53585f"),
    PAPER: ("paper", "--jp-layout-color0", PAPER, "#1b1d20"),
    ALARM: ("alarm", "", ALARM, "#ff9a91"),
}
for _number, _colour in enumerate(SERIES):
    _THEME[_colour] = (f"series-{_number}", "", _colour, blend(_colour, "#ffffff", 0.22))
    _THEME[lettering(_colour)] = (f"letter-{_number}", "", lettering(_colour), blend(_colour, "#ffffff", 0.5))
# And those of code on a card: the page's own colours for it are too pale on the page's own paper.
_CODE = [
    ("code-paper", "", "#f5f5f5", "#26292e"),
    ("code-keyword", "", "#0a6e2e", "#6fd08c"),
    ("code-number", "", "#0b6b52", "#7bd6c0"),
    ("code-string", "", "#a91d1d", "#ffa198"),
    ("code-comment", "", "#5a616b", "#a9afb7"),
    ("code-name", "", "#0046d5", "#8ab4f8"),
]


def _rule(pages: str, shade: int, own: bool) -> str:
    """The colours on some pages: `shade` 2 for light ones and 3 for dark ones, with JupyterLab's `own` where it has them."""
    lines = [
        f"--unloop-{row[0]}:" + (f"var({row[1]},{row[shade]})" if own and row[1] else row[shade])
        for row in (*_THEME.values(), *_CODE)
    ]
    return f"{pages}{{{';'.join(lines)}}}"


# Only JupyterLab and Notebook 7 have colours to take. Colab keeps their light ones on its dark pages, ipywidgets 7 brings
# Notebook 6 paler ones, and VS Code has none: there all colours are ours.
STYLE = (
    "<style>"
    + _rule(".unloop", 2, own=False)
    + _rule('body[data-jp-theme-light="true"] .unloop', 2, own=True)
    + _rule('body[data-jp-theme-light="false"] .unloop', 3, own=True)
    + _rule('html[theme="dark"] .unloop,body.vscode-high-contrast .unloop,body.vscode-dark .unloop', 3, own=False)
    + f".unloop{{--unloop-font:{FONT};color:var(--unloop-text);font-family:var(--unloop-font)}}"
    + ".unloop svg{display:block;width:100%;height:auto;max-width:920px}.unloop svg *{stroke-linejoin:round}</style>"
)
"""CSS for anything inside class `unloop`: the variables `--unloop-text`, `-muted`, `-grid`, `-paper`, `-alarm`, `-series-0`…"""

STILL = "unloop-still"
"""The class of what stands in a widget's place; ``authoring.canonical`` knows it too, and leaves it out of what is stored."""

# Each rule stands alone: a browser that does not know :has would drop the others with it.
_HIDES_THE_STILL = (
    "<style>.{name}{{display:none}}</style><style>.jp-OutputArea-child:has(.{name}){{display:none}}</style>"
    "<style>.output_area:has(.{name}){{display:none}}</style>"
)
# Where a widget's view should be, JupyterLab, Notebook 7 and Notebook 6 write that its model is missing: bare words.
_HIDES_THE_DEAD = (
    f"<style>.jp-OutputArea:has(.{STILL}) .jp-OutputArea-output.jupyter-widgets:not(:has(*)),"
    f".output:has(.{STILL}) .jupyter-widgets-view:not(:has(*)){{display:none}}</style>"
)


def new_figure(width: float = 8.8, height: float = 4.4, left=0.085, right=0.78, bottom=0.15, top=0.955):
    """A figure of `width` by `height` inches and its one axes, in the house style. Returns (figure, axes).

    The margins are shares of the figure; the room on the right is for labels at the ends of lines.
    """
    # On a new machine matplotlib warns on the page that it is reading the fonts; nobody can act on that.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor="none")
    return figure, add_axes(figure, left, right, bottom, top)


def add_axes(figure, left: float, right: float, bottom: float, top: float):
    """One more axes on `figure`, in the house style; the margins are shares of the figure."""
    axes = figure.add_axes((left, bottom, right - left, top - bottom), facecolor="none")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set(color=GRID, linewidth=1)
    axes.tick_params(which="both", length=0, colors=MUTED, labelsize=10, pad=6)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    return axes


def log_seconds_axis(axis, low: float, high: float) -> None:
    """Put at most seven ticks between `low` and `high` seconds, written as words.

    Plain words are also what makes a frame cheap: matplotlib's own log ticks cost ten times the rest of the drawing.
    """
    powers = [10.0**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    ticks = [power for power in powers if low <= power <= high]
    if len(ticks) < 3:
        ticks = [digit * power for power in powers for digit in (1, 2, 5) if low <= digit * power <= high]
    ticks = ticks[:: math.ceil(len(ticks) / 7)]
    axis.set_ticks([], minor=True)
    axis.set_ticks(ticks, [format_tick_duration(tick) for tick in ticks])


def log_bytes_axis(axis, low: float, high: float) -> None:
    """Put at most five ticks between `low` and `high` bytes, each a power of two, written as words."""
    powers = range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1)
    ticks = [2**power for power in powers if power % math.ceil(len(powers) / 5) == 0]
    axis.set_ticks([], minor=True)
    axis.set_ticks(ticks, [format_bytes(tick) for tick in ticks])


def log_sizes_axis(axis, sizes) -> None:
    """Put the ascending `sizes` themselves as ticks, thinned until their words have room."""
    axis.set_ticks([], minor=True)
    width = axis.axes.get_window_extent().width * 72 / axis.axes.figure.dpi
    span = math.log(sizes[-1] / sizes[0]) or 1.0
    shown: list[int] = []
    for size in reversed(sizes):
        room = width * math.log(shown[-1] / size) / span if shown else math.inf
        if room > 7 * len(f"{size:,}") + 12:
            shown.append(size)
    axis.set_ticks(shown, [f"{size:,}" for size in shown])


def svg(figure, alt: str) -> str:
    """The figure as inline SVG in the page's own colours, with `alt` as what a screen reader says."""
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        figure.savefig(buffer, format="svg", facecolor="none", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    # matplotlib's own style rule names every element: inside a page it would restyle the page's icons.
    text = re.sub(r"<metadata>.*?</metadata>|<style type=\"text/css\">.*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r' width="[^"]*" height="[^"]*"', "", text, count=1)
    text = re.sub(r"'DejaVu Sans'[^;\"]*", "var(--unloop-font)", text)
    text = re.sub(r"#[0-9a-f]{6}", lambda match: variable(match[0]), text)
    text = text.replace("<svg", f'<svg role="img" aria-label="{html.escape(alt)}"', 1)
    return f'{STYLE}<div class="unloop">{text}</div>'


def variable(colour: str) -> str:
    """The CSS for one of the house colours, following the page's theme; any other colour stays as it is."""
    return f"var(--unloop-{_THEME[colour][0]})" if colour in _THEME else colour


def png(figure, scale: float = 2.0) -> bytes:
    """The figure as PNG bytes on a light rounded card, readable on light and on dark pages."""
    from matplotlib.patches import FancyBboxPatch

    width, height = figure.get_size_inches()
    card = FancyBboxPatch(
        (0.03, 0.03), width - 0.06, height - 0.06, boxstyle="round,pad=0,rounding_size=0.12",
        facecolor=PAPER, edgecolor=GRID, linewidth=1, transform=figure.dpi_scale_trans, zorder=-10,
    )  # fmt: skip
    figure.add_artist(card)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=72 * scale, facecolor="none")
    card.remove()
    return buffer.getvalue()


def publish(widget, text: str, figure=None, alt: str = "") -> None:
    """Show the live `widget`, and a still that stands in its place wherever the widget is not: see `show_still`."""
    show_still(show_live(widget), text, figure, alt)


def show_live(widget) -> str:
    """Show `widget` as an output of its own; returns the name under which it hides its still as long as it lives.

    They are two outputs: of one output that held both, a page that was saved and opened again without its kernel shows
    the widget's part, and there is nothing left of it but an error.
    """
    import ipywidgets as widgets
    from IPython.display import display

    name = f"{STILL}-{uuid.uuid4().hex[:8]}"
    hides = widgets.HTML(_HIDES_THE_STILL.format(name=name), layout=widgets.Layout(display="none"))
    box = widgets.VBox([widget, hides])
    # The widget's mime is written out here because ipywidgets 7 and 8 offer it by different methods.
    view = {"version_major": 2, "version_minor": 0, "model_id": box.model_id}
    display({"application/vnd.jupyter.widget-view+json": view}, raw=True)
    return name


def show_still(name: str, text: str, figure=None, alt: str = "") -> None:
    """Show what stands in place of the widget that `show_live` called `name`.

    Args:
        name: the widget's name.
        text: the still in words, for pages of plain text and for the comparison of outputs: no figure in it may vary.
        figure: the still as a picture; without one the still is the text.
        alt: what the picture shows, in words, for readers who do not see it.
    """
    from IPython.display import display

    bundle, metadata = {"text/plain": text}, {}
    if figure is None:
        content = f'<pre style="white-space:pre-wrap">{html.escape(text)}</pre>'
    else:
        picture = base64.b64encode(png(figure)).decode("ascii")
        width, height = (int(100 * inches) for inches in figure.get_size_inches())
        size = f'width="{width}" height="{height}"'
        content = f'<img src="data:image/png;base64,{picture}" alt="{html.escape(alt)}" {size}>'
        bundle["image/png"], metadata["image/png"] = picture, {"width": width, "height": height, "alt": alt}
    bundle["text/html"] = f'{_HIDES_THE_DEAD}<div class="{STILL} {name}">{content}</div>'
    display(bundle, raw=True, metadata=metadata)
