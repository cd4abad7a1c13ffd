"""The table of answers is complete, and each mistake of its authors is one sentence."""

import ast
import runpy

import nbformat
import pytest
import temporary_tasks
from nbformat.v4 import new_code_cell, new_markdown_cell
from sample_notebooks import lesson, save_notebook

import answers
from answers import table
from answers.table import AnswersTo
from answers.tricks import TRICKS
from course_utils import tasks
from course_utils.authoring.task_cell_ids import practice_ids

FILES = sorted(answers.HERE.glob("lesson_*/*.py"))


def import_answers(folder, source, task="tiled_add"):
    """Return the ``AnswersTo`` of ``source``, a file of answers to ``task``."""
    path = folder / "file.py"
    path.write_text(f"from answers import AnswersTo\nanswers = AnswersTo('{task}')\n{source}")
    return runpy.run_path(str(path))["answers"]


def functions(number, decorator):
    """Return the source of ``number`` answers, each under ``@answers.{decorator}``."""
    return "".join(f"@answers.{decorator}\ndef {decorator[:5]}_{each}(a, b): return a\n" for each in range(number))


def adds_an_answer(call):
    """Return whether ``call`` is ``answers.right(…)`` or ``answers.wrong(…)``."""
    return isinstance(call, ast.Call) and ast.unparse(call.func) in {"answers.right", "answers.wrong"}


def public_names(statement):
    """Return the names that a statement binds, without helpers and constants, each with whether it is an answer."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        bound = {statement.name: adds_an_answer((statement.decorator_list or [None])[0])}
    elif isinstance(statement, ast.Assign):
        is_answer = isinstance(statement.value, ast.Call) and adds_an_answer(statement.value.func)
        stored = [node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        bound = {name: is_answer for name in stored if name != "answers"}
    else:
        bound = {}
    return {name: is_answer for name, is_answer in bound.items() if not name.startswith("_") and not name.isupper()}


@pytest.mark.parametrize("folder", sorted({path.parent.name for path in FILES}))
def test_every_public_function_is_an_answer(folder):
    for path in sorted((answers.HERE / folder).glob("*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        names = [each for node in body for each in public_names(node).items()]
        assert len(dict(names)) == len(names), f"{path}: two answers have one name"
        if path.stem == "shared":
            assert not any(is_answer for _, is_answer in names), f"{path}: shared code holds no answers"
        else:
            assert all(is_answer for _, is_answer in names), f"{path}: decorate answers, begin helpers' names with _"


def test_every_exercise_has_a_file_of_answers_and_every_file_a_task():
    known = {f"{table.folder_of(lesson)}/{id}": id for lesson, ids in answers.lessons().items() for id in ids}
    files = {f"{path.parent.name}/{path.stem}" for path in FILES if path.stem != "shared"}
    assert not files - known.keys()
    assert {tasks.kind_of(known[place]) for place in known.keys() - files} <= {"practice"}


def test_a_decorated_function_is_an_answer(tmp_path):
    first, second = import_answers(
        tmp_path,
        "@answers.right()\ndef by_view(a, b): return a\nanswers.wrong('b', 'correct', says='two')(lambda a, b: a)",
    ).from_file
    assert (first.task, first.label, first.right) == ("tiled_add", "by view", True)
    assert (second.label, second.refused_at, second.says) == ("b", "correct", "two")


TWO_RIGHT = """
def refusing(a, b):
    if len(b) == 0 or a.shape[1] % len(b):
        raise ValueError("b does not fit")
    return a + b.repeat(a.shape[1] // len(b))
answers.right('repeat')(refusing)
answers.right('view')(refusing)
"""


def test_a_task_gets_all_tricks_and_the_mistakes_that_its_types_allow(tmp_path):
    derived = import_answers(tmp_path, TWO_RIGHT + functions(4, "wrong(line='correct')")).derived()
    assert [each.label for each in derived] == [
        *(each.label for each in TRICKS),
        *(
            "float32 for every input dtype",
            "rounded to bfloat16 inside",
            "rounded to float32 inside",
            "one value wrong by 10 tolerances",
            "one buffer for all results",
            "results cached by the identity of the inputs",
            "a result that requires a gradient",
            "a changed",
            "b changed",
        ),
        *("a swallowed error", "an error without a message", "another error"),
    ]


def test_a_file_names_its_exceptions_from_what_is_derived(tmp_path):
    source = (
        TWO_RIGHT
        + functions(4, "wrong(line='correct')")
        + "answers.exception('the slow loop itself', 'fast', says='slow')\nanswers.without('a changed')\n"
    )
    derived = {each.label: each for each in import_answers(tmp_path, source).derived()}
    assert (derived["the slow loop itself"].refused_at, derived["the slow loop itself"].says) == ("fast", "slow")
    assert "a changed" not in derived
    with pytest.raises(
        table.TableError, match="tiled_add has no derived answer 'the slow lop'; it has: a cached first answer"
    ):
        import_answers(tmp_path, f"{source}answers.without('the slow lop')").derived()


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("@answers.wrong('b', 'corect')\ndef f(a, b): ...", "There is no line 'corect' in a verdict"),
        ("@answers.wrong('b')\ndef f(a, b): ...", "There is no line '' in a verdict"),
        ("answers.exception('the slow loop itself', 'slow')", "There is no line 'slow' in a verdict"),
        ("@answers.right('x')\ndef f(a, b): ...\n@answers.right('x')\ndef g(a, b): ...", "have the label 'x'"),
        ("from functools import partial\nanswers.right()(partial(print, 1))", "An answer to tiled_add has no name of"),
        ("answers.right()(lambda a, b: a)", "An answer to tiled_add has no name of its own"),
    ],
)
def test_a_mistake_of_an_author_is_one_sentence_at_import(tmp_path, source, sentence):
    with pytest.raises(table.TableError, match=sentence):
        import_answers(tmp_path, source)


@pytest.mark.parametrize(("rights", "wrongs"), [(1, 6), (0, 6), (2, 5)])
def test_too_few_answers_are_refused(tmp_path, rights, wrongs):
    source = functions(rights, "right()") + functions(wrongs, "wrong(line='correct')")
    with pytest.raises(table.TableError, match="honest_time needs 2 right answers and 6 wrong ones or named mistakes"):
        import_answers(tmp_path, source, "honest_time").derived()


SOLUTION = "<details><summary>One way</summary>\n\n```python\ndef column_sums(x):\n    return torch.sum(x, 0)\n```\n\n</details>"


@pytest.fixture
def practice(monkeypatch, tmp_path):
    """Return the notebook of a sample lesson with one practice."""
    pytest.importorskip("torch")
    source = "from sample_task import PRACTICE\nTASK = PRACTICE\n"
    temporary_tasks.add(monkeypatch, tmp_path / "tasks", {"lesson_98_sample/practice_1_column_sums.py": source})
    monkeypatch.setattr(answers.practice_solution, "NOTEBOOKS", tmp_path)
    text, stub, solution = practice_ids("column_sums")
    cells = [
        new_code_cell("import torch\nx = torch.ones(3)", id="imports"),
        new_markdown_cell("Sum up.", id=text),
        new_code_cell("def column_sums(x):\n    ...", id=stub),
        new_markdown_cell(SOLUTION, id=solution),
    ]
    return save_notebook(lesson(*cells), tmp_path / "98_sample.ipynb")


def test_a_lessons_solution_answers_its_practice(practice):
    import torch

    assert "column_sums" in answers.lessons()["98_sample"]
    assert answers.practice_solution.load("column_sums")(torch.ones(3, 2)).tolist() == [3, 3]


def test_nothing_is_derived_for_practice_which_needs_two_wrong_answers(practice, tmp_path):
    with pytest.raises(table.TableError, match="column_sums needs 2 wrong answers or named mistakes at least"):
        import_answers(tmp_path, functions(1, "wrong(line='correct')"), "column_sums").derived()
    assert import_answers(tmp_path, functions(2, "wrong(line='correct')"), "column_sums").derived() == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def column_sums(x):\n    return", "def row_sums(x):\n    return"),
        ("```python", "```"),
        ("details>", "summary>"),
    ],
)
def test_solution_without_folded_code_is_refused(practice, before, after):
    notebook = nbformat.read(practice, as_version=4)
    notebook.cells[-1].source = notebook.cells[-1].source.replace(before, after)
    save_notebook(notebook, practice)
    with pytest.raises(
        table.TableError, match="turn-column-sums-solution' of 98_sample.ipynb folds no Python code with"
    ):
        answers.practice_solution.load("column_sums")


def test_missing_and_stray_files_of_answers_are_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(answers, "HERE", tmp_path)
    with pytest.raises(
        table.TableError, match=r"no answers to tiled_add: write them to answers/lesson_03/tiled_add\.py"
    ):
        answers.task_answers("tiled_add")
    (tmp_path / "lesson_03").mkdir()
    (tmp_path / "lesson_03" / "tile_add.py").touch()
    with pytest.raises(table.TableError, match=r"lesson_03/tile_add\.py belongs to no task of 03_element_loops"):
        answers.lesson_answers("03_element_loops")


def test_a_file_with_the_answers_to_another_task_is_refused(monkeypatch):
    other = AnswersTo("clip_into")
    monkeypatch.setattr(answers.importlib, "import_module", lambda name: type("Module", (), {"answers": other}))
    with pytest.raises(table.TableError, match="tiled_add.py holds no answers: write answers = AnswersTo"):
        answers.task_answers("tiled_add")
