"""``predict``: asks for the learner's guess before something is measured, and saves it when the learner locks it in.

A slider asks for a measured ratio, a text field for any other number, and radio buttons for a choice. A race of the same name,
or ``reveal``, judges the guess.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence
from typing import Any

from course_utils.core.line_breaks import break_lines
from course_utils.learner import activity_listeners, prediction_questions, progress_file
from course_utils.learner.prediction_questions import Guess, Question
from course_utils.ui.card import with_code
from course_utils.ui.page_output import publish
from course_utils.ui.theme import STYLE

_QUESTION = "How many times as fast will the fastest contender be?"
_QUESTION_AT = "How many times as fast will the fastest contender be at n = {at:,}?"
_STEP = 0.05  # The step of a slider, in decimal logarithms.
_HANDLE = "#808080"  # It stays visible on light and dark pages when the slider is disabled and paler.


def predict(
    id: str,
    question: str | None = None,
    low: float = 1,
    high: float = 10_000,
    at: int | None = None,
    *,
    choices: Sequence[str] = (),
    unit: str = "×",
    exact: bool = False,
) -> None:
    """Ask for a guess before something is measured: a number from ``low`` to ``high``, or one of ``choices``.

    Args:
        id: the guess's name, unique in the course. A race of that name judges the guess as soon as it has run: a
            ratio by the headline's, and choices that are names of its contenders by the fastest of them
            (one more choice stands for "about the same"). ``reveal`` in a later cell judges any other guess.
        question: what to guess; unless given, how many times as fast the fastest contender will be. A race on a GPU
            doesn't judge a question that says "on a CPU".
        at: the race's size at which the guess is judged; unless given, the size of the race's headline, and for choices the
            largest size.
        unit: what a number counts if it is not a ratio, as in ``unit="operations"``.
        exact: whether a reader can work out the number, as a count of operations. A guess of it may be off by 10 %, and a guess
            of any other number by a factor of 2.

    Raises:
        PredictionError: for fewer than two choices, or limits other than 0 < low < high.
    """
    prediction = make_question(id, question, low, high, at, choices=choices, unit=unit, exact=exact)
    prediction_questions.register_question(prediction)
    listed = f" ({' · '.join(prediction.choices)})" if prediction.choices else ""
    publish(_card(prediction), break_lines(f"Your guess: {prediction.text}{listed}"))


def make_question(
    id: str,
    question: str | None = None,
    low: float = 1,
    high: float = 10_000,
    at: int | None = None,
    *,
    choices: Sequence[str] = (),
    unit: str = "×",
    exact: bool = False,
) -> Question:
    """Return the question that ``predict`` asks with the same arguments.

    Raises:
        PredictionError: for fewer than two choices, or limits other than 0 < low < high.
    """
    if question is None and not choices:
        question = _QUESTION if at is None else _QUESTION_AT.format(at=at)
    texts = (choices,) if isinstance(choices, str) else tuple(choices)
    return Question(id, question or "", texts, low, high, at, unit, exact)


def _card(question: Question) -> Any:
    import ipywidgets as widgets

    field, read, hint = _field(question)
    button = widgets.Button(
        description="Lock in my guess", icon="lock", button_style="primary", layout=widgets.Layout(width="auto")
    )
    earlier = question.guess
    answer = widgets.HTML(
        _status("" if earlier is None else f"You said {question.guess_phrase(earlier)}; a new guess replaces it.")
    )

    def lock(_button: Any) -> None:
        guess = read()
        if guess is None:
            answer.value = _status(hint)
            return
        keep(guess)
        for widget in (*field, button):
            widget.disabled = True

    def keep(guess: Guess) -> None:
        progress_file.record_guess(question.id, guess)
        activity_listeners.announce("guess", question.id, guess)
        answer.value = _status(f"Locked in: {question.guess_phrase(guess)}. Now run the next cells, and see.")

    def keep_late(_change: Any) -> None:
        # The page holds a value back while the kernel is busy, so a value from before the click can arrive after it.
        guess = read()
        if button.disabled and guess is not None:
            keep(guess)

    def clear_hint(_change: Any) -> None:
        if answer.value == _status(hint):
            answer.value = _status("")

    button.on_click(lock)
    field[0].observe(clear_hint, "value")
    field[0].observe(keep_late, "value")
    text = widgets.HTML(f'{STYLE}<div class="unloop">{question_html(question)}</div>')
    row = widgets.Layout(align_items="center", flex_flow="row wrap")
    return widgets.VBox([text, widgets.HBox([*field, button], layout=row), answer])


def question_html(question: Question) -> str:
    """Return the question as HTML, with text between backticks as code, and the margin within which a guess is right."""
    note = (
        f'<div style="line-height:1.5;color:var(--unloop-muted)">{question.margin_note}</div>'
        if question.margin_note
        else ""
    )
    return f'<div style="font-weight:600;line-height:1.5">{with_code(question.text)}</div>{note}'


Field = tuple[list[Any], Callable[[], Guess | None], str]
"""The widgets of a field, a function that reads the guess, and the sentence to show while there is none."""


def _field(question: Question) -> Field:
    """Return the field for the question; a slider is too coarse for a ratio that readers can work out."""
    if question.choices:
        return _radio_buttons(question)
    return _slider(question) if question.unit == "×" and not question.exact else _text(question)


def _slider(question: Question) -> Field:
    """Return a logarithmic slider and its value in words; an untouched slider is not a guess."""
    import ipywidgets as widgets

    earlier = question.guess
    start = earlier if isinstance(earlier, float) else math.sqrt(question.low * question.high)
    slider = widgets.FloatLogSlider(
        value=min(max(start, question.low), question.high), base=10, min=math.log10(question.low),
        max=math.log10(question.high), step=_STEP, readout=False, layout=widgets.Layout(width="min(420px, 60%)"),
        style={"handle_color": _HANDLE},
    )  # fmt: skip
    first = slider.value
    moved = [earlier is not None]
    reading = widgets.HTML()

    def read() -> float | None:
        return float(f"{slider.value:.2g}") if moved[0] else None

    def show(_change: Any = None) -> None:
        guess = read()
        reading.value = _reading("…" if guess is None else question.guess_phrase(guess))

    def move(change: Any) -> None:
        # The page may send back the first value, rounded differently; a learner moves the slider by a step or more.
        moved[0] = moved[0] or abs(math.log10(change["new"] / first)) > _STEP / 2
        show()

    slider.observe(move, "value")
    show()
    return [slider, reading], read, "Move the slider first."


def _text(question: Question) -> Field:
    """Return a text field for an exact number, and its unit."""
    import ipywidgets as widgets

    earlier = question.guess
    limits = f"{question.low:,.10g} to {question.high:,.10g}"
    value = f"{earlier:,.10g}" if isinstance(earlier, float) else ""
    field = widgets.Text(value=value, placeholder=limits, layout=widgets.Layout(width="12em"))
    unit = widgets.HTML(_reading(question.unit))
    return [field, unit], lambda: question.parse_guess(field.value), f"Type a number from {limits}."


def _radio_buttons(question: Question) -> Field:
    """Return the choices, none of them chosen at first."""
    import ipywidgets as widgets

    layout = widgets.Layout(width="auto", margin="2px 24px 2px 0")
    labels = [choice.replace("`", "") for choice in question.choices]  # A label shows no code.
    options = list(zip(labels, question.choices, strict=True))
    buttons = widgets.RadioButtons(options=options, value=question.guess, layout=layout)
    return [buttons], lambda: buttons.value, "Choose an answer first."


def _reading(text: str) -> str:
    style = "min-width:5em;padding-right:1em;font-weight:600;font-variant-numeric:tabular-nums"
    return f'{STYLE}<div class="unloop" style="{style}">{html.escape(text)}</div>'


def _status(sentence: str) -> str:
    return f'{STYLE}<div class="unloop" role="status">{with_code(sentence)}</div>'
