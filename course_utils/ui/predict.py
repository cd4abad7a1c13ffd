"""The learner's guess before something is measured: a slider or a few choices, and a button that locks it in.

It keeps the guess with the learner's progress and measures nothing. A race of the same name judges it, or ``reveal``.
"""

import html
import math
import re
from collections.abc import Sequence

from course_utils.learner import predictions, progress_file
from course_utils.learner.predictions import Guess, Question
from course_utils.ui.publish import publish
from course_utils.ui.theme import STYLE

_QUESTION = "How many times faster will the fastest contender be?"
_QUESTION_AT = "How many times faster will the fastest contender be at n = {at:,}?"


def predict(
    id: str,
    question: str | None = None,
    low: float = 1,
    high: float = 10_000,
    at: int | None = None,
    *,
    choices: Sequence[str] = (),
    unit: str = "×",
) -> None:
    """Ask for a guess before something is measured: a number on a log scale from `low` to `high`, or one of `choices`.

    Args:
        id: the guess's name, unique in the course. A race of that name judges the guess by itself as soon as it is measured:
            a factor against the fastest contender, and choices that are names of its contenders against the fastest at
            `at` (one more choice stands for "about the same"). Any other guess is judged by `reveal` in a later cell.
        question: what to guess; unless given, how many times faster the fastest contender will be.
        at: a size of the race, at which the guess is judged; unless given, wherever the race's headline is.
        unit: what a number counts that is no factor, as in ``unit="operations"``.

    Raises:
        PredictionError: for choices that leave none, and unless 0 < low < high.
    """
    if question is None and not choices:
        question = _QUESTION if at is None else _QUESTION_AT.format(at=at)
    texts = (choices,) if isinstance(choices, str) else tuple(choices)
    asked = Question(id, question or "", texts, low, high, at, unit)
    predictions.register_question(asked)
    choices_told = f" ({', '.join(asked.choices)})" if asked.choices else ""
    publish(_card(asked), f"Your guess: {asked.text}{choices_told}")


def _card(question: Question):
    import ipywidgets as widgets

    field, beside = _choice(question) if question.choices else _slider(question)
    button = widgets.Button(
        description="Lock in my guess", icon="lock", button_style="primary", layout=widgets.Layout(width="auto")
    )
    kept = question.guess
    answer = widgets.HTML(_said("" if kept is None else f"You said {question.phrase(kept)}; a new guess replaces it."))

    def lock(_button) -> None:
        said: Guess | None = field.value if question.choices else float(f"{field.value:.2g}")
        if said is None:
            answer.value = _said("Choose one of them first.")
            return
        progress_file.record_guess(question.id, said)
        field.disabled = button.disabled = True
        answer.value = _said(f"Locked in: {question.phrase(said)}. Now run what follows, and see.")

    button.on_click(lock)
    asked = widgets.HTML(f'{STYLE}<div class="unloop">{question_html(question)}</div>')
    row = widgets.Layout(align_items="center", flex_flow="row wrap")
    return widgets.VBox([asked, widgets.HBox([field, *beside, button], layout=row), answer])


def question_html(question: Question) -> str:
    """The question as HTML, with what stands between backticks as code."""
    text = re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(question.text))
    return f'<div style="font-weight:600">{text}</div>'


def _slider(question: Question):
    """A logarithmic slider, and beside it what it says."""
    import ipywidgets as widgets

    low, high, kept = question.low, question.high, question.guess
    start = min(max(kept or math.sqrt(low * high), low), high)
    slider = widgets.FloatLogSlider(
        value=start, base=10, min=math.log10(low), max=math.log10(high), step=0.05, readout=False,
        layout=widgets.Layout(width="min(420px, 60%)"),
    )  # fmt: skip
    reading = widgets.HTML(_reading(question.phrase(start)))
    slider.observe(lambda change: setattr(reading, "value", _reading(question.phrase(change["new"]))), "value")
    return slider, [reading]


def _choice(question: Question):
    """The choices, none of them chosen before the learner has."""
    import ipywidgets as widgets

    return widgets.RadioButtons(
        options=question.choices, value=question.guess, layout=widgets.Layout(width="auto", margin="2px 24px 2px 0")
    ), []


def _reading(number: str) -> str:
    return (
        f'{STYLE}<div class="unloop" style="min-width:5em;padding-right:1em;font-weight:600;font-variant-numeric:tabular-nums">'
        f"{html.escape(number)}</div>"
    )


def _said(sentence: str) -> str:
    return f'{STYLE}<div class="unloop" role="status">{html.escape(sentence)}</div>'
