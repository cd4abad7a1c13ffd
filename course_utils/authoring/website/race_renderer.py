"""How MyST-NB renders a stored picture: with its alternative text, and a race as an interactive chart.

pyproject.toml registers ``RaceRenderer`` under the name ``myst_nb.mime_renderers``.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from course_utils.authoring.website import prediction_form, race_data
from course_utils.core.errors import CourseError
from course_utils.learner.prediction_questions import Question
from course_utils.races import RaceResult
from course_utils.races.finding import finding
from course_utils.ui import race_chart
from course_utils.ui.figure_export import to_png

if TYPE_CHECKING:
    from myst_nb.core.render import MimeData, NbElementRenderer
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx's entry into this extension: add the directive, and the folder with the generated style sheet and Vega.

    Raises:
        RendererMissing: if MyST-NB does not find ``RaceRenderer``.
    """
    from myst_nb.core.render import load_mime_renders

    if RaceRenderer not in load_mime_renders():
        raise RendererMissing(
            "MyST-NB does not find the course's renderer for races; install the course again, as with `make site`."
        )
    app.add_directive("race", RaceDirective)
    app.connect("builder-inited", lambda app: app.config.html_static_path.append(str(Path(app.srcdir) / "static")))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class RaceRenderer:
    """A plugin of MyST-NB for PNG pictures."""

    mime_priority_overrides: ClassVar[list[tuple[str, str, int | None]]] = []

    @staticmethod
    def handle_mime(renderer: NbElementRenderer, data: MimeData, inline: bool) -> list[nodes.Node] | None:
        """Return the nodes of a PNG with alternative text; None for any other output, which MyST-NB then renders."""
        alt = data.output_metadata.get("image/png", {}).get("alt")
        if data.mime_type != "image/png" or inline or alt is None:
            return None
        (image,) = renderer.render_image(data)
        image["alt"] = alt
        race = data.output_metadata.get("unloop", {}).get("race")
        result = None if race is None else RaceResult.from_json(race)
        # The page's script draws no peaks of memory, so a picture with both charts stays.
        return [image] if result is None or result.memory else _figure(image, result)


class RaceDirective(SphinxDirective):
    """A recorded race on a page that is not a notebook, with a prediction if there is a question: ``{race} where``."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"question": directives.unchanged, "at": int}

    def run(self) -> list[nodes.Node]:
        """Return the directive's nodes.

        Raises:
            RaceUnknown: if no machine has recorded the race.
        """
        name = self.arguments[0]
        recorded = race_data.recordings_of(name)
        if not recorded:
            raise RaceUnknown(f"No file in recordings/ holds the race {name!r}; name a recorded one.")
        image = nodes.image(alt=race_chart.alternative_text(recorded[0]), width="880", height="502")
        picture = to_png(race_chart.draw(recorded[0], headline=finding(recorded[0])))
        image["uri"] = f"data:image/png;base64,{base64.b64encode(picture).decode('ascii')}"
        figure = _figure(image, recorded[0])
        if "question" not in self.options:
            return figure
        question = Question(name, self.options["question"], at=self.options.get("at"))
        form = nodes.raw(
            text=prediction_form.form(question, prediction_form.race_answer(question, recorded[0])), format="html"
        )
        covered = nodes.container("", *figure, classes=["cell", prediction_form.waiting_class(name)])
        return [form, covered]


class RendererMissing(CourseError):
    """The installed package does not name the renderer, because pyproject.toml changed after the installation."""


class RaceUnknown(CourseError):
    """A page names a race that no machine has recorded."""


def _figure(image: nodes.image, result: RaceResult) -> list[nodes.Node]:
    """Return the picture, which is shown without JavaScript, and the data from which the page's script draws the
    chart."""
    data = race_data.script(result, race_data.recordings_of(result.race))
    opening = nodes.raw(text='<figure class="unloop unloop-race">', format="html")
    return [opening, image, nodes.raw(text=f"{data}</figure>", format="html")]
