"""``show_broadcast``: two small arrays and what broadcasting makes of them, number by number; what is repeated is dashed.

It explains; it measures nothing, and computes nothing but where a number comes from.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_utils.core.errors import CourseError
from course_utils.frameworks.tensor_trees import to_numpy
from course_utils.ui.axes import new_figure
from course_utils.ui.publish import show_figure
from course_utils.ui.theme import MUTED, SERIES, TEXT

_CELL, _WIDTH = 0.42, 8.8  # inches
_MOST = 20  # cells, with their gaps, side by side
_NOTE = "Dashed numbers are repeated, not stored again. Drawn to explain; nothing in it was measured."


class SketchError(CourseError):
    """Arrays that cannot be drawn beside each other."""


def show_broadcast(one: Any, other: Any, result: Any, sign: str = "×") -> None:
    """Draw ``one``, ``other`` and ``result``, each in the shape of the result, and show the picture.

    Args:
        one, other: tensors of one or two dimensions whose shapes broadcast.
        result: what the operation makes of them.
        sign: stands between the two.

    Raises:
        SketchError: for shapes that do not fit or have too many dimensions or numbers to be drawn.

    >>> show_broadcast(image, gain, image * gain)  # doctest: +SKIP
    """
    parts = [to_numpy(each) for each in (one, other, result)]
    rows, columns = _shape(parts)
    height = rows + 1.5
    inches = _CELL * height + 0.35
    figure, axes = new_figure(_WIDTH, inches, left=0, right=1, bottom=0.3 / inches, top=1)
    axes.set_axis_off()
    axes.set_aspect("equal", anchor="NW")
    axes.set_xlim(-0.3, _WIDTH / _CELL - 0.3)
    axes.set_ylim(height - 0.05, 0.05)
    for place, (part, color) in enumerate(zip(parts, SERIES)):
        left = place * (columns + 1.2)
        axes.text(left, 0.65, f"shape {part.shape}", fontsize=10, color=MUTED)
        _grid(axes, left, part, (rows, columns), color)
    for place, mark in enumerate((sign, "="), start=1):
        axes.text(
            place * (columns + 1.2) - 0.6,
            0.9 + rows / 2,
            mark,
            ha="center",
            va="center",
            fontsize=15,
            color=TEXT,
        )
    figure.text(0.015, 0.1 / inches, _NOTE, fontsize=8.5, color=MUTED)
    show_figure(figure, _alt(parts, (rows, columns), sign))


def _shape(parts: list[np.ndarray]) -> tuple[int, int]:
    """The rows and columns of the result, where it can be drawn."""
    shapes = [part.shape for part in parts]
    try:
        joint = np.broadcast_shapes(*shapes[:2])
    except ValueError:
        raise SketchError(
            f"The shapes {shapes[0]} and {shapes[1]} do not fit: aligned on the right, sizes differ."
        ) from None
    if joint != shapes[2] or not all(1 <= part.ndim <= 2 for part in parts):
        raise SketchError(f"Shapes of one or two dimensions can be drawn, and their result; these are {shapes}.")
    rows, columns = joint if len(joint) == 2 else (1, joint[0])
    if not (0 < rows and 0 < columns and 3 * columns <= _MOST and rows <= _MOST):
        raise SketchError(f"A result of shape {joint} does not fit on a page; take 6 columns and {_MOST} rows at most.")
    return rows, columns


def _grid(axes: Any, left: float, part: np.ndarray, shape: tuple[int, int], color: str) -> None:
    """One cell for each number of the result; those that ``part`` itself does not hold are dashed."""
    from matplotlib.patches import Rectangle

    held = part.reshape((1, *part.shape)[-2:]).shape
    for (row, column), value in np.ndenumerate(np.broadcast_to(part, shape)):
        own = row < held[0] and column < held[1]
        x, y = left + column, 0.9 + row
        box: dict[str, Any] = {"facecolor": color, "edgecolor": "none", "alpha": 0.28 if own else 0.08}
        axes.add_patch(Rectangle((x + 0.03, y + 0.03), 0.94, 0.94, **box))
        if not own:
            edge: dict[str, Any] = {"facecolor": "none", "edgecolor": color, "linestyle": (0, (3, 2)), "linewidth": 1}
            axes.add_patch(Rectangle((x + 0.05, y + 0.05), 0.9, 0.9, **edge))
        ink = TEXT if own else MUTED
        axes.text(x + 0.5, y + 0.52, f"{value:g}", ha="center", va="center", fontsize=10, color=ink)


def _alt(parts: list[np.ndarray], shape: tuple[int, int], sign: str) -> str:
    def told(part: np.ndarray) -> str:
        held = (1, *part.shape)[-2:]
        axes = [f"{name} {whole} times" for name, own, whole in zip(("down", "across"), held, shape) if own < whole]
        return f"{part.tolist()} of shape {part.shape}" + (f", repeated {' and '.join(axes)}" if axes else "")

    one, other, result = map(told, parts)
    return f"Three grids of numbers. {one}; {sign} {other}; = {result}."
