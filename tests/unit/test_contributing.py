"""The exercise in CONTRIBUTING.md is a valid task, its answers get the expected verdicts, and its files have free
names.
"""

import re
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from course_utils import tasks
from course_utils.judging import Answer, judge

torch = pytest.importorskip("torch")

PAGE = Path(__file__).resolve().parents[2] / "CONTRIBUTING.md"


def python_block(beginning):
    """Return the code of the page's block that begins with a docstring."""
    blocks = re.findall(r"^ *```python\n(.*?)^ *```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    (block,) = (dedent(block) for block in blocks if dedent(block).startswith(f'"""{beginning}'))
    return block


@pytest.mark.slow
def test_example_exercise_judges_its_answers(tmp_path, monkeypatch):
    (tmp_path / "contributed_task.py").write_text(python_block("The mean of each row"), encoding="utf-8")
    (tmp_path / "contributed_answers.py").write_text(python_block("Answers to mean_of_rows"), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import contributed_answers
    import contributed_task

    for answer in contributed_answers.answers.from_file:
        verdict = judge(contributed_task.TASK, Answer(answer.function, contributed_task.TASK))
        assert verdict.right == answer.right, verdict.message
        assert answer.says in (verdict.message or "")
    for name in ("contributed_task", "contributed_answers"):
        del sys.modules[name]


def test_example_files_have_free_names_and_numbers():
    paths = re.findall(
        r"course_utils/tasks/(lesson_\w+)/((?:task|practice)_\d+_)(\w+)\.py", PAGE.read_text(encoding="utf-8")
    )
    assert len(paths) == 2
    for folder, number, task_id in paths:
        assert not list((PAGE.parent / "course_utils/tasks" / folder).glob(f"{number}*.py"))
        assert task_id not in (*tasks.names(), *tasks.names("practice"))
