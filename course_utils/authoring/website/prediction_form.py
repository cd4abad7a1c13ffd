"""A lesson's predictions on the web: the reader picks an answer, and then the page uncovers the output that judges it.

A guess stays in the page: it is neither stored nor sent.
"""

from __future__ import annotations

import ast
import html
import json
import re
from collections.abc import Iterator

from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_utils.learner import race_prediction
from course_utils.learner.prediction_questions import Question
from course_utils.races import RaceResult
from course_utils.ui.predict import make_question, question_html

_JUDGES = ("race", "reveal")
_NO_GUESS = re.compile(r" \(You made no guess: [^)]*\)")


def ask_on_page(cells: list[NotebookNode]) -> None:
    """Put a form in place of each prediction's output, and mark the cells whose outputs wait for the reader's answer.

    The races and reveals between a prediction and the cell that judges it wait, and so does that cell.
    """
    code = [cell for cell in cells if cell.cell_type == "code"]
    for index, cell in enumerate(code):
        for question in _questions(cell.source):
            judge = next((end for end in range(index + 1, len(code)) if question.id in _names(code[end].source)), None)
            if judge is None:
                continue
            for later in code[index + 1 : judge + 1]:
                if later.get("outputs") and list(_names(later.source)):
                    later.metadata.setdefault("tags", []).append(waiting_class(question.id).removeprefix("tag_"))
            answer = _stored_answer(question, code[judge])
            data = {"text/plain": question.text, "text/html": form(question, answer)}
            cell.outputs = [each for each in cell.outputs if not _asks(each, question)]
            cell.outputs.append(new_output("display_data", data=data))
            if _only_asks(cell.source):
                cell.metadata.setdefault("tags", []).append("remove-input")  # the form replaces the code
    for cell in code:
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                output.data["text/html"] = _NO_GUESS.sub("", output.data["text/html"])


def form(question: Question, answer: str) -> str:
    """Return the question as HTML; the page's script adds the field and the button.

    Args:
        question: what to guess.
        answer: the measured answer in words, "" if the uncovered cell shows it.
    """
    field = {
        "id": question.id,
        "choices": question.choices,
        "low": question.low,
        "high": question.high,
        "unit": question.unit,
        "exact": question.exact,
        "answer": answer,
    }
    listed = "".join(f"<li>{html.escape(choice)}</li>" for choice in question.choices)
    choices = f"<ul>{listed}</ul>" if listed else ""
    data = html.escape(json.dumps(field, ensure_ascii=False), quote=True)
    return f'<div class="unloop unloop-predict" data-question="{data}">{question_html(question)}{choices}</div>'


def waiting_class(id: str) -> str:
    """Return the CSS class of a cell whose output waits for the answer to a prediction."""
    return f"tag_waits-for-{id}"


def race_answer(question: Question, result: RaceResult) -> str:
    """Return a race's answer to the question with the same id, in words; "" if the race decides nothing."""
    answer = race_prediction.answer(question, result)
    return "" if answer is None else question.answer_phrase(answer)


def _stored_answer(question: Question, judge: NotebookNode) -> str:
    for output in judge.outputs:
        race = output.get("metadata", {}).get("unloop", {}).get("race")
        if race is not None and RaceResult.from_json(race).race == question.id:
            return race_answer(question, RaceResult.from_json(race))
    return ""


def _asks(output: NotebookNode, question: Question) -> bool:
    words = output.get("data", {}).get("text/plain", "").split()
    return " ".join(words).startswith(f"Your guess: {' '.join(question.text.split())}")


def _only_asks(source: str) -> bool:
    """Return whether a cell only imports names and calls ``predict``."""
    statements = [node for node in ast.parse(source).body if not isinstance(node, (ast.Import, ast.ImportFrom))]
    return all(isinstance(node, ast.Expr) and _is_call(node.value, "predict") for node in statements)


def _questions(source: str) -> Iterator[Question]:
    """Yield the questions of a cell's calls of ``predict``; a call with computed arguments is left out."""
    for call in _calls(source, "predict"):
        try:
            arguments = [ast.literal_eval(each) for each in call.args]
            keywords = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
        except ValueError:
            continue
        yield make_question(*arguments, **keywords)


def _names(source: str) -> Iterator[object]:
    """Yield the first argument of each race and reveal in a cell: its name, or None if an expression computes it."""
    for name in _JUDGES:
        for call in _calls(source, name):
            yield call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None


def _calls(source: str, name: str) -> Iterator[ast.Call]:
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a magic command of IPython, such as %%writefile
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_call(node, name):
            yield node


def _is_call(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
