"""The exercise in CONTRIBUTING.md is a valid task, and its answers get the verdicts that they say."""

import re
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from course_utils.judging import Answer, judge

torch = pytest.importorskip("torch")

PAGE = Path(__file__).resolve().parents[2] / "CONTRIBUTING.md"


def python_block(beginning):
    """The code of the page's block that begins with a docstring."""
    blocks = re.findall(r"^ *```python\n(.*?)^ *```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    (block,) = (dedent(block) for block in blocks if dedent(block).startswith(f'"""{beginning}'))
    return block


def test_example_exercise_judges_its_answers(tmp_path, monkeypatch):
    (tmp_path / "contributed_task.py").write_text(python_block("The mean of each row"), encoding="utf-8")
    (tmp_path / "contributed_answers.py").write_text(python_block("Answers to mean_of_rows"), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import contributed_answers
    import contributed_task

    for answer in contributed_answers.answers.written:
        verdict = judge(contributed_task.TASK, Answer(answer.function, contributed_task.TASK))
        assert verdict.right == answer.right, verdict.message
        assert answer.says in (verdict.message or "")
    for name in ("contributed_task", "contributed_answers"):
        del sys.modules[name]
