"""The table of answers leaves none out, and what an author of answers can do wrong is one sentence."""

import ast
import runpy

import pytest

import answers
from answers import table
from answers.tricks import TRICKS

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
