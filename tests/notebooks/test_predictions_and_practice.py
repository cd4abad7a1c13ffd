"""Each lesson asks for predictions that a later cell judges, and has practice tasks, the first one early. Tasks and
predictions exercise its objectives.
"""

import ast
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest

from answers.practice_solution import folded_code
from cell_source import python_source
from course_utils import tasks
from course_utils.authoring import lesson_metadata, task_cell_ids

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MIN_COUNT = 3  # of predictions, and of practice tasks

every_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
every_practice = pytest.mark.parametrize("task_id", tasks.names("practice"))


@cache
def cells(path):
    return nbformat.read(path, as_version=4).cells


def calls(path, *names):
    """Yield the calls of the named functions in the lesson's code, in order: the name, the first argument, the cell."""
    for cell in cells(path):
        if cell.cell_type != "code":
            continue
        for node in ast.walk(ast.parse(python_source(cell.source))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield node.func.id, getattr(node.args[0], "value", None), cell


def practice_stubs(path):
    """Return the cells in which a learner writes a practice task, each with its position."""
    places = {cell.id: place for place, cell in enumerate(cells(path))}
    return [(places[cell.id], cell) for _, _, cell in calls(path, "check") if task_cell_ids.is_practice(cell.id)]


@every_lesson
def test_lesson_has_three_predictions_and_three_practice_tasks(path):
    predictions, written = list(calls(path, "predict")), practice_stubs(path)
    begins_early = bool(written) and 3 * written[0][0] <= len(cells(path))
    asks_enough = len(predictions) >= MIN_COUNT and len(written) >= MIN_COUNT and begins_early
    assert asks_enough, (
        f"{len(predictions)} predictions, {len(written)} practice tasks, the first one early: {begins_early}"
    )


@every_lesson
def test_each_prediction_is_judged_later(path):
    asked = {}
    for name, id, cell in calls(path, "predict", "race", "reveal"):
        if name == "predict":
            assert isinstance(id, str) and id not in asked, (
                f"the prediction of cell {cell.id!r} needs a name of its own"
            )
            asked[id] = False
        elif name == "reveal" and isinstance(id, str):
            assert id in asked, f"cell {cell.id!r} reveals {id!r}, which no earlier cell asked"
        if name != "predict" and id in asked:
            asked[id] = True
    assert all(asked.values()), f"no cell judges {[id for id, judged in asked.items() if not judged]}"


@every_lesson
def test_number_that_a_race_judges_is_a_factor_of_speed(path):
    raced = {id for _, id, _ in calls(path, "race")}
    for _, id, cell in calls(path, "predict"):
        assert id not in raced or "choices" in cell.source or "times as fast" in cell.source, id


@every_lesson
def test_lesson_reads_no_extrapolated_time(path):
    for cell in cells(path):
        assert cell.cell_type != "code" or ".timed(" not in cell.source, (
            f"cell {cell.id!r}: `timed` returns extrapolated points, too; read `result.seconds` or `result.point`"
        )


def test_prediction_names_are_unique_in_the_course():
    names = [id for path in LESSONS for _, id, _ in calls(path, "predict")]
    assert sorted(set(names)) == sorted(names), "two lessons would share a guess"


@every_practice
def test_practice_has_its_three_cells_in_a_row(task_id):
    path = ROOT / "notebooks" / f"{tasks.lesson_of(task_id)}.ipynb"
    known = [cell.id for cell in cells(path)]
    text, stub, solution = task_cell_ids.practice_ids(task_id)
    assert stub in known, f"{path.name} has no cell {stub!r}"
    place = known.index(stub)
    assert known[place - 1 : place + 2] == [text, stub, solution]


@every_lesson
def test_practice_cells_belong_to_a_task_of_the_lesson(path):
    known = tasks.ids(path.stem, "practice") if path.stem in tasks.lessons("practice") else ()
    wanted = {id for task_id in known for id in task_cell_ids.practice_ids(task_id)}
    practice_ids = {cell.id for cell in cells(path) if task_cell_ids.is_practice(cell.id)}
    assert practice_ids == wanted, (
        "practice cells are turn-NAME-text, turn-NAME and turn-NAME-solution, with the name of the task"
    )


@every_practice
def test_practice_is_stored_as_an_untouched_stub(task_id):
    path = ROOT / "notebooks" / f"{tasks.lesson_of(task_id)}.ipynb"
    text, stub, solution = (
        next(cell for cell in cells(path) if cell.id == id) for id in task_cell_ids.practice_ids(task_id)
    )
    assert [text.cell_type, stub.cell_type, solution.cell_type] == ["markdown", "code", "markdown"]
    *_, definition, check = ast.parse(stub.source).body
    assert isinstance(definition, ast.FunctionDef) and definition.name == task_id
    assert ast.get_docstring(definition) and ast.unparse(definition.body[-1]) == "..."
    assert ast.unparse(check) == f"check({task_id})"
    assert f"{task_id} is not written yet" in str(stub.outputs), "store the lesson executed"
    assert re.search(rf"^def {task_id}\(", folded_code(solution.source), re.MULTILINE)


def test_each_objective_names_what_exercises_it():
    for lesson in lesson_metadata.lessons(ROOT):
        stem = lesson.path.stem
        known = {id for _, id, _ in calls(lesson.path, "predict")}
        for kind in ("task", "practice"):
            known |= set(tasks.ids(stem, kind)) if stem in tasks.lessons(kind) else set()
        named = {name for names in lesson.exercised_by for name in names}
        assert named <= known, f"{stem} has no task and no prediction called {sorted(named - known)}"
        assert lesson.objectives, f"the first cell of {stem} lists no objectives"
        assert len(lesson.objectives) == len(lesson.exercised_by) and all(lesson.exercised_by), stem
