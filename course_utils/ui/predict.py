"""The learner's guess before a race: a slider, a button, and afterwards a kind word on how far off it was.

It keeps the guess with the learner's progress and measures nothing; the race's chart draws it.
"""

import html
import math

from course_utils.ground.errors import CourseError
from course_utils.ground.wording import about, multiple
from course_utils.learner import store
from course_utils.ui import figures

_QUESTION = "How many times faster will the fastest contender be?"


class GuessRangeError(CourseError):
    """A range that no slider can show."""


def predict(race_id: str, question: str | None = None, low: float = 1, high: float = 10_000) -> None:
    """Ask how many times faster the fast way of the race `race_id` will be, on a log scale from `low` to `high`.

    Raises:
        GuessRangeError: unless 0 < low < high.
    """
    if not all(isinstance(end, (int, float)) for end in (low, high)) or not 0 < low < high < math.inf:
        raise GuessRangeError(
            f"A guess between {low!r} and {high!r} cannot be made; give low and high with 0 < low < high."
        )
    question = question or _QUESTION
    figures.publish(_card(race_id, question, low, high), f"Your guess: {question}")


def remark(guess: float, ratio: float) -> str:
    """How far off `guess` was from the measured `ratio`, in a kind sentence."""
    factor = max(guess / ratio, ratio / guess)
    told = f"You guessed {about(guess)} and it was {multiple(ratio)}"
    if factor < 1.25:
        return f"{told}: spot on."
    if factor < 2:
        return f"{told}: close."
    off = f"too {'low' if ratio > guess else 'high'} by a factor of {about(factor).rstrip('×')}"
    if factor < 10:
        return f"{told}: {off}, about the right order of magnitude."
    return f"{told}: {off}. Surprises like this one are what races are for."


def _card(race_id: str, question: str, low: float, high: float):
    import ipywidgets as widgets

    kept = store.guess(race_id)
    start = min(max(kept or math.sqrt(low * high), low), high)
    slider = widgets.FloatLogSlider(
        value=start, base=10, min=math.log10(low), max=math.log10(high), step=0.05, readout=False,
        layout=widgets.Layout(width="min(420px, 60%)"),
    )  # fmt: skip
    reading = widgets.HTML(_reading(start))
    button = widgets.Button(
        description="Lock in my guess", icon="lock", button_style="primary", layout=widgets.Layout(width="auto")
    )
    answer = widgets.HTML(_said(f"You said {about(kept)}; a new guess replaces it." if kept else ""))

    def lock(_button) -> None:
        store.record_guess(race_id, float(f"{slider.value:.2g}"))
        slider.disabled = button.disabled = True
        answer.value = _said(f"Locked in: {about(slider.value)}. Now run the race and see.")

    slider.observe(lambda change: setattr(reading, "value", _reading(change["new"])), "value")
    button.on_click(lock)
    asked = widgets.HTML(f'{figures.STYLE}<div class="unloop" style="font-weight:600">{html.escape(question)}</div>')
    return widgets.VBox(
        [asked, widgets.HBox([slider, reading, button], layout=widgets.Layout(align_items="center")), answer]
    )


def _reading(ratio: float) -> str:
    return (
        f'{figures.STYLE}<div class="unloop" style="min-width:5em;font-weight:600;font-variant-numeric:tabular-nums">'
        f"{about(ratio)}</div>"
    )


def _said(sentence: str) -> str:
    return f'{figures.STYLE}<div class="unloop" role="status">{html.escape(sentence)}</div>'
