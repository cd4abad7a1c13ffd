"""Turns a matplotlib figure into a picture: SVG in the page's own colors, or a small PNG on a light card of its own.

A figure is drawn once, in the light colors. A live page shows the SVG; a page without widgets shows the PNG.
"""

from __future__ import annotations

import html
import io
import re
from typing import TYPE_CHECKING

import numpy as np

from course_utils.ui.theme import GRID, PAPER, STYLE, css_variable

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from PIL.Image import Image

_COLORS = 24
"""Colors of a PNG: enough for seven lines, their names and the edges of letters, and a fifth of the bytes of true
color.
"""
_SCALES = (2.0, 1.8, 1.6, 1.5, 1.4, 1.2)
"""Pixels per point of a PNG, tried in this order. A page shows a picture with 100 pixels per inch, 1.4 pixels per
point.
"""
MOST_PNG_BYTES = 25_000
"""Bytes of a PNG, because notebooks store their pictures. Most bytes are the edges of letters, which fewer pixels
reduce.
"""


def to_svg(figure: Figure, alt: str) -> str:
    """Return the figure as inline SVG in the page's own colors; a screen reader reads ``alt``."""
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
    text = re.sub(r"#[0-9a-f]{6}", lambda match: css_variable(match[0]), text)
    text = text.replace("<svg", f'<svg role="img" aria-label="{html.escape(alt)}"', 1)
    return f'{STYLE}<div class="unloop">{text}</div>'


def to_png(figure: Figure) -> bytes:
    """Return the figure as a palette PNG on a light rounded card, readable on light and on dark pages, in few bytes."""
    for scale in _SCALES:
        png = _draw_png(figure, scale)
        if len(png) <= MOST_PNG_BYTES:
            break
    return png


def _draw_png(figure: Figure, scale: float) -> bytes:
    from matplotlib.patches import FancyBboxPatch
    from PIL import Image

    width, height = figure.get_size_inches()
    card = FancyBboxPatch(
        (0.03, 0.03), width - 0.06, height - 0.06, boxstyle="round,pad=0,rounding_size=0.12",
        facecolor=PAPER, edgecolor=GRID, linewidth=1, transform=figure.dpi_scale_trans, zorder=-10,
    )  # fmt: skip
    figure.add_artist(card)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="rgba", dpi=72 * scale, facecolor="none")
    card.remove()
    pixels = int(width * 72 * scale), int(height * 72 * scale)
    small = io.BytesIO()
    # The highest level would take two and a half times as long for a twentieth of the bytes.
    _with_palette(Image.frombytes("RGBA", pixels, buffer.getvalue())).save(
        small, "png", compress_level=8, transparency=_COLORS
    )
    return small.getvalue()


def _with_palette(image: Image) -> Image:
    """Return the RGBA image with a palette of ``_COLORS`` colors, and the index ``_COLORS`` for transparent pixels.

    Pillow's own palettes follow the number of pixels and turn a thin blue line green. Here the palette starts with the
    colors that are frequent and far from those already chosen, and k-means moves each to the mean of its pixels.
    """
    from PIL import Image

    opaque = Image.new("RGB", image.size, PAPER)
    opaque.paste(image, mask=image.getchannel("A"))
    codes = np.frombuffer(opaque.convert("RGBA").tobytes(), np.uint32)  # one integer per pixel
    # A picture has a million pixels but only some 20,000 runs of equal ones, and only the runs are sorted.
    starts = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
    lengths = np.diff(starts, append=len(codes))
    distinct, runs = np.unique(codes[starts], return_inverse=True)
    colors = distinct.view(np.uint8).reshape(-1, 4)[:, :3].astype(float)
    weights = np.bincount(runs, weights=lengths) ** 0.75
    palette = colors[[np.argmax(weights)]]
    nearest = np.full(len(colors), np.inf)
    while len(palette) < _COLORS:
        nearest = np.minimum(nearest, ((colors - palette[-1]) ** 2).sum(1))
        palette = np.vstack([palette, colors[np.argmax(nearest * weights)]])
    for _ in range(5):
        labels = ((palette**2).sum(1) - 2 * colors @ palette.T).argmin(1)  # the squared distance without colors**2
        share = np.bincount(labels, weights, _COLORS)
        sums = np.column_stack([np.bincount(labels, weights * channel, _COLORS) for channel in colors.T])
        moves = np.flatnonzero(share)
        moves = moves[moves > 0]  # the first color is the paper's and stays exact
        palette[moves] = sums[moves] / share[moves, None]
    indices = np.repeat(labels[runs], lengths).reshape(image.height, image.width)
    indices[np.asarray(image)[..., 3] < 128] = _COLORS
    reduced = Image.fromarray(indices.astype(np.uint8), "P")
    reduced.putpalette(palette.round().astype(np.uint8).tobytes() + bytes(3))
    return reduced
