"""``reveal``: the answer to a prediction, next to the learner's guess."""

from __future__ import annotations

import datetime
import html
import math
from typing import Any

from course_utils.frameworks import devices
from course_utils.learner import activity_listeners, prediction_questions, progress_file
from course_utils.timing import Ratio
from course_utils.ui.card import card, with_code
from course_utils.ui.predict import question_html

_MARKS = {True: "✓", False: "✗"}


def reveal(id: str, truth: Any) -> None:
    """Show the answer to the prediction ``id``, and how near the learner's guess is.

    Args:
        id: the prediction's name, as a ``predict`` in a cell above gives it.
        truth: one of the prediction's choices or, if it asks for a number, the number (an integer is an exact count) or a
            ratio of ``compare``. If the measurement cannot decide, the truth is None or NaN, which ``result.fastest`` and
            ``result.seconds`` may return.

    Raises:
        PredictionError: if no prediction has that name, and for a truth that cannot be its answer.
    """
    from IPython.display import display

    question = prediction_questions.require_question(id)
    if _is_undecided(truth):
        verdict = "This measurement cannot decide. Repeat it on a quiet machine (in a race, press Run), then this cell."
    else:
        answer, guess = question.check_answer(truth), question.guess
        activity_listeners.announce("truth", id, answer)
        if guess is None:
            verdict = (
                f"The answer: {question.answer_phrase(answer)}. (You made no guess: lock one in above, and run this "
                "cell again.)"
            )
        else:
            right, sentence = prediction_questions.judge(question, guess, answer)
            progress_file.record_outcome(id, right)
            verdict = f"{_MARKS[right]} {sentence}"
    signature = f"{devices.describe()} · {datetime.date.today().isoformat()}"
    content = (
        f'{question_html(question)}<p role="status">{with_code(verdict)}</p>'
        f'<p class="unloop-sign">{html.escape(signature)}</p>'
    )
    # One output with the answer in its HTML: a saved page shows it without a kernel, and the text never varies.
    page = card(content, f"Answer to {html.escape(id)}")
    display({"text/plain": f"Revealed: {question.text}", "text/html": page}, raw=True)


def _is_undecided(truth: Any) -> bool:
    value = truth.value if isinstance(truth, Ratio) else truth
    return value is None or (isinstance(value, float) and math.isnan(value))
