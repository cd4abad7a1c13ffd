"""``reveal``: the answer to a prediction, beside what the learner said. It measures nothing; the lesson's cell did."""

import datetime
import html
from typing import Any

from course_utils.frameworks import devices
from course_utils.learner import predictions, progress_file
from course_utils.ui.card import card
from course_utils.ui.predict import question_html

_MARKS = {True: "✓", False: "✗"}


def reveal(id: str, truth: Any) -> None:
    """Show the answer to the prediction `id`, and how near the learner's guess came.

    Args:
        id: the name that `predict` gave it, in a cell above.
        truth: one of its choices; a number, or a ratio of `compare`, where it asked for a number; None where the
            measurement could not tell, as `result.fastest` may say.

    Raises:
        PredictionError: where nothing of that name was asked, and for a truth that cannot be an answer to it.
    """
    from IPython.display import display

    question = predictions.require_question(id)
    if truth is None:
        verdict = "This measurement could not tell. Run it again, then this cell: a quiet machine tells more."
    else:
        answer, said = question.check_answer(truth), question.guess
        if said is None:
            told = f"The answer: {question.answer_phrase(answer)}."
            verdict = f"{told} (You made no guess: lock one in above, and execute this cell again.)"
        else:
            right, sentence = predictions.judge(question, said, answer)
            progress_file.record_outcome(id, right)
            verdict = f"{_MARKS[right]} {sentence}"
    where = f"{devices.describe()} · {datetime.date.today().isoformat()}"
    content = (
        f'{question_html(question)}<p role="status">{html.escape(verdict)}</p>'
        f'<p class="unloop-sign">{html.escape(where)}</p>'
    )
    # One output, with the answer in its HTML: a saved page shows it without a kernel, and the text never varies.
    display(
        {"text/plain": f"Revealed: {question.text}", "text/html": card(content, f"Answer to {html.escape(id)}")},
        raw=True,
    )
