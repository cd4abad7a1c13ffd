"""``chart``: a lesson's own picture, drawn by the lesson's own matplotlib lines, in the house style.

It gives a cell an axes and shows the result so that a dark page, a page without scripts and a screen reader all get it.
It computes nothing; races draw themselves in ``race_chart``.
"""

from __future__ import annotations

import base64
import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from course_utils import frameworks
from course_utils.core.wording import pluralize
from course_utils.frameworks import devices
from course_utils.ui import figures

if TYPE_CHECKING:
    from matplotlib.typing import RcKeyType

_EXPLAINS = "Drawn to explain. Nothing in it was measured."


@contextmanager
def chart(alt: str, height: float = 3.4, measured: bool = True) -> Iterator[Any]:
    """Yield an axes to draw on; at the end of the block the figure is signed and shown.

    Args:
        alt: what the picture shows, in words, for readers who do not see it.
        height: inches.
        measured: False for a picture that only explains; it says so, and is not signed with a machine.

    >>> with chart("Two points, the second one higher.") as axes:  # doctest: +SKIP
    ...     axes.plot([0, 1], [1, 2], "o")
    """
    import matplotlib
    from matplotlib.rcsetup import cycler

    style: dict[RcKeyType, Any] = {
        "axes.prop_cycle": cycler(color=figures.LINES),
        "axes.labelcolor": figures.MUTED,
        "text.color": figures.TEXT,
        "legend.labelcolor": figures.TEXT,
        "legend.frameon": False,
    }
    with matplotlib.rc_context(style):
        figure, axes = figures.new_figure(height=height, right=0.97, bottom=0.8 / height, top=1 - 0.4 / height)
        yield axes
        _write_ticks_in_words(axes)
        _lay_label_flat(axes)
        _darken_words(axes)
        _make_room_on_the_left(figure, axes)
        figure.text(0.015, 0.12 / height, _signature() if measured else _EXPLAINS, fontsize=8.5, color=figures.MUTED)
        show(figure, alt)


def _write_ticks_in_words(axes: Any) -> None:
    """Ticks of log axes as plain numbers, 1 2 5 10, and only powers of ten where there are many."""
    from matplotlib.ticker import LogLocator, NullLocator

    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            low, high = axis.get_view_interval()
            axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 300 * low else (1,)))
            axis.set_minor_locator(NullLocator())
            axis.set_major_formatter("{x:,.10g}")  # plain :g turns a million into 1e+06


def _lay_label_flat(axes: Any) -> None:
    """The upward axis's label above the axis, where it reads without turning one's head."""
    axes.text(0, 1.04, axes.get_ylabel(), transform=axes.transAxes, color=figures.MUTED)
    axes.set_ylabel("")


def _darken_words(axes: Any) -> None:
    """Words in a line's colour are made dark enough to be read."""
    from matplotlib.colors import to_hex

    for text in axes.texts:
        if (colour := to_hex(text.get_color())) in figures.LINES:
            text.set_color(figures.lettering(colour))


def _make_room_on_the_left(figure: Any, axes: Any) -> None:
    place = axes.get_position()
    overhang = axes.get_tightbbox().x0 / figure.bbox.width
    left = place.x0 + 0.015 - overhang
    axes.set_position((left, place.y0, place.x1 - left, place.height))


def _signature() -> str:
    libraries = [f"{name} {number}" for name, number in frameworks.versions().items() if name in frameworks.NAMES]
    counts = [framework.thread_count() for framework in frameworks.loaded()]
    threads = [pluralize(count, "thread") for count in counts if count is not None]
    return " · ".join([devices.describe(), *threads, *libraries, datetime.date.today().isoformat()])


def show(figure: Any, alt: str) -> None:
    """Show a figure in the page's own colours, as a PNG where the page is a plain one, or as ``alt``."""
    from IPython.display import display

    bundle = {
        "text/plain": alt,
        "text/html": figures.svg(figure, alt),
        "image/png": base64.b64encode(figures.png(figure)).decode("ascii"),
    }
    display(bundle, raw=True, metadata={"image/png": {"alt": alt}})
