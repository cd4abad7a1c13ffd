"""``chart``: a lesson's own matplotlib lines in the course's style, shown for light and dark pages and for screen
readers.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from course_utils import frameworks
from course_utils.core.wording import pluralize
from course_utils.frameworks import devices
from course_utils.ui.axes import new_figure
from course_utils.ui.page_output import show_figure
from course_utils.ui.theme import LINES, MUTED, PAPER, TEXT, text_color

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.typing import RcKeyType

_LEAST_PLAIN = 1e-4
"""An axis that reaches below this value has powers of ten at all its ticks."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NOT_MEASURED = "An illustration. Nothing in it was measured."


@contextmanager
def chart(alt: str, height: float = 3.4, measured: bool = True, device: str = "cpu") -> Iterator[Axes]:
    """Return an axes to draw on; at the end of the block the figure is signed and shown.

    Args:
        alt: the picture in words, for readers who do not see it.
        height: inches.
        measured: False for a picture that only explains; it says so instead of naming a machine.
        device: the device that the signature names.

    >>> with chart("Two points, the second one higher.") as axes:  # doctest: +SKIP
    ...     axes.plot([0, 1], [1, 2], "o")
    """
    import matplotlib
    from matplotlib.rcsetup import cycler

    style: dict[RcKeyType, Any] = {
        "axes.prop_cycle": cycler(color=LINES),
        "axes.labelcolor": MUTED,
        "text.color": TEXT,
        "legend.labelcolor": TEXT,
        "legend.facecolor": PAPER,  # hides the grid behind its texts
        "legend.edgecolor": "none",
    }
    with matplotlib.rc_context(style):
        figure, axes = new_figure(height=height, right=0.97, bottom=0.8 / height, top=1 - 0.4 / height)
        yield axes
        _format_log_ticks(axes)
        _put_y_label_above(axes)
        _darken_texts(axes)
        widen_left_margin(axes)
        figure.text(0.015, 0.12 / height, _signature(device) if measured else _NOT_MEASURED, fontsize=8.5, color=MUTED)
        show_figure(figure, alt)


def _format_log_ticks(axes: Axes) -> None:
    """Put ticks of logarithmic axes at 1, 2, 5 and 10, or at powers of ten only if there are many."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            low, high = axis.get_view_interval()
            axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 300 * low else (1,)))
            axis.set_minor_locator(NullLocator())
            format_tick = _power_of_ten if low < _LEAST_PLAIN else _plain_number
            axis.set_major_formatter(FuncFormatter(format_tick))


def _plain_number(value: float, position: int | None = None) -> str:
    return f"{value:,.10g}"  # plain :g turns a million into 1e+06


def _power_of_ten(value: float, position: int | None = None) -> str:
    """Return the value with a power of ten: "10⁻⁷", "2·10⁻⁷"."""
    digits, _, exponent = f"{value:.0e}".partition("e")
    power = f"10{str(int(exponent)).translate(_SUPERSCRIPTS)}"
    return power if digits == "1" else f"{digits}·{power}"


def _put_y_label_above(axes: Axes) -> None:
    """Write the label of the vertical axis above it, horizontally."""
    axes.text(0, 1.04, axes.get_ylabel(), transform=axes.transAxes, color=MUTED)
    axes.set_ylabel("")


def _darken_texts(axes: Axes) -> None:
    """Make texts in a line's color dark enough to read."""
    from matplotlib.colors import to_hex

    for text in axes.texts:
        if (color := to_hex(text.get_color())) in LINES:
            text.set_color(text_color(color))


def widen_left_margin(axes: Axes) -> None:
    """Move the left edge of the axes, so that the tick labels fit to the left of it."""
    position = axes.get_position()
    tight_box = axes.get_tightbbox()
    overhang = 0.0 if tight_box is None else tight_box.x0 / axes.figure.bbox.width
    left = position.x0 + 0.015 - overhang
    axes.set_position((left, position.y0, position.x1 - left, position.height))


def _signature(device: str) -> str:
    libraries = [f"{name} {number}" for name, number in frameworks.versions().items() if name in frameworks.NAMES]
    counts = [framework.thread_count() for framework in frameworks.loaded()]
    threads = [pluralize(count, "thread") for count in counts if count is not None]
    return " · ".join([devices.describe(device), *threads, *libraries, datetime.date.today().isoformat()])
