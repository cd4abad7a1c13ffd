"""Learners do, they don't watch: each lesson asks for predictions that it settles, and for turns that it checks. Reads JSON only."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

from course_utils import tasks
from course_utils.authoring import task_cells

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LEAST = 3  # predictions, and turns

every_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
every_practice = pytest.mark.parametrize("task_id", tasks.names("practice"))


def cells(path):
    return nbformat.read(path, as_version=4).cells


def calls(path, *names):
    """The calls of these functions in the lesson's code, in order: the name, the first argument, the cell."""
    for cell in cells(path):
        if cell.cell_type != "code":
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield node.func.id, getattr(node.args[0], "value", None), cell


def turns(path):
    """The places of the cells in which a reader writes, and the function that each checks."""
    places = {cell.id: place for place, cell in enumerate(cells(path))}
    return [(places[cell.id], cell) for _, _, cell in calls(path, "check") if task_cells.is_practice(cell.id)]


@every_lesson
def test_a_lesson_asks_for_three_predictions_and_three_turns_and_begins_early(path):
    predictions, written = list(calls(path, "predict")), turns(path)
    begins_early = bool(written) and 3 * written[0][0] <= len(cells(path))
    asks_enough = len(predictions) >= LEAST and len(written) >= LEAST and begins_early
    assert asks_enough, (
        f"{len(predictions)} predictions, {len(written)} turns, the first in the first third: {begins_early}"
    )


@every_lesson
def test_every_prediction_is_judged_further_down(path):
    asked = {}
    for name, id, cell in calls(path, "predict", "race", "reveal"):
        if name == "predict":
            assert isinstance(id, str) and id not in asked, f"cell {cell.id!r} gives its prediction no name of its own"
            asked[id] = False
        elif name == "reveal" and isinstance(id, str):
            assert id in asked, f"cell {cell.id!r} settles {id!r}, which no cell above asked"
        if name != "predict" and id in asked:
            asked[id] = True
    assert all(asked.values()), f"nobody judges {[id for id, judged in asked.items() if not judged]}"


def test_a_predictions_name_is_one_lessons():
    names = [id for path in LESSONS for _, id, _ in calls(path, "predict")]
    assert sorted(set(names)) == sorted(names), "the guesses of two lessons would be one"


@every_practice
def test_a_practice_task_has_its_three_cells_one_below_the_other(task_id):
    path = ROOT / "notebooks" / f"{tasks.lesson_of(task_id)}.ipynb"
    known = [cell.id for cell in cells(path)]
    text, stub, solution = task_cells.practice_ids(task_id)
    assert stub in known, f"{path.name} has no cell {stub!r}"
    place = known.index(stub)
    assert known[place - 1 : place + 2] == [text, stub, solution]


@every_lesson
def test_every_turn_belongs_to_a_practice_task_of_the_lesson(path):
    known = tasks.ids(path.stem, "practice") if path.stem in tasks.lessons("practice") else ()
    wanted = {id for task_id in known for id in task_cells.practice_ids(task_id)}
    found = {cell.id for cell in cells(path) if task_cells.is_practice(cell.id)}
    assert found == wanted, "a turn's cells are turn-NAME-text, turn-NAME, turn-NAME-solution, NAME that of its task"


@every_practice
def test_a_turn_is_an_untouched_stub_and_its_check(task_id):
    path = ROOT / "notebooks" / f"{tasks.lesson_of(task_id)}.ipynb"
    text, stub, solution = (
        next(cell for cell in cells(path) if cell.id == id) for id in task_cells.practice_ids(task_id)
    )
    assert [text.cell_type, stub.cell_type, solution.cell_type] == ["markdown", "code", "markdown"]
    *_, definition, check = ast.parse(stub.source).body
    assert isinstance(definition, ast.FunctionDef) and definition.name == task_id
    assert ast.get_docstring(definition) and ast.unparse(definition.body[-1]) == "..."
    assert ast.unparse(check) == f"check({task_id})"
    assert f"{task_id} is not written yet" in str(stub.outputs), "store the lesson executed"
    assert re.search(rf"^def {task_id}\(", task_cells.folded_code(solution.source) or "", re.MULTILINE)
