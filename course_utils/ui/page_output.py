"""Shows widgets and pictures on the page, and a still in the place of a widget wherever the widget is missing."""

from __future__ import annotations

import base64
import html
import uuid
from typing import TYPE_CHECKING, Any

from course_utils.ui.figure_export import to_png, to_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STILL = "unloop-still"
"""The CSS class of a still; ``authoring.canonical_form`` also knows it and does not store the still's HTML."""

# Each rule has its own style element, because a browser that does not know :has drops all rules next to it.
_HIDE_STILL = (
    "<style>.{name}{{display:none}}</style><style>.jp-OutputArea-child:has(.{name}){{display:none}}</style>"
    "<style>.output_area:has(.{name}){{display:none}}</style>"
)
# In place of a missing widget, JupyterLab, Notebook 7 and Notebook 6 write a plain sentence about its missing model.
_HIDE_MISSING_WIDGET = (
    f"<style>.jp-OutputArea:has(.{STILL}) .jp-OutputArea-output.jupyter-widgets:not(:has(*)),"
    f".output:has(.{STILL}) .jupyter-widgets-view:not(:has(*)){{display:none}}</style>"
)
# The outline of ipywidgets has nearly the color of a primary button.
_SHOW_FOCUS = (
    "<style>.jupyter-widgets.jupyter-button:focus-visible"
    "{outline:2px solid var(--jp-ui-font-color1,currentcolor)}</style>"
)


def publish(widget: Any, text: str, figure: Figure | None = None, alt: str = "", race: str = "") -> None:
    """Show the live ``widget``, and a still if the widget is missing; see ``show_still`` for the arguments."""
    show_still(show_live(widget), text, figure, alt, race)


def show_live(widget: Any) -> str:
    """Show ``widget`` as an output of its own and return a name for its still, which the widget hides.

    Widget and still are two outputs: if one output held both, a page that was saved and opened again without its kernel
    would show the widget's part, which is then only an error.
    """
    import ipywidgets as widgets
    from IPython.display import display

    name = f"{STILL}-{uuid.uuid4().hex[:8]}"
    hides = widgets.HTML(_SHOW_FOCUS + _HIDE_STILL.format(name=name), layout=widgets.Layout(display="none"))
    box = widgets.VBox([widget, hides])
    # The widget's MIME type is written out here because ipywidgets 7 and 8 offer it by different methods.
    view = {"version_major": 2, "version_minor": 0, "model_id": box.model_id}
    display({"application/vnd.jupyter.widget-view+json": view}, raw=True)
    return name


def show_still(name: str, text: str, figure: Figure | None = None, alt: str = "", race: str = "") -> None:
    """Show the still of a widget.

    Args:
        name: what ``show_live`` returned for the widget.
        text: the still in words, for plain text and for the comparison of outputs: no number in it may vary.
        figure: the still as a picture; without one the still is the text.
        alt: the picture in words, for readers who do not see it.
        race: the race that the picture shows, as JSON; the site draws it from the output's metadata, ``unloop.race``.
    """
    from IPython.display import display

    bundle: dict[str, str] = {"text/plain": text}
    metadata: dict[str, dict[str, Any]] = {"unloop": {"race": race}} if race else {}
    if figure is None:
        content = f'<pre style="white-space:pre-wrap">{html.escape(text)}</pre>'
    else:
        bundle["image/png"], shape = _picture(figure)
        size = f'width="{shape["width"]}" height="{shape["height"]}"'
        content = f'<img src="data:image/png;base64,{bundle["image/png"]}" alt="{html.escape(alt)}" {size}>'
        metadata["image/png"] = {**shape, "alt": alt}
    bundle["text/html"] = f'{_HIDE_MISSING_WIDGET}<div class="{STILL} {name}">{content}</div>'
    display(bundle, raw=True, metadata=metadata)


def show_figure(figure: Figure, alt: str) -> None:
    """Show a figure as SVG in the page's own colors, with a PNG for plain pages and ``alt`` as its text."""
    from IPython.display import display

    picture, shape = _picture(figure)
    bundle = {"text/plain": alt, "text/html": to_svg(figure, alt), "image/png": picture}
    display(bundle, raw=True, metadata={"image/png": {**shape, "alt": alt}})


def _picture(figure: Figure) -> tuple[str, dict[str, int]]:
    """Return the figure as a PNG in base64, and the width and height in which a page shows it."""
    width, height = (int(100 * inches) for inches in figure.get_size_inches())
    return base64.b64encode(to_png(figure)).decode("ascii"), {"width": width, "height": height}
