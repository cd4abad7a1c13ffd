"""``chart``: a lesson's own picture, drawn by the lesson's own matplotlib lines, in the house style.

It gives a cell an axes and shows the result so that a dark page, a page without scripts and a screen reader all get it.
It computes nothing; races draw themselves in ``race_chart``.
"""

from __future__ import annotations

import base64
import datetime
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from course_utils import devices
from course_utils.ui import figures


@contextmanager
def chart(alt: str, height: float = 3.4) -> Iterator[Any]:
    """Yield an axes to draw on; at the end of the block the figure is signed and shown.

    Args:
        alt: what the picture shows, in words, for readers who do not see it.
        height: inches.

    >>> with chart("Two points, the second one higher.") as axes:  # doctest: +SKIP
    ...     axes.plot([0, 1], [1, 2], "o")
    """
    import matplotlib

    style = {
        "axes.prop_cycle": matplotlib.cycler(color=figures.SERIES),
        "axes.labelcolor": figures.MUTED,
        "text.color": figures.TEXT,
        "legend.labelcolor": figures.TEXT,
        "legend.frameon": False,
    }
    with matplotlib.rc_context(style):
        figure, axes = figures.new_figure(height=height, left=0.12, right=0.97, bottom=0.75 / height, top=1 - 0.12 / height)
        yield axes
        figure.text(0.99, 0.1 / height, _signature(), ha="right", fontsize=8.5, color=figures.MUTED)
        _show(figure, alt)


def _signature() -> str:
    libraries = [f"{name} {number}" for name, number in devices.versions().items() if name in devices.FRAMEWORKS]
    threads = [f"{count} thread{'s' if count != 1 else ''}" for count in _torch_threads()]
    return " · ".join([devices.describe(), *threads, *libraries, datetime.date.today().isoformat()])


def _torch_threads() -> list[int]:
    """What torch uses now; TensorFlow does not tell what it uses."""
    return [sys.modules["torch"].get_num_threads()] if "torch" in devices.loaded() else []


def _show(figure: Any, alt: str) -> None:
    from IPython.display import display

    bundle = {
        "text/plain": alt,
        "text/html": figures.svg(figure, alt),
        "image/png": base64.b64encode(figures.png(figure)).decode("ascii"),
    }
    display(bundle, raw=True)
