"""``show_broadcast``: two small arrays and the result of broadcasting them; repeated values are dashed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from course_utils.core.errors import CourseError
from course_utils.core.wording import enumerate_words
from course_utils.frameworks.tensor_trees import to_numpy
from course_utils.ui.axes import new_figure
from course_utils.ui.page_output import show_figure
from course_utils.ui.theme import MUTED, SERIES, TEXT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CELL, _WIDTH = 0.42, 8.8
"""The side of a cell and the width of the figure, in inches."""
_MOST_CELLS = 20
"""The most cells in a row of all three grids together, and the most rows of a grid."""
_NOTE = "Dashed values are repeated, not stored again. An illustration; nothing in it was measured."


class SketchError(CourseError):
    """Arrays that cannot be drawn next to each other."""


def show_broadcast(one: Any, other: Any, result: Any) -> None:
    """Draw ``one × other = result``, each in the shape of the result, and show the picture.

    Args:
        one, other: tensors of one or two dimensions whose shapes broadcast.
        result: their product.

    Raises:
        SketchError: for shapes that do not broadcast, or have too many dimensions or elements for a drawing.

    >>> show_broadcast(image, gain, image * gain)  # doctest: +SKIP
    """
    parts = [to_numpy(each) for each in (one, other, result)]
    rows, columns = _result_shape(parts)
    height = rows + 1.5
    inches = _CELL * height + 0.35
    figure, axes = new_figure(_WIDTH, inches, left=0, right=1, bottom=0.3 / inches, top=1)
    axes.set_axis_off()
    axes.set_aspect("equal", anchor="NW")
    axes.set_xlim(-0.3, _WIDTH / _CELL - 0.3)
    axes.set_ylim(height - 0.05, 0.05)
    for index, (part, color) in enumerate(zip(parts, SERIES)):
        left = index * (columns + 1.2)
        axes.text(left, 0.65, f"shape {part.shape}", fontsize=10, color=MUTED)
        _draw_grid(axes, left, part, (rows, columns), color)
    for index, mark in enumerate("×=", start=1):
        x, y = index * (columns + 1.2) - 0.6, 0.9 + rows / 2
        axes.text(x, y, mark, ha="center", va="center", fontsize=15, color=TEXT)
    figure.text(0.015, 0.1 / inches, _NOTE, fontsize=8.5, color=MUTED)
    show_figure(figure, _alternative_text(parts, (rows, columns)))


def _result_shape(parts: list[np.ndarray]) -> tuple[int, int]:
    """Return the rows and columns of the result, if it can be drawn."""
    shapes = [part.shape for part in parts]
    try:
        broadcast = np.broadcast_shapes(*shapes[:2])
    except ValueError:
        raise SketchError(
            f"The shapes {shapes[0]} and {shapes[1]} do not broadcast: aligned on the right, their sizes differ."
        ) from None
    if broadcast != shapes[2] or not all(1 <= part.ndim <= 2 for part in parts):
        raise SketchError(f"Pass two tensors of one or two dimensions and their result; got the shapes {shapes}.")
    rows, columns = broadcast if len(broadcast) == 2 else (1, broadcast[0])
    if not (0 < rows and 0 < columns and 3 * columns <= _MOST_CELLS and rows <= _MOST_CELLS):
        raise SketchError(
            f"A result of shape {broadcast} does not fit on a page; use 6 columns and {_MOST_CELLS} rows at most."
        )
    return rows, columns


def _draw_grid(axes: Axes, left: float, part: np.ndarray, shape: tuple[int, int], color: str) -> None:
    """Draw a cell for each element of the result; elements that ``part`` repeats are dashed."""
    from matplotlib.patches import Rectangle

    stored = part.reshape((1, *part.shape)[-2:]).shape
    for (row, column), value in np.ndenumerate(np.broadcast_to(part, shape)):
        is_stored = row < stored[0] and column < stored[1]
        x, y = left + column, 0.9 + row
        box: dict[str, Any] = {"facecolor": color, "edgecolor": "none", "alpha": 0.28 if is_stored else 0.08}
        axes.add_patch(Rectangle((x + 0.03, y + 0.03), 0.94, 0.94, **box))
        if not is_stored:
            edge: dict[str, Any] = {"facecolor": "none", "edgecolor": color, "linestyle": (0, (3, 2)), "linewidth": 1}
            axes.add_patch(Rectangle((x + 0.05, y + 0.05), 0.9, 0.9, **edge))
        text_color = TEXT if is_stored else MUTED
        axes.text(x + 0.5, y + 0.52, f"{value:g}", ha="center", va="center", fontsize=10, color=text_color)


def _alternative_text(parts: list[np.ndarray], shape: tuple[int, int]) -> str:
    def describe(part: np.ndarray) -> str:
        stored = (1, *part.shape)[-2:]
        axes = [f"{name} {whole} times" for name, own, whole in zip(("down", "across"), stored, shape) if own < whole]
        return f"{part.tolist()} of shape {part.shape}" + (f", repeated {enumerate_words(axes)}" if axes else "")

    one, other, result = map(describe, parts)
    return f"Three grids of values. {one}; × {other}; = {result}."
