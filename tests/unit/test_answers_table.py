"""The table of answers leaves none out, and what an author of answers can do wrong is one sentence."""

import ast
import runpy

import made_up_lessons
import nbformat
import pytest
from made_up_notebooks import lesson, saved
from nbformat.v4 import new_code_cell, new_markdown_cell

import answers
from answers import table
from answers.tricks import TRICKS
from course_utils.authoring.practice import ids

FILES = sorted(answers.HERE.glob("lesson_*/*.py"))


@pytest.fixture
def pages(monkeypatch):
    """An empty table."""
    monkeypatch.setattr(table, "PAGES", {})
    monkeypatch.setattr(answers, "PAGES", table.PAGES)
    return table.PAGES


def imported(folder, source, module="answers.lesson_03.tiled_add"):
    """Import ``source`` as if it were that module."""
    path = folder / "file.py"
    path.write_text(f"from answers.table import exception, right, wrong\n{source}")
    return runpy.run_path(str(path), run_name=module)


def functions(number, decorator):
    return "".join(f"@{decorator}\ndef way_{number}_{each}(a, b): return a\n" for each in range(number))


def adds_an_answer(call):
    """Whether it is ``right(…)`` or ``wrong(…)``."""
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in {"right", "wrong"}


def public_names(statement):
    """The names that a statement binds and that are not visibly helpers or constants, and whether they are answers."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        bound = {statement.name: adds_an_answer((statement.decorator_list or [None])[0])}
    elif isinstance(statement, ast.Assign):
        is_answer = isinstance(statement.value, ast.Call) and adds_an_answer(statement.value.func)
        stored = [node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        bound = dict.fromkeys(stored, is_answer)
    else:
        bound = {}
    return {name: is_answer for name, is_answer in bound.items() if not name.startswith("_") and not name.isupper()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_public_function_in_a_file_of_answers_is_one(path):
    names = [each for node in ast.parse(path.read_text(encoding="utf-8")).body for each in public_names(node).items()]
    assert len(dict(names)) == len(names), "one name stands for two answers"
    if path.stem == "shared":
        assert not any(is_answer for _, is_answer in names), "what is shared belongs to no task"
    else:
        assert all(is_answer for _, is_answer in names), "decorate each answer, and let helpers begin with _"


def test_every_task_has_a_file_of_answers_and_every_file_a_task():
    wanted = {f"{table.folder_of(lesson)}/{id}" for lesson, ids in answers.lessons().items() for id in ids}
    assert {f"{path.parent.name}/{path.stem}" for path in FILES if path.stem != "shared"} == wanted


def test_a_decorated_function_is_an_answer_to_its_files_task(pages, tmp_path):
    imported(
        tmp_path, "@right()\ndef by_view(a, b): return a\n@wrong('b twice', 'correct', says='b')\ndef w(a, b): ...\n"
    )
    first, second = pages["tiled_add"].answers
    assert (first.task, first.label, first.right) == ("tiled_add", "by view", True)
    assert (second.label, second.refused_at, second.says) == ("b twice", "correct", "b")


def test_every_trick_is_tried_on_a_task_unless_its_file_says_otherwise(pages, tmp_path):
    task = "answers.lesson_01.honest_time"
    enough = functions(2, "right()") + functions(6, "wrong(line='correct')")
    imported(tmp_path, enough, task)
    assert [each.label for each in pages["honest_time"].tricks()] == [each.label for each in TRICKS]
    imported(
        tmp_path, "exception('the slow loop itself', 'fast', says='slow')\nexception('the check forged', None)", task
    )
    slow, *others = pages["honest_time"].tricks()
    assert (slow.refused_at, slow.says) == ("fast", "slow")
    assert "the check forged" not in [each.label for each in others]


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("@wrong('b', 'corect')\ndef f(a, b): ...", "There is no line 'corect' in a verdict"),
        ("@wrong('b')\ndef f(a, b): ...", "There is no line '' in a verdict"),
        (
            "@right()\ndef f(a, b): ...\n@right()\ndef f(a, b): ...",
            "Two answers to tiled_add have the name or label 'f'",
        ),
        ("@right('x')\ndef f(a, b): ...\n@right('y')\ndef f(a, b): ...", "have the name or label 'y'"),
        ("@right('x')\ndef f(a, b): ...\n@right('x')\ndef g(a, b): ...", "have the name or label 'x'"),
        ("from functools import partial\nright()(partial(print, 1))", "An answer to tiled_add has no name of its own"),
        ("exception('the slow lop', 'fast')", "There is no trick 'the slow lop'"),
    ],
)
def test_what_an_author_does_wrong_is_one_sentence_at_import(pages, tmp_path, source, sentence):
    with pytest.raises(table.TableError, match=sentence):
        imported(tmp_path, source)


@pytest.mark.parametrize("module", ["answers.lesson_03.tiled_ad", "answers.lesson_01.tiled_add", "answers.lesson_99.x"])
def test_answers_to_no_task_are_refused_at_import(pages, tmp_path, module):
    with pytest.raises(table.TableError, match="answers no task of lesson_"):
        imported(tmp_path, "@right()\ndef f(a, b): ...", module)


@pytest.mark.parametrize(
    ("rights", "wrongs", "line", "sentence"),
    [
        (1, 6, "correct", "tiled_add needs 2 right and 6 wrong answers at least"),
        (0, 6, "correct", "tiled_add needs 2 right and 6 wrong answers at least"),
        (2, 5, "correct", "tiled_add needs 2 right and 6 wrong answers at least"),
        (2, 6, "unlooped", "tiled_add needs an answer that is refused at 'correct'"),
    ],
)
def test_too_few_answers_are_refused(pages, tmp_path, rights, wrongs, line, sentence):
    imported(tmp_path, functions(rights, "right()") + functions(wrongs, f"wrong(line='{line}')"))
    with pytest.raises(table.TableError, match=sentence):
        pages["tiled_add"].tricks()


SOLUTION = "<details><summary>One way</summary>\n\n```python\ndef column_sums(x):\n    return torch.sum(x, 0)\n```\n\n</details>"


@pytest.fixture
def practice(pages, monkeypatch, tmp_path):
    """The made-up practice with its lesson, and a place for its answers; returns the lesson's notebook."""
    pytest.importorskip("torch")
    source = "from made_up_task import PRACTICE\nTASK = PRACTICE\n"
    made_up_lessons.add(monkeypatch, tmp_path / "tasks", {"lesson_98_made_up/practice_1_column_sums.py": source})
    monkeypatch.setattr(answers.unfolded, "NOTEBOOKS", tmp_path)
    text, stub, solution = ids("column_sums")
    cells = [
        new_code_cell("import torch\nx = torch.ones(3)", id="imports"),
        new_markdown_cell("Sum up.", id=text),
        new_code_cell("def column_sums(x):\n    ...", id=stub),
        new_markdown_cell(SOLUTION, id=solution),
    ]
    return saved(lesson(*cells), tmp_path / "98_made_up.ipynb")


def test_what_a_lesson_unfolds_is_an_answer_to_its_practice(practice):
    import torch

    assert "column_sums" in answers.lessons()["98_made_up"]
    assert answers.unfolded.solution("column_sums")(torch.ones(3, 2)).tolist() == [3, 3]


def test_practice_is_spared_the_tricks_and_needs_two_wrong_answers(practice, tmp_path):
    module = "answers.lesson_98.column_sums"
    imported(tmp_path, functions(1, "wrong(line='correct')"), module)
    with pytest.raises(table.TableError, match="column_sums needs 2 wrong answers at least, in its own file"):
        table.PAGES["column_sums"].tricks()
    table.PAGES.clear()
    imported(tmp_path, functions(2, "wrong(line='correct')"), module)
    assert table.PAGES["column_sums"].tricks() == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def column_sums(x):\n    return", "def row_sums(x):\n    return"),
        ("```python", "```"),
        ("details>", "summary>"),
    ],
)
def test_a_solution_that_is_not_folded_as_code_is_one_sentence(practice, before, after):
    notebook = nbformat.read(practice, as_version=4)
    notebook.cells[-1].source = notebook.cells[-1].source.replace(before, after)
    saved(notebook, practice)
    with pytest.raises(
        table.TableError, match="turn-column-sums-solution' of 98_made_up.ipynb folds no Python code with"
    ):
        answers.unfolded.solution("column_sums")


def test_a_task_without_answers_and_a_file_without_a_task_are_told(monkeypatch, tmp_path):
    monkeypatch.setattr(answers, "HERE", tmp_path)
    with pytest.raises(
        table.TableError, match=r"no answers to tiled_add; write them into answers/lesson_03/tiled_add\.py"
    ):
        answers.of_task("tiled_add")
    (tmp_path / "lesson_03").mkdir()
    (tmp_path / "lesson_03" / "tile_add.py").touch()
    with pytest.raises(table.TableError, match=r"lesson_03/tile_add\.py answers no task of 03_element_loops"):
        answers.of_lesson("03_element_loops")
